title = 'The first move in four games, from weak players to strong'
panels = 16
columns = 2
width = 3200
height = 3740
margin = 8
longest = 620
array panel[16] = ['chess 100: 2500 games, 2500 in the fit', 'chess 330: 2500 games, 2500 in the fit', 'chess 1000: 2500 games, 2500 in the fit', 'chess 3300: 2500 games, 2500 in the fit', 'glinski 100: 2500 games, 2500 in the fit', 'glinski 330: 2500 games, 2500 in the fit', 'glinski 1000: 2500 games, 2500 in the fit', 'glinski 3300: 2500 games, 2500 in the fit', 'panal 100: 2500 games, 2500 in the fit', 'panal 330: 2500 games, 2500 in the fit', 'panal 1000: 2500 games, 2500 in the fit', 'panal 3300: 2500 games, 2500 in the fit', 'sunflower 100: 2500 games, 2498 in the fit', 'sunflower 330: 2500 games, 2493 in the fit', 'sunflower 1000: 2500 games, 2494 in the fit', 'sunflower 3300: 2500 games, 2488 in the fit']
array median[16] = [92.5, 125, 125, 130, 108, 151, 149, 149, 40, 41, 45, 49, 162, 175, 173, 188]
array width_of_bin[16] = [20, 10, 20, 20, 20, 20, 20, 20, 5, 5, 5, 5, 20, 20, 20, 20]
load 'style.gp'

do for [format in 'png svg'] {
    eval terminal(format)
    set output 'lengths.'.format
    set multiplot layout rows, columns title title
    set xlabel 'length of the game, plies (dashed: median)'
    set ylabel 'games, %'
    set grid ytics back
    set xrange [0:longest]
    set yrange [0:*]
    unset key
    do for [i=1:panels] {
        set title panel[i]
        set boxwidth width_of_bin[i]
        set arrow 1 from median[i], graph 0 to median[i], graph 1 nohead front linewidth 4 dashtype 2 \
            linecolor '#000000'
        plot 'lengths.dat' index i-1 using 1:3 with boxes linecolor '#56B4E9' fill solid \
             border linecolor '#000000'
    }
    unset multiplot
}
unset output
