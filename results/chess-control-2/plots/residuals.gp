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
    set output 'residuals.'.format
    set multiplot layout rows, columns title title
    set xlabel 'White''s lead in material as the engine values it, units'
    set ylabel 'observed less predicted, %'
    set grid ytics back
    set xrange [*<-1:1<*]
    set offsets 0.5, 0.5, 0, 0
    set yrange [*<-5:5<*]
    unset key
    do for [i=1:panels] {
        set title panel[i].', with '.level.' % interval'
        plot 0 with lines linewidth 3 dashtype 2 linecolor '#000000', \
             'residuals.dat' index i-1 using 1:2:3:4 with yerrorbars linestyle 1
    }
    unset multiplot
}
unset output
