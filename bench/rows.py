"""The rows of the benchmark: inputs, who competes, and how results are judged.

A row is a function of the scale that returns a Row. Its judge is a third party: it
looks at what a contestant saved and returns the error that stands beside the time,
computed the same way for every side.
"""

import csv
import gzip
import json
import os
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

import cluster_rows
import graph_rows
import lowrank_rows
import sequence_rows
import svm_rows

PROBES = 2000


@dataclass
class Row:
    key: str
    work: str  # what is done, in words with the sizes
    judged: str  # what the judge's number is
    prepare: Callable  # (folder) → None: writes inputs and params.json
    judge: Callable  # (folder) → float
    pairs: list  # (mercer's contestant, the peer's)
    memory: str = ""  # what the peak is compared with, where the row is about memory
    floor: int = 0  # bytes of one full n×n matrix, for such a row
    notes: dict = field(default_factory=dict)
    rounds: int = 0  # where a contestant takes minutes; 0: as many as fit in the budget, 3 to 9
    cold: bool = False  # the first round counts: minutes of work do not notice the first touch of memory
    alone: list = field(default_factory=list)  # of mercer, which no peer stands against

    def contestants(self):
        order = list(self.alone)
        for pair in self.pairs:
            order += [name for name in pair if name not in order]
        return order


def load(folder, name):
    return np.load(os.path.join(folder, name + ".npy"))


def store(folder, params, **arrays):
    for name, a in arrays.items():
        np.save(os.path.join(folder, name + ".npy"), a)
    with open(os.path.join(folder, "params.json"), "w", encoding="utf-8") as f:
        json.dump(params, f)


