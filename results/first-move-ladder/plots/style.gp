# What the scripts of this folder share. Run one here: gnuplot values.gp
set encoding utf8
set datafile separator tab
set datafile missing '?'
set tics nomirror
set border 3
set format x '%g'
set grid xtics back linetype 1 linecolor '#bbbbbb' linewidth 1
set key outside right center Left reverse samplen 1 spacing 1.3
# SVG measures points by the size of the font: hence k.
styles = "set style line 1 pointtype 7 pointsize k*2.4 linewidth 4 linecolor '#0072B2'; \
set style line 2 pointtype 4 pointsize k*2.4 linewidth 3 linecolor '#D55E00'; \
set style line 3 pointtype 8 pointsize k*2.6 linewidth 3 linecolor '#009E73'; \
set style line 4 pointtype 12 pointsize k*2.8 linewidth 3 linecolor '#CC79A7'; \
set style line 5 pointtype 10 pointsize k*2.6 linewidth 3 linecolor '#E69F00'; \
set style line 6 pointtype 2 pointsize k*1.8 linewidth 3 linecolor '#000000'"
svg = "svg noenhanced font 'sans-serif,26' background '#ffffff'"
png = strstrt(GPVAL_TERMINALS, 'pngcairo') ? "pngcairo noenhanced font 'Sans,20'" \
      : 'png noenhanced giant'
set lmargin margin
terminal(format) = sprintf('set terminal %s size %d, %d; k = %g; ', format eq 'svg' ? svg : png, \
                           width, height, format eq 'svg' ? 0.65 : 1).styles
rows = ceil(1.0 * panels / columns)
