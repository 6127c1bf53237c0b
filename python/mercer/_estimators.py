"""Estimators of scikit-learn."""

import math

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._model import fit

TARGET = "target"


def columns(x):
    """Return the columns of a matrix of numbers as a table, called x0, x1, …."""
    return {f"x{j}": pa.array(np.ascontiguousarray(x[:, j], dtype=np.float64)) for j in range(x.shape[1])}


class _Mercer(BaseEstimator):
    """What all estimators share: a kernel, and a method of the command."""

    _method = ""

    def _options(self):
        """Return the flags of the parameters."""
        return []

    def _fit(self, x, target, *options):
        table = pa.table({**columns(x), TARGET: target})
        flags = ["--target", TARGET, "--kernel", self.kernel, *self._options(), *options]
        if not self.standardize:
            flags.append("--no-standardize")
        self.model_ = fit(self._method, table, *flags)
        return self

    def _predict(self, x, *options):
        check_is_fitted(self)
        x = validate_data(self, x, dtype=np.float64, reset=False)
        return self.model_.predict(pa.table(columns(x)), *options)

    def save(self, path):
        """Write the file that `mercer predict` and `mercer serve` read."""
        check_is_fitted(self)
        self.model_.save(path)


class _Regressor(RegressorMixin, _Mercer):
    def fit(self, X, y):
        """Fit the model to rows X and targets y."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        return self._fit(X, pa.array(np.asarray(y, dtype=np.float64)), "--type", f"{TARGET}=numeric")

    def predict(self, X):
        """Return the predicted targets of rows."""
        return self._predict(X)[TARGET].to_numpy()


class MercerRidge(_Regressor):
    """Kernel ridge regression.

    lam is λ of (1/n)Σ(yᵢ − f(xᵢ))² + λ‖f‖²; "loo" chooses it by exact leave-one-out errors.
    """

    _method = "krr"

    def __init__(self, kernel="rbf(sigma=median)", lam=1e-3, standardize=True):
        self.kernel = kernel
        self.lam = lam
        self.standardize = standardize

    def _options(self):
        return ["--lambda-by", "loo"] if self.lam == "loo" else ["--lambda", repr(float(self.lam))]


class MercerSVR(_Regressor):
    """Support vector regression with the price C of an error beyond epsilon."""

    _method = "svr"

    def __init__(self, kernel="rbf(sigma=median)", C=1.0, epsilon=0.1, standardize=True):
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.standardize = standardize

    def _options(self):
        return ["--C", repr(float(self.C)), "--epsilon", repr(float(self.epsilon))]


class MercerGP(_Regressor):
    """A Gaussian process with the variance `noise` of the noise; mean is "constant", which is found
    from the data, or "zero", as in scikit-learn."""

    _method = "gp"

    def __init__(self, kernel="rbf(sigma=median)", noise=1e-2, mean="constant", standardize=True):
        self.kernel = kernel
        self.noise = noise
        self.mean = mean
        self.standardize = standardize

    def _options(self):
        return ["--noise", repr(float(self.noise)), "--mean", self.mean]

    def predict(self, X, return_std=False):
        """Return the means of rows and, where they are asked for, the standard deviations of new
        targets there, the noise among them: half of an interval that covers as a normal law does
        within one."""
        if not return_std:
            return super().predict(X)
        out = self._predict(X, "--interval", repr(math.erf(math.sqrt(0.5))))
        width = out[f"{TARGET} upper"].to_numpy() - out[f"{TARGET} lower"].to_numpy()
        return out[TARGET].to_numpy(), width / 2


class _Classifier(ClassifierMixin, _Mercer):
    def fit(self, X, y):
        """Fit the model to rows X and labels y."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("Classifier can't train when only one class is present: y has one class")
        labels = pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), [f"c{k:06d}" for k in range(len(self.classes_))])
        return self._fit(X, labels, "--type", f"{TARGET}=categorical")

    def predict(self, X):
        """Return the labels of rows."""
        said = self._predict(X)[TARGET].to_pylist()
        return self.classes_[np.array([int(label[1:]) for label in said], dtype=np.intp)]


class MercerSVC(_Classifier):
    """Support vector classification with the price C of an error."""

    _method = "svc"

    def __init__(self, kernel="rbf(sigma=median)", C=1.0, standardize=True):
        self.kernel = kernel
        self.C = C
        self.standardize = standardize

    def _options(self):
        return ["--C", repr(float(self.C))]


class MercerLogistic(_Classifier):
    """Kernel logistic regression with the penalty lam."""

    _method = "klr"

    def __init__(self, kernel="rbf(sigma=median)", lam=1e-3, standardize=True):
        self.kernel = kernel
        self.lam = lam
        self.standardize = standardize

    def _options(self):
        return ["--lambda", repr(float(self.lam))]

    def predict_proba(self, X):
        """Return the probabilities of the labels, in the order of classes_."""
        out = self._predict(X)
        return np.column_stack([out[f"p(c{k:06d})"].to_numpy() for k in range(len(self.classes_))])
