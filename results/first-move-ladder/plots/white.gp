title = 'The first move in four games, from weak players to strong'
level = '95'
items = 16
panels = 1
columns = 1
width = 1600
height = 1580
margin = 17
series = '2'
array shift[2] = [0, 0]
array name[2] = ['at equal material (fit)', 'all games']
load 'style.gp'

do for [format in 'png svg'] {
    eval terminal(format)
    set output 'white.'.format
    set multiplot layout 1, 1 title title
    set xlabel 'White''s expected score, %, with '.level.' % interval'
    set key above
    set yrange [items + 0.6 : 0.4]
    set xrange [*<48 : 52<*]
    set arrow 1 from 50, graph 0 to 50, graph 1 nohead back linewidth 3 dashtype 2 linecolor '#000000'
    plot 'white.dat' using (50):1:ytic(2) with points pointtype 7 pointsize 0.1 linecolor '#000000' \
             notitle, \
         for [s in series] '' using (column(3 * s)):($1 + shift[int(s)]):(column(3 * s + 1)):\
             (column(3 * s + 2)) with xerrorbars linestyle int(s) title name[int(s)]
    unset multiplot
}
unset output
