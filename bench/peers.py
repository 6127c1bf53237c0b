"""The peers' side of the benchmarks: one contestant, one process.

The protocol is that of mercerbench/main.go: load the inputs from a folder, answer
{"ready": ...}; then "run" → {"seconds": ...}, "save" → {"saved": true}. Only the work
itself is inside of the clock, and the previous result is dropped before.
"""

import gc
import importlib.metadata
import json
import os
import re
import sys
import time

import numpy as np

import cluster_peers
import graph_peers
import lowrank_peers
import svm_peers


class Work:
    """What every contestant has: inputs by name, params, and one result."""

    needs = ("numpy",)

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "params.json"), encoding="utf-8") as f:
            self.params = json.load(f)
        self.out = None
        self.load()

    def load(self):
        """Read the inputs and import the library: outside of the clock."""

    def read(self, name):
        a = np.load(os.path.join(self.folder, name + ".npy"))
        return a[:, 0] if name in ("y", "v") else a

    def forget(self):
        self.out = None

    def run(self):
        raise NotImplementedError

    def save(self):
        np.save(os.path.join(self.folder, "result.npy"), np.atleast_2d(np.asarray(self.out).T).T)

    def save_sample(self):
        i, j = np.load(os.path.join(self.folder, "probes.npy")).astype(int).T
        np.save(os.path.join(self.folder, "sample.npy"), self.out[i, j][:, None])

    def gamma(self):
        """The γ of exp(−γ‖x−y‖²) in the kernel expression that mercer is given."""
        return float(re.fullmatch(r"rbf\(gamma=([^)]*)\)", self.params["kernel"]).group(1))


class Rect(Work):
    """scikit-learn: rbf_kernel(X, Z)."""

    needs = ("numpy", "scikit-learn")

    def load(self):
        from sklearn.metrics.pairwise import rbf_kernel

        self.f, self.x, self.z = rbf_kernel, self.read("x"), self.read("z")

    def run(self):
        self.out = self.f(self.x, self.z, gamma=self.gamma())

    save = Work.save_sample


class RectSingle(Rect):
    """scikit-learn: rbf_kernel(X, Z) of float32, whose result is float32."""

    def load(self):
        super().load()
        self.x, self.z = self.x.astype(np.float32), self.z.astype(np.float32)


class Symmetric(Rect):
    """scikit-learn: rbf_kernel(X)."""

    def load(self):
        from sklearn.metrics.pairwise import rbf_kernel

        self.f, self.x, self.z = rbf_kernel, self.read("x"), None


class OneDAL(Rect):
    """oneDAL: the rbf_kernel primitive of scikit-learn-intelex."""

    needs = ("numpy", "scikit-learn", "scikit-learn-intelex")

    def load(self):
        from onedal.primitives import rbf_kernel

        self.f, self.x, self.z = rbf_kernel, self.read("x"), self.read("z")


class InPlace(Work):
    """numpy by hand, every step into the same buffer: ‖x‖² + ‖y‖² − 2⟨x,y⟩, then exp."""

    def load(self):
        self.x = self.read("x")
        self.keep = np.empty((len(self.x), len(self.x)))

    def run(self):
        k, gamma = self.keep, self.gamma()
        norms = np.einsum("ij,ij->i", self.x, self.x)
        np.dot(self.x, self.x.T, out=k)
        k *= 2 * gamma
        k -= gamma * norms[:, None]
        k -= gamma * norms[None, :]
        np.exp(k, out=k)
        self.out = k

    save = Work.save_sample


class Gemm(Work):
    """numpy: dot(A, Bᵀ) into a buffer that is used again."""

    def load(self):
        self.a, self.b = self.read("x"), self.read("z")
        self.out = np.zeros((len(self.a), len(self.b)))

    def forget(self):
        pass

    def run(self):
        np.dot(self.a, self.b.T, out=self.out)

    save = Work.save_sample


class Laplacian(Rect):
    """scikit-learn: laplacian_kernel(X, Z), exp(−γ‖x−y‖₁)."""

    def load(self):
        from sklearn.metrics.pairwise import laplacian_kernel

        self.f, self.x, self.z = laplacian_kernel, self.read("x"), self.read("z")

    def gamma(self):
        return 1 / float(re.fullmatch(r"laplace1\(sigma=([^)]*)\)", self.params["kernel"]).group(1))


class NumpyProduct(Work):
    """numpy: K(X, Z)·v in blocks of 1000 rows, K never stored as a whole."""

    def load(self):
        self.x, self.z, self.v = self.read("x"), self.read("z"), self.read("v")

    def run(self):
        gamma, out = self.gamma(), np.empty(len(self.x), self.x.dtype)
        zz = gamma * np.einsum("ij,ij->i", self.z, self.z)
        scaled = 2 * gamma * self.z.T
        for start in range(0, len(self.x), 1000):
            x = self.x[start : start + 1000]
            k = x @ scaled
            k -= zz
            k -= gamma * np.einsum("ij,ij->i", x, x)[:, None]
            np.exp(k, out=k)
            out[start : start + 1000] = k @ self.v
        self.out = out


