// Package calibrate turns decision values into probabilities that cannot contradict
// the label.
//
// A classifier decides by a rule: the sign of a value, the largest of several, the votes
// of machines for pairs of classes. A map that is fitted afterwards, on values of rows
// that the classifier did not learn from, must keep to that rule, or two columns of one
// prediction tell two stories. [Map] does by construction: the class that the rule names
// has the largest probability, exactly, in floating-point arithmetic, ties included.
//
//   - [TwoSided] is Platt's sigmoid with one slope on each side of 0, so that it is ½
//     at 0; [Isotonic] is any rising function through ½ at 0; a temperature scales all
//     values by one number.
//   - [Couple] joins the probabilities of pairs, and [Favour] makes the smallest change
//     after which the named class is the largest.
//   - [FitSigmoid] and [FitIsotonic] are the classical maps, for scores without a rule.
//
// Maps are plain data and travel as JSON. Rows have weights: a row of weight 2 counts as
// two rows, in the smoothing of the targets too.
//
// Sources: Platt, Probabilistic outputs for support vector machines (1999); Lin, Lin and
// Weng, A note on Platt's probabilistic outputs for support vector machines, Machine
// Learning 68 (2007); Zadrozny and Elkan, Transforming classifier scores into accurate
// multiclass probability estimates, KDD 2002; Guo, Pleiss, Sun and Weinberger, On
// calibration of modern neural networks, ICML 2017; Wu, Lin and Weng, Probability
// estimates for multi-class classification by pairwise coupling, JMLR 5 (2004).
package calibrate
