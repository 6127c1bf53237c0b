import os
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import mercer

ALL = [mercer.MercerRidge(), mercer.MercerSVR(), mercer.MercerGP(), mercer.MercerSVC(), mercer.MercerLogistic()]


@parametrize_with_checks(ALL)
def test_scikit_learn(estimator, check):
    check(estimator)


def test_ridge_is_that_of_scikit_learn():
    """The same minimum: n·λ = alpha, γ = 1/(2σ²), and centred targets stand for the intercept."""
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:200], y[:200]
    ours = mercer.MercerRidge(kernel="rbf(sigma=0.2)", lam=1e-3, standardize=False).fit(X, y)
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / (2 * 0.2**2))
    n = len(y)
    A = np.block([[K + n * 1e-3 * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    alpha = np.linalg.solve(A, np.append(y, 0))
    want = K @ alpha[:n] + alpha[n]
    np.testing.assert_allclose(ours.predict(X), want, rtol=1e-9)
    theirs = KernelRidge(alpha=n * 1e-3, kernel="rbf", gamma=1 / (2 * 0.2**2)).fit(X, y - y.mean())
    assert np.corrcoef(theirs.predict(X), want)[0, 1] > 0.99


def test_svc_agrees_with_scikit_learn():
    X, y = load_iris(return_X_y=True)
    ours = mercer.MercerSVC(kernel="rbf(sigma=1)", C=1, standardize=False).fit(X, y)
    theirs = SVC(C=1, gamma=0.5).fit(X, y)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99


def test_probabilities_and_deviations():
    X, y = load_iris(return_X_y=True)
    model = mercer.MercerLogistic().fit(X, y)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(1), 1, atol=1e-12)
    assert (p.argmax(1) == model.predict(X)).all()


def test_process_is_that_of_scikit_learn():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:150], y[:150] / 100
    ours = mercer.MercerGP(kernel="rbf(sigma=0.2)", noise=0.3, mean="zero", standardize=False).fit(X, y)
    mean, std = ours.predict(X[:20], return_std=True)
    theirs = GaussianProcessRegressor(RBF(0.2), alpha=0.3, optimizer=None).fit(X, y)
    want, deviation = theirs.predict(X[:20], return_std=True)
    np.testing.assert_allclose(mean, want, rtol=1e-8)
    np.testing.assert_allclose(std, np.sqrt(deviation**2 + 0.3), rtol=1e-8)


def test_models_come_and_go(tmp_path):
    X, y = load_diabetes(return_X_y=True)
    model = mercer.MercerRidge().fit(X, y)
    model.save(tmp_path / "m.mercer")
    again = mercer.load(tmp_path / "m.mercer")
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    np.testing.assert_array_equal(again.predict(frame)["target"].to_numpy(), model.predict(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def test_errors_are_those_of_the_command(monkeypatch):
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(mercer.MercerError, match="rbff"):
        mercer.MercerRidge(kernel="rbff(sigma=1)").fit(X, y)
    monkeypatch.delenv("MERCER", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(mercer.MercerError, match="was not found"):
        mercer.MercerRidge().fit(X, y)


def test_there_is_a_command():
    assert os.access(mercer.command(), os.X_OK)
