title = 'Chess, the long control, 2'
level = '95'
panels = 1
columns = 1
width = 1600
height = 620
margin = 9
array panel[1] = ['chess']
array kinds[1] = [5]
array first[1] = [0]
array name[5] = ['pawn', 'knight', 'bishop', 'rook', 'queen']
load 'style.gp'

do for [format in 'png svg'] {
    eval terminal(format)
    set output 'survival.'.format
    set multiplot layout rows, columns title title
    set xlabel 'how much of the game has passed, %'
    set ylabel 'still on the board, %'
    set grid ytics back
    set xrange [-2:102]
    set yrange [0:102]
    do for [i=1:panels] {
        set title panel[i].', with '.level.' % interval'
        plot for [k=1:kinds[i]] 'survival.dat' index first[i]+k-1 using ($1 + 0.3 * (k - 1)):2:3:4 \
                 with yerrorbars linestyle 1+(k-1)%6 pointsize 0 linewidth 2 notitle, \
             for [k=1:kinds[i]] '' index first[i]+k-1 using ($1 + 0.3 * (k - 1)):2 with linespoints \
                 linestyle 1+(k-1)%6 title name[first[i]+k]
    }
    unset multiplot
}
unset output