def normal(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def probes(n, m):
    rng = np.random.default_rng(7)
    return np.stack([rng.integers(0, n, PROBES), rng.integers(0, m, PROBES)], axis=1).astype(float)


def sampled(folder, exact):
    """Largest relative error of the sampled elements; exact works in long double."""
    i, j = load(folder, "probes").astype(int).T
    want = exact(load(folder, "x")[i].astype(np.longdouble), load(folder, "z")[j].astype(np.longdouble))
    got = load(folder, "sample")[:, 0]
    return float(np.max(np.abs(got - want) / np.maximum(np.abs(want), np.finfo(float).tiny)))


def rbf_blocks(x, z, gamma, block=1000):
    """Rows of exp(−γ‖x−z‖²) by the block, in float64."""
    zz = np.einsum("ij,ij->i", z, z)
    for start in range(0, len(x), block):
        b = x[start : start + block]
        d = np.einsum("ij,ij->i", b, b)[:, None] + zz[None, :] - 2 * b @ z.T
        yield slice(start, start + block), np.exp(-gamma * np.maximum(d, 0))


def targets(x, seed):
    w = normal(seed, x.shape[1]) / np.sqrt(x.shape[1])
    return (np.sin(2 * x @ w) + 0.1 * normal(seed + 1, len(x)))[:, None]


def gram(full):
    n, d = (20000, 100) if full else (6000, 100)
    gamma = 1 / (2 * d)
    kernel = {"kernel": f"rbf(gamma={gamma!r})"}

    def rect(folder):
        store(folder, kernel, x=normal(1, n, d), z=normal(2, n, d), probes=probes(n, n))

    def square(folder):
        x = normal(1, n, d)
        store(folder, kernel, x=x, z=x, probes=probes(n, n))

    def judge(folder):
        return sampled(folder, lambda x, z: np.exp(-np.longdouble(gamma) * ((x - z) ** 2).sum(1)))

    judged = f"largest relative error of {PROBES} elements"
    return [
        Row("1", f"RBF Gram k(X, Z), {n}×{n}, d={d}, every element computed and written to fresh memory", judged, rect, judge,
            [("mercer", "scikit-learn rbf_kernel(X, Z)"), ("mercer", "oneDAL rbf_kernel(X, Z)")]),
        Row("1 f32", f"RBF Gram k(X, Z), {n}×{n}, d={d}, in float32 into fresh memory", judged, rect, judge,
            [("mercer f32", "scikit-learn rbf_kernel(X, Z) f32")]),
        Row("1s", f"RBF Gram k(X, X), {n}², d={d}, fresh memory; mercer stores a symmetric matrix, the peer a full one", judged, square, judge,
            [("mercer symmetric", "scikit-learn rbf_kernel(X)")]),
        Row("1r", f"RBF Gram k(X, X), {n}², d={d}, into a buffer that is used again", judged, square, judge,
            [("mercer in place", "numpy in place")]),
    ]


def gemm(full):
    m, n, k = (10000, 20000, 100) if full else (4000, 4000, 100)

    def prepare(folder):
        store(folder, {}, x=normal(1, m, k), z=normal(2, n, k), probes=probes(m, n))

    def judge(folder):
        # Against Σ|aᵢbᵢ|, the scale of the rounding: a product may be near zero.
        i, j = load(folder, "probes").astype(int).T
        a, b = load(folder, "x")[i].astype(np.longdouble), load(folder, "z")[j].astype(np.longdouble)
        return float(np.max(np.abs(load(folder, "sample")[:, 0] - (a * b).sum(1)) / np.abs(a * b).sum(1)))

    return [Row("1c", f"gemm A·Bᵀ, {m}×{n}×{k}, into a buffer that is used again", f"largest error of {PROBES} elements against Σ|aᵢbᵢ|", prepare, judge,
                [("mercer gemm", "numpy dot"), ("mercer gemm", "gonum gemm")])]


def laplace1(full):
    m, n, d = (2000, 20000, 100) if full else (2000, 4000, 100)
    sigma = float(d)

    def prepare(folder):
        store(folder, {"kernel": f"laplace1(sigma={sigma!r})"}, x=normal(1, m, d), z=normal(2, n, d), probes=probes(m, n))

    def judge(folder):
        return sampled(folder, lambda x, z: np.exp(-np.abs(x - z).sum(1) / np.longdouble(sigma)))

    return [Row("1d", f"laplace1 (ℓ₁) k(X, Z), {m}×{n}, d={d}", f"largest relative error of {PROBES} elements", prepare, judge,
                [("mercer", "scikit-learn laplacian_kernel")])]


def ridge(full):
    n, d = (20000, 100) if full else (4000, 100)
    gamma, alpha = 1 / (2 * d), 0.1

    def prepare(folder):
        x = normal(1, n, d)
        store(folder, {"kernel": f"rbf(gamma={gamma!r})", "ridge": alpha}, x=x, y=targets(x, 3))

    def judge(folder):
        x, y, a = load(folder, "x"), load(folder, "y"), load(folder, "result")
        r = y - alpha * a
        for rows, k in rbf_blocks(x, x, gamma):
            r[rows] -= k @ a
        return float(np.linalg.norm(r) / np.linalg.norm(y))

    judged = "relative residual ‖(K+RI)α−y‖/‖y‖"
    peer = "scikit-learn KernelRidge"
    return [
        Row("2", f"exact kernel ridge regression from the points on, n={n}, d={d}", judged, prepare, judge,
            [("mercer packed", peer), ("mercer single", peer), ("mercer cg single", peer), ("mercer cg", peer), ("mercer cholesky", peer)],
            rounds=2 if full else 0),
        Row("2d", f"peak memory of one such fit, n={n}", judged, prepare, judge,
            [("mercer packed", peer), ("mercer single", peer), ("mercer cholesky", peer)], memory="8n²", floor=8 * n * n),
    ]


def product(full):
    rows = []
    for d in (3, 18, 100):
        n = 20000 if full else 10000
        gamma = 1 / (2 * d)

        def prepare(folder, n=n, d=d, gamma=gamma):
            store(folder, {"kernel": f"rbf(gamma={gamma!r})"}, x=normal(1, n, d), z=normal(2, n, d), v=normal(3, n, 1))

        def judge(folder, gamma=gamma):
            x, z, v = load(folder, "x")[:200].astype(np.longdouble), load(folder, "z").astype(np.longdouble), load(folder, "v")[:, 0]
            k = np.stack([np.exp(-np.longdouble(gamma) * ((row - z) ** 2).sum(1)) for row in x])
            return float(np.max(np.abs(load(folder, "result")[:200, 0] - k @ v) / (k @ np.abs(v))))

        for width, tag in (("float64", ""), ("float32", " f32")):
            rows.append(Row(f"3{tag} d={d}", f"k(X, Z)·v without storing the matrix, {n}×{n}, d={d}, {width}",
                            "largest error of 200 rows against K|v|", prepare, judge,
                            [("mercer product" + tag, "numpy blocks" + tag), ("mercer product" + tag, "KeOps" + tag)]))
    return rows


def eigh(full):
    rows = []
    for n in (1000, 2000, 4000) if full else (1000, 2000):
        def prepare(folder, n=n):
            x = normal(1, n, 20)
            s = (x**2).sum(1)
            k = np.exp(-(s[:, None] + s[None, :] - 2 * x @ x.T) / 40)
            store(folder, {}, a=(k + k.T) / 2)

        def judge(folder):
            a, v, w = load(folder, "a"), load(folder, "result"), load(folder, "values")[:, 0]
            residual = np.linalg.norm(a @ v - v * w) / np.linalg.norm(a)
            return float(max(residual, np.linalg.norm(v.T @ v - np.eye(len(a))) / np.sqrt(len(a))))

        rows.append(Row(f"eigh n={n}", f"full symmetric eigenproblem with vectors, n={n}, an RBF Gram matrix",
                        "larger of ‖AV−VΛ‖/‖A‖ and ‖VᵀV−I‖/√n", prepare, judge,
                        [("mercer eigh", "numpy eigh")] + ([("mercer eigh", "gonum eigh")] if n == 1000 else [])))
    return rows


def components(full):
    rows = []
    arpack, randomized = "scikit-learn KernelPCA arpack", "scikit-learn KernelPCA randomized"
    sizes = [("5", 20000 if full else 4000, 50, [arpack, randomized]), ("5k", 2000, 20, ["kernlab kpca"])]
    for key, n, count, peers in sizes:
        d = 100
        gamma = 1 / (2 * d)

        def prepare(folder, n=n, count=count):
            store(folder, {"kernel": f"rbf(gamma={gamma!r})", "components": count}, x=normal(1, n, d))

        def judge(folder, n=n):
            # With y = v − mean(v), the centred matrix times v is K·y − (m·y)·1, m = K·1/n.
            x, v, w = load(folder, "x"), load(folder, "result"), load(folder, "values")[:, 0]
            y = np.hstack([v - v.mean(0), np.full((n, 1), 1 / n)])
            product = np.vstack([k @ y for _, k in rbf_blocks(x, x, gamma)])
            residual = product[:, :-1] - product[:, -1] @ y[:, :-1] - v * w
            return float(np.linalg.norm(residual, axis=0).max() / w.max())

        rows.append(Row(key, f"kernel PCA from the points on, {count} components, rbf, n={n}, d={d}",
                        "largest ‖K_c v − λv‖/λ₁ of a component", prepare, judge,
                        [(ours, p) for ours in ("mercer kpca", "mercer kpca f32") for p in peers],
                        rounds=2 if full and n > 2000 else 0,
                        notes={"scikit-learn KernelPCA randomized": "takes no tolerance: its residual says what it left undone"} if key == "5" else {}))
    return rows


def loo(full):
    n, count, d = (4000, 50, 20) if full else (1000, 10, 20)
    gamma, ridges = 1 / (2 * d), [float(r) for r in np.logspace(-4, 2, count)]

    def prepare(folder):
        x = normal(1, n, d)
        store(folder, {"kernel": f"rbf(gamma={gamma!r})", "ridges": ridges}, x=x, y=targets(x, 3))

    def judge(folder):
        path = os.path.join(folder, "result.npy")
        if not os.path.exists(path):
            return None
        x, y, got = load(folder, "x"), load(folder, "y")[:, 0], load(folder, "result")[:, 0]
        k = np.vstack([b for _, b in rbf_blocks(x, x, gamma)])
        worst = 0.0
        for i in (0, count // 2, count - 1):
            c = np.linalg.inv(k + ridges[i] * np.eye(n))
            want = np.mean((c @ y / np.diag(c)) ** 2)
            worst = max(worst, abs(got[i] - want) / want)
        return float(worst)

    return [Row("13", f"leave-one-out error for {count} values of λ from the points on, n={n}, d={d}",
                "relative difference from the mean squared LOO error by inverses, at 3 ridges", prepare, judge,
                [("mercer loo", "numpy eigh of K alone"), ("mercer loo", "numpy LOO")],
                notes={"numpy eigh of K alone": "does a part of the work: K is given and no error is computed"}),
            Row("13 grid", f"the same beside a grid search with five folds, n={n}, {count} values of λ",
                "relative difference from the mean squared LOO error by inverses, at 3 ridges", prepare, judge,
                [("mercer loo", "scikit-learn 5-fold grid")], rounds=1 if full else 0,
                notes={"scikit-learn 5-fold grid": "another criterion: its number says how far five folds are from leave-one-out"})]


def one_row(_):
    n, d, new = 10000, 100, 50
    gamma = 1 / (2 * d)

    def prepare(folder):
        store(folder, {"kernel": f"rbf(gamma={gamma!r})", "ridge": 1.0, "repeats": 500},
              x=normal(1, n, d), y=normal(3, n, 1), new=normal(4, new, d))

    def judge(folder):
        x, y, rows = load(folder, "x"), load(folder, "y"), load(folder, "new").astype(np.longdouble)
        got, worst = load(folder, "result")[:, 0], 0.0
        for i in range(20):
            k = np.exp(-np.longdouble(gamma) * ((rows[i] - x) ** 2).sum(1))
            worst = max(worst, abs(got[i] - k @ y[:, 0]) / (k @ np.abs(y[:, 0])))
        return float(worst)

    return [Row("14", f"prediction of one row, median of the calls, {n} points, d={d}", "largest error of 20 rows against Σ|αᵢ|kᵢ", prepare, judge,
                [("mercer one row", "scikit-learn predict"), ("mercer one row", "numpy predict")])]


def housing(path, full):
    """A table of numbers, the last column the target; every fifth row is for testing."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", newline="") as f:
        lines = [r for r in csv.reader(f) if r]
    try:
        [float(v) for v in lines[0]]
    except ValueError:
        lines = lines[1:]
    a = np.array(lines, dtype=float)
    a = a[np.random.default_rng(5).permutation(len(a))]
    if not full:
        a = a[:5000]
    test = np.arange(len(a)) % 5 == 0
    a[:, -1] -= a[~test, -1].mean()
    n, d = int((~test).sum()), a.shape[1] - 1
    name = os.path.basename(path).split(".")[0]
    header = ",".join([f"x{i}" for i in range(d)] + ["y"])

    def prepare(folder):
        store(folder, {"kernel": "rbf(gamma=0.25)", "ridge": 0.1})
        for part, rows in (("train", ~test), ("test", test)):
            np.savetxt(os.path.join(folder, part + ".csv"), a[rows], delimiter=",", header=header, comments="", fmt="%.17g")

    def judge(folder):
        return float(np.sqrt(np.mean((load(folder, "result")[:, 0] - a[test, -1]) ** 2)) / a[test, -1].std())

    return [Row("L", f"{name} end to end: read CSV, standardise, fit n={n} d={d}, predict {int(test.sum())} rows", "RMSE on the test rows / standard deviation",
                prepare, judge, [("mercer end to end", "scikit-learn end to end"), ("mercer end to end f32", "scikit-learn end to end"),
                               ("mercer end to end cg", "scikit-learn end to end")],
                rounds=2 if full else 0)]


def rows(scale, data):
    full = scale == "full"
    out = []
    for make in (gram, gemm, laplace1, ridge, product, eigh, components, loo, one_row):
        out += make(full)
    if data:
        out += housing(data, full)
    out += cluster_rows.clusters(full, Row, load, store, rbf_blocks)
    out += sequence_rows.sequences(full, Row, load, store, probes)
    out += svm_rows.machines(full, Row, load, store, rbf_blocks)
    out += graph_rows.graphs(full, Row, load, store)
    out += lowrank_rows.lowrank(full, Row, load, store, rbf_blocks)
    return out
