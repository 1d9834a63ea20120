title = 'The first move in four games, from weak players to strong'
level = '95'
panels = 8
columns = 1
width = 1600
height = 4540
margin = 9
array panel[8] = ['chess 100', 'chess 330', 'chess 1000', 'chess 3300', 'glinski 100', 'glinski 330', 'glinski 1000', 'glinski 3300']
array kinds[8] = [5, 5, 5, 5, 5, 5, 5, 5]
array first[8] = [0, 5, 10, 15, 20, 25, 30, 35]
array name[40] = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'pawn', 'knight', 'bishop', 'rook', 'queen', 'pawn', 'knight', 'bishop', 'rook', 'queen', 'pawn', 'knight', 'bishop', 'rook', 'queen', 'pawn', 'knight', 'bishop', 'rook', 'queen', 'pawn', 'knight', 'bishop', 'rook', 'queen', 'pawn', 'knight', 'bishop', 'rook', 'queen', 'pawn', 'knight', 'bishop', 'rook', 'queen']
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
