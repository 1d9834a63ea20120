title = 'Chess, the long control, 2'
panels = 1
columns = 1
width = 1600
height = 520
margin = 8
longest = 400
array panel[1] = ['chess: 3200 games, 3200 in the fit']
array median[1] = [81]
array width_of_bin[1] = [10]
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
