title = 'The first move in four games, from weak players to strong'
level = '95'
panels = 1
columns = 1
width = 1600
height = 620
margin = 9
array panel[1] = ['']
ladders = 4
array name[4] = ['Chess', 'Glinski''s hexagonal chess', 'Panal', 'Sunflower HexChess']
logarithmic = 1
effort = 'nodes searched a move'
rungs = '100, 330, 1000, 3300, 100, 330, 1000, 3300, 100, 330, 1000, 3300, 100, 330, 1000, 3300'
least = 83.3333
most = 3960
load 'style.gp'

do for [format in 'png svg'] {
    eval terminal(format)
    set output 'ladder.'.format
    set multiplot layout rows, columns title title
    set xlabel effort
    set ylabel 'White''s score, %, with '.level.' % interval'
    set grid ytics back
    if (logarithmic) { set logscale x }
    eval 'set xtics ('.rungs.')'
    set xrange [least:most]
    set yrange [*<48:52<*]
    set arrow 1 from least, 50 to most, 50 nohead back linewidth 3 dashtype 2 linecolor '#000000'
    plot for [k=1:ladders] 'ladder.dat' index k-1 using 1:2:3:4 with yerrorbars \
             linestyle 1+(k-1)%6 linewidth 2 notitle, \
         for [k=1:ladders] '' index k-1 using 1:2 with linespoints linestyle 1+(k-1)%6 title name[k]
    unset multiplot
}
unset output
