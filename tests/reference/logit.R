# Makes the reference fit that tests/test_tune.c compares with: Rscript logit.R, in this directory.
# Scores of quarters, weighted rows, an offset: glm of R itself, iterated until nothing changes.

set.seed(20261130, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")

count <- 120
data <- data.frame(weight = sample(c(0.25, 0.5, 1, 2), count, replace = TRUE), offset = round(rnorm(count), 3),
                   a = round(rnorm(count), 3), b = sample(-1:1, count, replace = TRUE),
                   c = round(runif(count) * rbinom(count, 1, 0.4), 3))
data$y <- with(data, rbinom(count, 4, plogis(0.3 + 0.6 * offset + 0.8 * a - 0.5 * b + 1.1 * c)) / 4)
data <- data[c("y", "weight", "offset", "a", "b", "c")]
write.csv(data, "logit_data.csv", row.names = FALSE, quote = FALSE)

fit <- glm(y ~ a + b + c + offset(0.6 * offset), family = quasibinomial, data = data, weights = weight,
           control = glm.control(epsilon = 1e-15, maxit = 100))
p <- fitted(fit)
loss <- with(data, sum(weight * -(y * log(p) + (1 - y) * log(1 - p))) / sum(weight))
rows <- rbind(data.frame(quantity = "estimate", value = unname(coef(fit))),
              data.frame(quantity = "loss", value = loss))
rows$value <- sprintf("%.17g", rows$value)
write.csv(rows, "logit_fit.csv", row.names = FALSE, quote = FALSE)
