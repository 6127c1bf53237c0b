"""The rows of the benchmark about low rank: 6, ridge regression on the features of the
Nyström method, and 7, conjugate gradients on the normal equations of many rows on few
landmarks (FALKON). Both sides have the same landmarks and so the same problem: those that
scikit-learn's Nystroem draws with its seed."""

import numpy as np


def targets(rng, x):
    """f(x) with noise, and f alone."""
    f = np.sin(x[:, :3].sum(1))
    return f + 0.1 * rng.standard_normal(len(x)), f


def lowrank(full, row, load, store, rbf_blocks):
    return features(full, row, load, store, rbf_blocks) + landmarks(full, row, load, store)


def features(full, row, load, store, rbf_blocks):
    n, d, m = (200000, 18, 1000) if full else (20000, 18, 300)
    gamma, alpha, new = 1 / (2 * d), 1.0, 1000

    def prepare(folder):
        rng = np.random.default_rng(60)
        x = rng.standard_normal((n, d))
        y, _ = targets(rng, x)
        chosen = np.random.RandomState(0).permutation(n)[:m]  # as Nystroem(random_state=0) does
        store(folder, {"kernel": f"rbf(gamma={gamma!r})", "ridge": alpha, "k": m}, x=x, y=y[:, None], landmarks=x[chosen],
              new=rng.standard_normal((new, d)))

    def judge(folder):
        x, y, c, z = (load(folder, name) for name in ("x", "y", "landmarks", "new"))
        inner = np.vstack([k for _, k in rbf_blocks(c, c, gamma)])
        l = np.linalg.cholesky(inner)
        moments, pull = np.zeros((m, m)), np.zeros((m, 1))
        for rows, k in rbf_blocks(x, c, gamma):
            phi = np.linalg.solve(l, k.T)
            moments += phi @ phi.T
            pull += phi @ y[rows]
        w = np.linalg.solve(moments + alpha * np.eye(m), pull)
        f = np.vstack([k for _, k in rbf_blocks(z, c, gamma)]) @ np.linalg.solve(l.T, w)
        return float(np.linalg.norm(load(folder, "result").reshape(-1, 1) - f) / np.linalg.norm(f))

    return [row("6", f"ridge regression on the features of {m} landmarks, n={n}, d={d}, and {new} predictions",
                "relative difference of the predictions from the normal equations in float64", prepare, judge,
                [("mercer nystrom", "scikit-learn Nystroem + Ridge")], rounds=2 if full else 0)]


def landmarks(full, row, load, store):
    """The peer is measured on its first `part` rows, because all of them would take it an
    hour: the time of its passes is multiplied by n/part, that of its preparation is not."""
    n, d, m, part = (5000000, 18, 10000, 100000) if full else (20000, 18, 500, 20000)
    gamma, ridge, passes, new = 1 / (2 * d), 1e-6 * n, 20, 2000

    def prepare(folder):
        rng = np.random.default_rng(70)
        x = rng.standard_normal((n, d))
        y, _ = targets(rng, x)
        chosen = np.random.RandomState(0).permutation(n)[:m]
        z = rng.standard_normal((new, d))
        _, f = targets(rng, z)
        store(folder, {"kernel": f"rbf(gamma={gamma!r})", "ridge": ridge, "iterations": passes, "part": part}, x=x, y=y[:, None],
              landmarks=x[chosen], chosen=chosen[:, None].astype(float), new=z, truth=f[:, None])

    def judge(folder):
        f = load(folder, "truth")
        return float(np.sqrt(np.mean((load(folder, "result").reshape(f.shape) - f) ** 2)) / f.std())

    peers = ["numpy falkon", "falkon package"]
    notes = {peer: f"learns from {part} of the {n} rows; its passes are extrapolated to all, so its error is that of fewer rows" for peer in peers} if part < n else {}
    return [row("7", f"FALKON: n={n}, d={d}, {m} landmarks, {passes} passes in float32, and {new} predictions",
                "RMSE of the predictions against the function without noise / standard deviation", prepare, judge,
                [("mercer falkon", peer) for peer in peers], notes=notes, rounds=1 if full else 0, cold=full)]
