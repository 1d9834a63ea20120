title = 'Chess, the long control, 2'
level = '95'
panels = 1
columns = 1
width = 1600
height = 640
margin = 9
least = 0
most = 14.73
array panel[1] = ['chess: 3200 games, 3200 in the fit']
array unit[1] = ['pawn = 1']
array items[1] = [5]
array tables[1] = [2]
array by[4] = ['textbooks', 'AlphaZero', '', '']
load 'style.gp'

step(i) = tables[i] > 2 ? 0.13 : 0.2
do for [format in 'png svg'] {
    eval terminal(format)
    set output 'values.'.format
    set multiplot layout rows, columns title title
    set xrange [least : most]
    do for [i=1:panels] {
        set title panel[i]
        set xlabel 'value ('.unit[i].'), with '.level.' % interval'
        set yrange [items[i] + 0.6 : 0.2]
        plot 'values.dat' index i-1 using 3:1:4:5:ytic(2) with xerrorbars linestyle 1 title 'measured', \
             for [k=1:tables[i]] '' index i-1 using 6+k:($1 - 0.02 - step(i) * k) with points \
                 linestyle 1+k title by[4 * (i - 1) + k], \
             '' index i-1 using 6:($1 + 0.24) with points linestyle 6 title 'engine believed'
    }
    unset multiplot
}
unset output
