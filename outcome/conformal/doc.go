// Package conformal makes sets of labels and intervals that contain what happens with a
// chosen probability, whatever the model and the distribution.
//
// Rows that the model did not learn from have a score that says how strange their target
// is to the model: |y − f| ([Residual]), |y − f| in units of a predicted spread
// ([Scaled]), how far y lies outside predicted quantiles ([Outside]), one minus the
// probability of the label ([Unlikely]), or the probability of all labels that are at
// least as likely ([Ranked]). The targets whose score is at most the ⌈(n+1)(1−α)⌉-th
// smallest of n are an interval or a set ([Scores.Quantile]). If the rows and the new
// one are exchangeable, it contains the target with a probability of at least 1 − α,
// and, scores being distinct, of at most 1 − α + 1/(n+1). Given the scores the
// probability of what is covered varies as a beta distribution, Beta(k, n+1−k) with
// k = ⌈(n+1)(1−α)⌉.
//
// The promise holds on the average over rows. [ByGroup] makes it for each group,
// such as each class (Mondrian).
//
// Sources: Vovk, Gammerman and Shafer, Algorithmic learning in a random world (2005);
// Papadopoulos et al., Inductive confidence machines for regression, ECML 2002; Lei et
// al., Distribution-free predictive inference for regression, JASA 113 (2018); Romano,
// Patterson and Candès, Conformalized quantile regression, NeurIPS 2019; Sadinle, Lei
// and Wasserman, Least ambiguous set-valued classifiers, JASA 114 (2019); Romano, Sesia
// and Candès, Classification with valid and adaptive coverage, NeurIPS 2020; for weights
// Tibshirani et al., Conformal prediction under covariate shift, NeurIPS 2019.
package conformal
