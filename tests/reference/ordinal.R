# Makes the reference fits that tests/test_stats.c compares with: Rscript ordinal.R, in this directory.
# Needs R with MASS, ordinal and sandwich (Debian: r-base-core r-cran-mass r-cran-ordinal r-cran-sandwich).
#
# ordinal::clm gives the numbers, since its Newton iterations and analytic Hessian reach full precision;
# MASS::polr, whose Hessian is by differences, must agree with it. Covariances are over (thresholds, slopes).
# A row of weight n is fitted as n rows, since sandwich scales weighted polr and clm fits differently.
# games_*: an outcome of three kinds, material differences, games in pairs.
# positions_*: five kinds of outcome, columns not centred on 0, clusters of 1 to 9 rows, integer weights.
# housing_*: the data of Venables and Ripley, "Modern Applied Statistics with S" (2002), section 7.3.

library(MASS)
library(ordinal)
library(sandwich)

set.seed(20240229, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")

draw_outcome <- function(eta, theta) {
    findInterval(rlogis(length(eta)) + eta, theta)
}

write_reference <- function(name, data, formula, cluster) {
    data <- data[rep(seq_len(nrow(data)), data$weight), ]
    data$response <- factor(data$outcome, ordered = TRUE)
    data$id <- data[[cluster]]
    fit <- clm(formula, data = data, control = clm.control(gradTol = 1e-9))
    other <- polr(formula, data = data, Hess = TRUE, control = list(reltol = 1e-15, maxit = 2000))
    robust <- vcovCL(fit, cluster = data$id)
    slopes <- seq_along(other$coefficients)
    thresholds <- length(slopes) + seq_along(other$zeta)
    order <- c(thresholds, slopes)
    stopifnot(max(abs(coef(fit) - c(other$zeta, other$coefficients))) < 1e-5,
              abs(logLik(fit) - logLik(other)) < 1e-8,
              max(abs(vcov(other)[order, order] / vcov(fit) - 1)) < 1e-3,
              max(abs(vcovCL(other, cluster = data$id)[order, order] - robust)) < 1e-3 * max(abs(robust)))
    rows <- rbind(data.frame(quantity = "estimate", value = unname(coef(fit))),
                  data.frame(quantity = "log likelihood", value = as.numeric(logLik(fit))),
                  data.frame(quantity = "covariance", value = as.vector(vcov(fit))),
                  data.frame(quantity = "sandwich", value = as.vector(robust)))
    rows$value <- sprintf("%.17g", rows$value)
    write.csv(rows, paste0(name, "_fit.csv"), row.names = FALSE, quote = FALSE)
}

games <- data.frame(pair = rep(1:150, each = 2))
for (piece in c("p", "n", "b", "r", "q"))
    games[[piece]] <- sample(-2:2, 300, replace = TRUE, prob = c(1, 2, 4, 2, 1))
games$outcome <- with(games, draw_outcome(0.15 + 0.3 * p + 0.9 * n + 1 * b + 1.5 * r + 2.5 * q +
                                          rep(rnorm(150, sd = 0.5), each = 2), c(-0.6, 0.6)))
games$weight <- 1
write.csv(games[c("outcome", "weight", "pair", "p", "n", "b", "r", "q")], "games_data.csv",
          row.names = FALSE, quote = FALSE)
write_reference("games", games, response ~ p + n + b + r + q, "pair")

positions <- data.frame(game = rep(1:80, times = sample(1:9, 80, replace = TRUE)))
count <- nrow(positions)
positions$a <- round(rnorm(count, 3, 1.2), 3)
positions$b <- round(0.7 * positions$a + rnorm(count, 10, 0.8), 3)
positions$c <- round(runif(count), 3)
positions$outcome <- with(positions, draw_outcome(0.8 * a - 0.5 * b + 0.9 * c + rnorm(80)[game],
                                                  -3.2 + c(-2, -0.8, 0.8, 2)))
positions$weight <- sample(1:3, count, replace = TRUE)
positions <- positions[sample(count), ]
write.csv(positions[c("outcome", "weight", "game", "a", "b", "c")], "positions_data.csv",
          row.names = FALSE, quote = FALSE)
write_reference("positions", positions, response ~ a + b + c, "game")

design <- model.matrix(~ Infl + Type + Cont, data = housing)[, -1]
colnames(design) <- c("infl_medium", "infl_high", "apartment", "atrium", "terrace", "contact_high")
houses <- data.frame(outcome = as.integer(housing$Sat) - 1, weight = housing$Freq,
                     cell = rep(seq_len(24), each = 3), design)
write.csv(houses, "housing_data.csv", row.names = FALSE, quote = FALSE)
write_reference("housing", houses,
                response ~ infl_medium + infl_high + apartment + atrium + terrace + contact_high, "cell")
