"""The rows of the benchmark about clusters: 10 mixtures of Gaussians, 11 k-means and
kernel k-means. Both sides of a row start from the same centres, labels or mixture, so
that they do the same iterations."""

import numpy as np


def blobs(seed, n, d, k, spread):
    """n points of k clusters in d dimensions, their centres, and the cluster of each."""
    rng = np.random.default_rng(seed)
    centres = spread * rng.standard_normal((k, d))
    label = rng.integers(0, k, n)
    return centres[label] + rng.standard_normal((n, d)), centres, label


def log_likelihood(x, weights, means, covariances):
    """The mean log-density of the rows."""
    n, d = x.shape
    q = np.empty((n, len(weights)))
    for j, (w, m, c) in enumerate(zip(weights, means, covariances)):
        l = np.linalg.cholesky(c)
        z = np.linalg.solve(l, (x - m).T)
        q[:, j] = np.log(w) - 0.5 * (z**2).sum(0) - np.log(np.diag(l)).sum() - 0.5 * d * np.log(2 * np.pi)
    top = q.max(1)
    return float((top + np.log(np.exp(q - top[:, None]).sum(1))).mean())


def mixture(full, row, load, store):
    n, d, k, iterations = (200000, 20, 20, 20) if full else (20000, 10, 10, 20)

    def prepare(folder):
        x, _, _ = blobs(10, n, d, k, 1.0)
        rng = np.random.default_rng(11)
        store(folder, {"k": k, "iterations": iterations}, x=x, start=x[rng.choice(n, k, replace=False)])

    def judge(folder):
        # Rows of the result: weight, mean, covariance of a component.
        a = load(folder, "result")
        return -log_likelihood(load(folder, "x"), a[:, 0], a[:, 1 : 1 + d], a[:, 1 + d :].reshape(k, d, d))

    return [row("10", f"a mixture of {k} Gaussians with full covariances, {iterations} iterations of EM from unit covariances, n={n}, d={d}",
                "−log-likelihood per row of the mixture", prepare, judge,
                [("mercer gmm", "scikit-learn GaussianMixture")], rounds=2 if full else 0)]


def kernel_kmeans(full, row, load, store, rbf_blocks):
    rows = []
    sizes = [("11", 20000 if full else 4000, ["numpy kernel k-means"]), ("11k", 2000, ["kernlab kkmeans"])]
    for key, n, peers in sizes:
        d, k, iterations = 20, 10, 20
        gamma = 1 / (4 * d)

        def prepare(folder, n=n):
            x, _, _ = blobs(12, n, d, k, 0.6)
            start = np.random.default_rng(13).integers(0, k, (n, 1)).astype(float)
            store(folder, {"kernel": f"rbf(gamma={gamma!r})", "k": k, "iterations": iterations}, x=x, labels=start)

        def judge(folder, n=n):
            x, label = load(folder, "x"), load(folder, "result")[:, 0].astype(int)
            z = np.eye(k)[label]
            z /= np.sqrt(np.maximum(z.sum(0), 1))
            inside = sum((b @ z * z[rows]).sum() for rows, b in rbf_blocks(x, x, gamma))
            return float((n - inside) / n)

        rows.append(row(key, f"kernel k-means from the points on, {k} clusters, rbf, {iterations} iterations from random labels, n={n}, d={d}",
                        "mean squared distance to the means in feature space", prepare, judge,
                        [(ours, peer) for ours in ("mercer kernel k-means", "mercer kernel k-means f32") for peer in peers],
                        notes={"kernlab kkmeans": "has a start and an end of its own: its number says what it found"} if key == "11k" else {}))
    return rows


def kmeans(full, row, load, store):
    rows = []
    for key, n, d, k in [("11 wide", 8000, 100, 50), ("11 long", 200000 if full else 50000, 20, 20)]:

        def prepare(folder, n=n, d=d, k=k):
            x, _, _ = blobs(14, n, d, k, 0.5)
            rng = np.random.default_rng(15)
            store(folder, {"k": k, "iterations": 300}, x=x, start=x[rng.choice(n, k, replace=False)])

        def judge(folder):
            x, c = load(folder, "x"), load(folder, "result")
            d2 = (x**2).sum(1)[:, None] - 2 * x @ c.T + (c**2).sum(1)
            return float(np.maximum(d2.min(1), 0).mean())

        rows.append(row(key, f"k-means from given centres to scikit-learn's tolerance 1e-4, {k} clusters, n={n}, d={d}",
                        "mean squared distance to the nearest centre", prepare, judge,
                        [("mercer k-means", p) for p in ("scikit-learn KMeans", "scikit-learn KMeans elkan", "oneDAL KMeans")]))
    return rows


def clusters(full, row, load, store, rbf_blocks):
    """The rows; what they are made of comes from rows.py."""
    return mixture(full, row, load, store) + kernel_kmeans(full, row, load, store, rbf_blocks) + kmeans(full, row, load, store)
