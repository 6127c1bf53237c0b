// Package sklearn reads models of scikit-learn from files of skops (package skops): what a fitted
// estimator, or a pipeline of preparations with one at its end, computes, as the preparation of
// columns and an expansion
//
//	fⱼ(x) = bⱼ + Σᵢ αᵢⱼ k(x, xᵢ)
//
// over the rows that it kept. Nothing is fitted again: numbers are those of the file, so that
// predictions differ by the rounding of sums alone.
//
// Known are
//
//   - KernelRidge; SVC, NuSVC, SVR, NuSVR, OneClassSVM; KernelPCA; Nystroem;
//   - GaussianProcessRegressor of one target, GaussianProcessClassifier of two classes;
//   - Ridge, LinearRegression, RidgeClassifier, LogisticRegression, LinearSVC, LinearSVR,
//     SGDClassifier and SGDRegressor, alone or behind Nystroem;
//   - before them, in a Pipeline or a ColumnTransformer, StandardScaler, MinMaxScaler,
//     MaxAbsScaler, RobustScaler, SimpleImputer, OneHotEncoder, and what passes columns through;
//   - GridSearchCV and its like, of which the best estimator is taken.
//
// Whatever else is in a file is an error that names the class or the setting. A class is found by
// its name in a table of this package; names in a file never make the program do anything else.
//
// Probabilities of two classes of GaussianProcessClassifier are the exact averages of package gp;
// those of scikit-learn are an approximation by five error functions (R&W 3.25 after Williams and
// Barber), which is off by up to 1e-3. Labels agree.
package sklearn