class NumpyProductSingle(NumpyProduct):
    """The same in float32."""

    def load(self):
        super().load()
        self.x, self.z, self.v = (a.astype(np.float32) for a in (self.x, self.z, self.v))


class KeOpsProduct(Work):
    """KeOps on the CPU: Σⱼ exp(−γ‖xᵢ−zⱼ‖²) vⱼ, compiled before the clock."""

    needs = ("numpy", "pykeops")
    dtype = np.float64

    def load(self):
        with quiet():
            from pykeops.numpy import Genred

            self.x, self.z, self.v = (self.read(name).astype(self.dtype) for name in ("x", "z", "v"))
            self.v = self.v[:, None]
            d, self.g = self.x.shape[1], np.array([self.gamma()], self.dtype)
            self.f = Genred(
                "Exp(-g * SqDist(x, z)) * v",
                ["g = Pm(1)", f"x = Vi({d})", f"z = Vj({d})", "v = Vj(1)"],
                reduction_op="Sum",
                axis=1,
            )
            self.f(self.g, self.x[:10], self.z[:10], self.v[:10], backend="CPU")

    def run(self):
        self.out = self.f(self.g, self.x, self.z, self.v, backend="CPU")[:, 0]


class KeOpsProductSingle(KeOpsProduct):
    """The same in float32, the width that KeOps is made for."""

    dtype = np.float32


class KernelRidge(Work):
    """scikit-learn: KernelRidge(kernel="rbf").fit."""

    needs = ("numpy", "scikit-learn")

    def load(self):
        from sklearn.kernel_ridge import KernelRidge as Model

        self.x, self.y = self.read("x"), self.read("y")
        self.make = lambda: Model(alpha=self.params["ridge"], kernel="rbf", gamma=self.gamma())

    def run(self):
        self.out = self.make().fit(self.x, self.y).dual_coef_


