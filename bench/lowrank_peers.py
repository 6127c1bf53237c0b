"""The peers' low-rank models; see peers.py for the protocol."""

import time

import numpy as np


def contestants(work):
    """The contestants by name, on the base class of peers.py."""

    class Nystroem(work):
        """scikit-learn: Nystroem, then Ridge without intercept, and predictions of new rows."""

        needs = ("numpy", "scikit-learn")

        def load(self):
            from sklearn.kernel_approximation import Nystroem as Features
            from sklearn.linear_model import Ridge
            from sklearn.pipeline import make_pipeline

            self.x, self.y, self.new = self.read("x"), self.read("y"), self.read("new")
            self.make = lambda: make_pipeline(
                Features(kernel="rbf", gamma=self.gamma(), n_components=self.params["k"], random_state=0),
                Ridge(alpha=self.params["ridge"], fit_intercept=False))

        def run(self):
            self.out = self.make().fit(self.x, self.y).predict(self.new)

    class Falkon(work):
        """numpy by hand: the algorithm of Rudi, Carratino and Rosasco (2017). Passes are float32
        in blocks, factors float64. Where only a part of the rows is read, the seconds of the
        passes are multiplied by what is missing."""

        needs = ("numpy", "scipy")
        block = 2000

        def load(self):
            part = int(self.params["part"])
            self.rows = np.load(self.folder + "/x.npy", mmap_mode="r").shape[0]
            self.x, self.y = (np.load(f"{self.folder}/{name}.npy", mmap_mode="r")[:part].astype(np.float32) for name in ("x", "y"))
            self.c, self.new = self.read("landmarks"), self.read("new")
            self.ridge = self.params["ridge"] * part / self.rows

        def kernel(self, x, c):
            d = x @ c.T
            d *= -2
            d += np.einsum("ij,ij->i", x, x)[:, None]
            d += np.einsum("ij,ij->i", c, c)[None, :]
            np.maximum(d, 0, out=d)
            d *= -self.gamma()
            return np.exp(d, out=d)

        def sweep(self, c, beta, y):
            """K'(K·beta + y) in one pass."""
            sums = np.zeros(len(c))
            for at in range(0, len(self.x), self.block):
                k = self.kernel(self.x[at : at + self.block], c)
                u = k @ beta if beta is not None else np.zeros(len(k), np.float32)
                if y is not None:
                    u += y[at : at + self.block, 0]
                sums += k.T @ u
            return sums

        def run(self):
            from scipy.linalg import cholesky, solve_triangular as divide

            begin = time.perf_counter()
            n, m = len(self.x), len(self.c)
            inner = self.kernel(self.c, self.c)
            inner[np.diag_indices(m)] += 1e-7
            t = cholesky(inner, overwrite_a=True, check_finite=False)
            mean = t @ t.T
            mean *= n / m
            mean[np.diag_indices(m)] += self.ridge
            a = cholesky(mean, overwrite_a=True, check_finite=False)
            c, prepared = self.c.astype(np.float32), time.perf_counter()

            def up(v):
                return divide(t, divide(a, v, check_finite=False), check_finite=False)

            def down(v):
                return divide(a, divide(t, v, trans=1, check_finite=False), trans=1, check_finite=False)

            def hessian(v):
                w = divide(a, v, check_finite=False)
                beta = divide(t, w, check_finite=False)
                pull = divide(t, self.sweep(c, beta.astype(np.float32), None), trans=1, check_finite=False)
                return divide(a, pull + self.ridge * w, trans=1, check_finite=False)

            r = down(self.sweep(c, None, self.y))
            v, p, rr = np.zeros(m), r.copy(), r @ r
            for _ in range(int(self.params["iterations"])):
                h = hessian(p)
                step = rr / (p @ h)
                v += step * p
                r -= step * h
                rr, last = r @ r, rr
                p = r + rr / last * p
            self.out = self.kernel(self.new, self.c) @ up(v)
            return prepared - begin + (time.perf_counter() - prepared) * self.rows / n

    class FalkonPackage(work):
        """falkon: its Falkon on processors, in float32, with the same landmarks and iterations.
        The matrix of kernel values is never stored, as it could not be for all rows. Its own
        clock says what the preconditioner takes; the rest is multiplied as above."""

        needs = ("falkon", "torch")

        def load(self):
            import torch
            from falkon import Falkon, FalkonOptions, kernels
            from falkon.center_selection import FixedSelector

            part = int(self.params["part"])
            self.rows = np.load(self.folder + "/x.npy", mmap_mode="r").shape[0]
            self.x, self.y = (torch.from_numpy(np.load(f"{self.folder}/{name}.npy", mmap_mode="r")[:part].astype(np.float32)) for name in ("x", "y"))
            c = torch.from_numpy(self.read("landmarks").astype(np.float32))
            self.new = torch.from_numpy(self.read("new").astype(np.float32))
            self.make = lambda: Falkon(
                kernel=kernels.GaussianKernel((2 * self.gamma()) ** -0.5), penalty=self.params["ridge"] / self.rows, M=len(c),
                center_selection=FixedSelector(c), maxiter=int(self.params["iterations"]), error_every=None,
                options=FalkonOptions(use_cpu=True, keops_active="no", never_store_kernel=True))

        def run(self):
            begin = time.perf_counter()
            model = self.make().fit(self.x, self.y)
            fitted = time.perf_counter() - begin
            self.out = model.predict(self.new).numpy()
            prepared = model.fit_times_[0]
            return prepared + (fitted - prepared) * self.rows / len(self.x)

    return {"scikit-learn Nystroem + Ridge": Nystroem, "numpy falkon": Falkon, "falkon package": FalkonPackage}
