set terminal svg size 800,500 noenhanced
set output 'path.svg'
set xlabel 'round'
set ylabel 'value, in points of what the engine believed'
set xtics 1
set key outside right
set offsets 0.2, 0.2, 0, 0
set yrange [0:*]
plot 'path.dat' index 0 using 1:3:4:5 with yerrorlines lc 1 title "pawn", 'path.dat' index 0 using 1:2 with linespoints lc 1 dt 2 notitle, 'path.dat' index 1 using 1:3:4:5 with yerrorlines lc 2 title "knight", 'path.dat' index 1 using 1:2 with linespoints lc 2 dt 2 notitle, 'path.dat' index 2 using 1:3:4:5 with yerrorlines lc 3 title "bishop", 'path.dat' index 2 using 1:2 with linespoints lc 3 dt 2 notitle, 'path.dat' index 3 using 1:3:4:5 with yerrorlines lc 4 title "rook", 'path.dat' index 3 using 1:2 with linespoints lc 4 dt 2 notitle, 'path.dat' index 4 using 1:3:4:5 with yerrorlines lc 5 title "queen", 'path.dat' index 4 using 1:2 with linespoints lc 5 dt 2 notitle
