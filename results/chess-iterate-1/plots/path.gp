title = 'Chess, believed and measured values brought together, from guess 1'
level = '95'
panels = 2
columns = 1
width = 1600
height = 1180
margin = 9
array panel[2] = ['from start 1: believed and measured values agree in round 3', 'from start 2: believed and measured values agree in round 4']
kinds = 5
most = 4
highest = 10.48
array name[5] = ['pawn', 'knight', 'bishop', 'rook', 'queen']
load 'style.gp'

do for [format in 'png svg'] {
    eval terminal(format)
    set output 'path.'.format
    set multiplot layout rows, columns title title
    set xlabel 'round'
    set ylabel 'value, points'
    set grid ytics back
    set xtics 1
    set xrange [0.7:most + 0.3]
    set yrange [0:highest]
    do for [i=1:panels] {
        set title panel[i]
        plot for [k=1:kinds] 'path.dat' index (i-1)*kinds+k-1 using ($1 - 0.03):2 with linespoints \
                 linestyle 1+(k-1)%6 dashtype 2 linewidth 2 pointsize 0.6 notitle, \
             for [k=1:kinds] '' index (i-1)*kinds+k-1 using ($1 + 0.03):3:4:5 with yerrorbars \
                 linestyle 1+(k-1)%6 linewidth 2 notitle, \
             for [k=1:kinds] '' index (i-1)*kinds+k-1 using ($1 + 0.03):3 with linespoints \
                 linestyle 1+(k-1)%6 title name[k], \
             NaN with lines dashtype 2 linewidth 2 linecolor '#000000' title 'believed', \
             NaN with lines linewidth 3 linecolor '#000000' title 'measured, '.level.' %'
    }
    unset multiplot
}
unset output
