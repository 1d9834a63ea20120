title = 'Chess, the long control, 2'
level = '95'
panels = 1
columns = 1
width = 1600
height = 580
margin = 9
array panel[1] = ['chess']
load 'style.gp'

do for [format in 'png svg'] {
    eval terminal(format)
    set output 'calibration.'.format
    set multiplot layout rows, columns title title
    set xlabel 'predicted score of White, %'
    set ylabel 'observed, %'
    set grid ytics back
    set xrange [0:100]
    set yrange [0:100]
    set arrow 1 from 0, 0 to 100, 100 nohead back linewidth 3 dashtype 2 linecolor '#000000'
    do for [i=1:panels] {
        set title panel[i].', with '.level.' % interval (dashed: a perfect fit)'
        plot 'calibration.dat' index i-1 using 1:2:3:4 with yerrorbars linestyle 1 title 'tenths of '\
             .'the games'
    }
    unset multiplot
}
unset output