class OneRow(KernelRidge):
    """scikit-learn: KernelRidge.predict of one row, median of the calls."""

    def load(self):
        super().load()
        self.new = self.read("new")
        self.model = self.make()
        self.model.fit(self.x[:10], self.y[:10])
        self.model.X_fit_, self.model.dual_coef_ = self.x, self.y

    def run(self):
        self.out = np.zeros(len(self.new))
        times = np.empty(max(20, self.params["repeats"] // 10))
        for i in range(len(times)):
            row = i % len(self.new)
            start = time.perf_counter()
            y = self.model.predict(self.new[row : row + 1])
            times[i] = time.perf_counter() - start
            self.out[row] = y[0]
        return float(np.median(times))


class NumpyRow(Work):
    """numpy by hand, norms of the points known: one product, exp, dot; median of the calls."""

    def load(self):
        self.x, self.y, self.new = self.read("x"), self.read("y"), self.read("new")
        self.norms = np.einsum("ij,ij->i", self.x, self.x)

    def run(self):
        gamma, self.out = self.gamma(), np.zeros(len(self.new))
        times = np.empty(self.params["repeats"])
        for i in range(len(times)):
            row = i % len(self.new)
            x = self.new[row]
            start = time.perf_counter()
            y = np.exp(gamma * (2 * (self.x @ x) - self.norms - x @ x)) @ self.y
            times[i] = time.perf_counter() - start
            self.out[row] = y
        return float(np.median(times))


class Eigh(Work):
    """numpy: linalg.eigh, LAPACK's divide and conquer."""

    def load(self):
        self.a = self.read("a")

    def run(self):
        self.out = np.linalg.eigh(self.a)

    def save(self):
        values, vectors = self.out
        np.save(os.path.join(self.folder, "values.npy"), values[:, None])
        np.save(os.path.join(self.folder, "result.npy"), vectors)


class Components(Work):
    """scikit-learn: KernelPCA(n_components, kernel="rbf", eigen_solver="arpack", tol=1e-8).fit."""

    needs = ("numpy", "scikit-learn")
    solver = "arpack"

    def load(self):
        from sklearn.decomposition import KernelPCA

        self.x = self.read("x")
        self.make = lambda: KernelPCA(
            n_components=self.params["components"],
            kernel="rbf",
            gamma=self.gamma(),
            eigen_solver=self.solver,
            tol=1e-8,
            random_state=0,
        )

    def run(self):
        self.out = self.make().fit(self.x)

    def save(self):
        np.save(os.path.join(self.folder, "values.npy"), self.out.eigenvalues_[:, None])
        np.save(os.path.join(self.folder, "result.npy"), self.out.eigenvectors_)


class RandomComponents(Components):
    """scikit-learn: the same with eigen_solver="randomized"."""

    solver = "randomized"


class OneEigh(Work):
    """numpy: linalg.eigh of the Gram matrix alone, which is given, without any leave-one-out."""

    def load(self):
        x = self.read("x")
        norms = np.einsum("ij,ij->i", x, x)
        self.k = np.exp(-self.gamma() * (norms[:, None] + norms[None, :] - 2 * x @ x.T))

    def run(self):
        self.out = np.linalg.eigh(self.k)[0]

    def save(self):
        pass


class NumpyLOO(Work):
    """numpy by hand: Gram matrix, eigh, and the closed form for every ridge."""

    def load(self):
        self.x, self.y = self.read("x"), self.read("y")

    def run(self):
        norms = np.einsum("ij,ij->i", self.x, self.x)
        k = np.exp(-self.gamma() * (norms[:, None] + norms[None, :] - 2 * self.x @ self.x.T))
        values, u = np.linalg.eigh(k)
        z, squares, out = u.T @ self.y, u * u, []
        for ridge in self.params["ridges"]:
            inverse = 1 / (values + ridge)
            out.append(np.mean((u @ (z * inverse) / (squares @ inverse)) ** 2))
        self.out = np.array(out)


class GridSearch(Work):
    """scikit-learn: GridSearchCV over the ridges, five folds (not the same criterion)."""

    needs = ("numpy", "scikit-learn")

    def load(self):
        from sklearn.kernel_ridge import KernelRidge as Model
        from sklearn.model_selection import GridSearchCV

        self.x, self.y = self.read("x"), self.read("y")
        self.make = lambda: GridSearchCV(
            Model(kernel="rbf", gamma=self.gamma()),
            {"alpha": self.params["ridges"]},
            cv=5,
            scoring="neg_mean_squared_error",
            refit=False,
        )

    def run(self):
        self.out = -self.make().fit(self.x, self.y).cv_results_["mean_test_score"]


class Table(Work):
    """scikit-learn end to end: read, standardise, fit, read the test file, predict."""

    needs = ("numpy", "scikit-learn")

    def load(self):
        from sklearn.kernel_ridge import KernelRidge as Model
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        self.make = lambda: make_pipeline(
            StandardScaler(), Model(alpha=self.params["ridge"], kernel="rbf", gamma=self.gamma())
        )

    def run(self):
        train = np.loadtxt(os.path.join(self.folder, "train.csv"), delimiter=",", skiprows=1)
        model = self.make().fit(train[:, :-1], train[:, -1])
        test = np.loadtxt(os.path.join(self.folder, "test.csv"), delimiter=",", skiprows=1)
        self.out = model.predict(test[:, :-1])


class quiet:
    """Sends what a library prints to standard error: standard output is the protocol."""

    def __enter__(self):
        sys.stdout.flush()
        self.kept = os.dup(1)
        os.dup2(2, 1)

    def __exit__(self, *_):
        sys.stdout.flush()
        os.dup2(self.kept, 1)
        os.close(self.kept)


CONTESTANTS = {
    "scikit-learn rbf_kernel(X, Z)": Rect,
    "scikit-learn rbf_kernel(X, Z) f32": RectSingle,
    "scikit-learn rbf_kernel(X)": Symmetric,
    "oneDAL rbf_kernel(X, Z)": OneDAL,
    "numpy in place": InPlace,
    "numpy dot": Gemm,
    "scikit-learn laplacian_kernel": Laplacian,
    "numpy blocks": NumpyProduct,
    "numpy blocks f32": NumpyProductSingle,
    "KeOps": KeOpsProduct,
    "KeOps f32": KeOpsProductSingle,
    "scikit-learn KernelRidge": KernelRidge,
    "scikit-learn predict": OneRow,
    "numpy predict": NumpyRow,
    "numpy eigh": Eigh,
    "scikit-learn KernelPCA arpack": Components,
    "scikit-learn KernelPCA randomized": RandomComponents,
    "numpy eigh of K alone": OneEigh,
    "numpy LOO": NumpyLOO,
    "scikit-learn 5-fold grid": GridSearch,
    "scikit-learn end to end": Table,
    **cluster_peers.contestants(Work),
    **graph_peers.contestants(Work),
    **lowrank_peers.contestants(Work),
    **svm_peers.contestants(Work),
}


def versions(needs):
    return {name: importlib.metadata.version(name) for name in needs}


def main():
    kind = CONTESTANTS[sys.argv[1]]
    known = versions(kind.needs)
    work = kind(sys.argv[2])
    print(json.dumps({"ready": known}), flush=True)
    for line in sys.stdin:
        if line.strip() == "run":
            work.forget()
            gc.collect()
            start = time.perf_counter()
            seconds = work.run()
            if seconds is None:
                seconds = time.perf_counter() - start
            print(json.dumps({"seconds": seconds}), flush=True)
        else:
            work.save()
            print(json.dumps({"saved": True}), flush=True)


if __name__ == "__main__":
    main()
