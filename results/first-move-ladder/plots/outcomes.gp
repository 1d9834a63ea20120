title = 'The first move in four games, from weak players to strong'
level = '95'
panels = 16
columns = 2
width = 3200
height = 4300
margin = 24
array panel[16] = ['chess 100: 2500 games, 2500 in the fit', 'chess 330: 2500 games, 2500 in the fit', 'chess 1000: 2500 games, 2500 in the fit', 'chess 3300: 2500 games, 2500 in the fit', 'glinski 100: 2500 games, 2500 in the fit', 'glinski 330: 2500 games, 2500 in the fit', 'glinski 1000: 2500 games, 2500 in the fit', 'glinski 3300: 2500 games, 2500 in the fit', 'panal 100: 2500 games, 2500 in the fit', 'panal 330: 2500 games, 2500 in the fit', 'panal 1000: 2500 games, 2500 in the fit', 'panal 3300: 2500 games, 2500 in the fit', 'sunflower 100: 2500 games, 2498 in the fit', 'sunflower 330: 2500 games, 2493 in the fit', 'sunflower 1000: 2500 games, 2494 in the fit', 'sunflower 3300: 2500 games, 2488 in the fit']
array items[16] = [4, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 5, 5, 5, 5]
scores = ' 1 2 3 4 5 6'
load 'style.gp'

array name[6] = ['White wins', 'White scores 3/4', 'draw', 'White scores 1/4', 'Black wins', \
                 'unfinished']
array colour[6] = ['#F0E442', '#E69F00', '#777777', '#56B4E9', '#0072B2', '#000000']
array hatch[6] = [3, 1, 4, 5, 3, 0]
# Columns 7 to 12 are the shares that end so; bars are stacked from the left.
upto(k) = sum [j=1:k] column(6 + j)
do for [format in 'png svg'] {
    eval terminal(format)
    set output 'outcomes.'.format
    set multiplot layout rows, columns title title
    set xlabel 'share of games, %, with '.level.' % interval'
    set offsets graph 0, graph 0.25, 0, 0
    set xtics 0, 10, 100
    set xrange [0:*]
    do for [i=1:panels] {
        set title panel[i]
        set yrange [items[i] + 0.6 : 0.4]
        plot for [s in scores] 'outcomes.dat' index i-1 \
                 using (0):1:(upto(s - 1)):(upto(s + 0)):($1 - 0.32):($1 + 0.32):ytic(2) \
                 with boxxyerror fill pattern hatch[int(s)] border linecolor '#000000' \
                 linecolor rgb colour[int(s)] title name[int(s)], \
             '' index i-1 using 3:1:4:5 with xerrorbars pointtype 0 linewidth 3 linecolor '#000000' \
                 notitle, \
             '' index i-1 using 5:1:(sprintf('  %.1f %% (%d)', $3, $6)) with labels left notitle
    }
    unset multiplot
}
unset output
