"""The row of the benchmark about low rank: 6, ridge regression on the features of the
Nyström method. Both sides have the same landmarks, those that scikit-learn's Nystroem
draws with its seed, and so the same problem."""

import numpy as np


def lowrank(full, row, load, store, rbf_blocks):
    n, d, m = (200000, 18, 1000) if full else (20000, 18, 300)
    gamma, alpha, new = 1 / (2 * d), 1.0, 1000

    def prepare(folder):
        rng = np.random.default_rng(60)
        x = rng.standard_normal((n, d))
        y = np.sin(x[:, :3].sum(1)) + 0.1 * rng.standard_normal(n)
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
