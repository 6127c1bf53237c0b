#!/usr/bin/env python3
"""Compares stacked models with means of kernels, for ADR 48; see bench/README.md.

Exact kernel ridge regressions with five families of kernels, each with the width and λ of the least
leave-one-out error. Then, by the same error, the best of: a family alone, the mean of the best two or
three kernels (what `mercer auto` does), or also sums of kernels with the weights of the stacked model. Beside
them stand stacked models: non-negative weights of the five functions by non-negative least squares on
their leave-one-out values, free or with the sum 1.
Numbers are held-out errors over three folds of five.
"""

import argparse
import sys

sys.dont_write_bytecode = True

import numpy as np  # noqa: E402
from scipy.optimize import nnls  # noqa: E402
from scipy.spatial.distance import cdist  # noqa: E402

from table_rows import TABLES  # noqa: E402
from tables import folds  # noqa: E402

FAMILIES = {
    "rbf": ("euclidean", lambda r: np.exp(-r * r / 2)),
    "laplace": ("euclidean", lambda r: np.exp(-r)),
    "matern52": ("euclidean", lambda r: (1 + np.sqrt(5) * r + 5 * r * r / 3) * np.exp(-np.sqrt(5) * r)),
    "laplace1": ("cityblock", lambda r: np.exp(-r)),
    "laplacepq": (1.4, lambda r: np.exp(-r)),
}
WIDTHS = [0.25, 0.5, 1, 2, 4, 8, 16]
RIDGES = 10.0 ** np.arange(-6, 2.5, 0.5)
FOLDS = 3


def distances(kind, a, b):
    return cdist(a, b, "minkowski", p=kind) if isinstance(kind, float) else cdist(a, b, kind)


def leave_one_out(k, y):
    """The ridge with the least error, its leave-one-out values and its coefficients; y is centred."""
    values, vectors = np.linalg.eigh(k)
    best = None
    for ridge in RIDGES:
        inverse = 1 / (np.maximum(values, 0) + ridge)
        coef = vectors @ (inverse[:, None] * (vectors.T @ y))
        out = coef / ((vectors ** 2) @ inverse)[:, None]
        error = np.mean(out ** 2)
        if best is None or error < best[0]:
            best = error, y - out, coef, ridge
    return best


def simplex(a, b):
    """Non-negative least squares with weights of the sum 1, by a heavy row."""
    heavy = 1e4 * np.sqrt(np.mean(a ** 2) * len(a))
    return nnls(np.vstack([a, heavy * np.ones(a.shape[1])]), np.append(b, heavy))[0]


def coded(table):
    if not table.labels:
        return table.y[:, None].astype(float)
    return np.where(table.y[:, None] == np.unique(table.y)[None, :], 1.0, -1.0)


def fold(table, train, test):
    x = np.nan_to_num(table.x.astype(float), nan=0)
    mean, spread = x[train].mean(0), x[train].std(0)
    x = (x - mean) / np.where(spread > 0, spread, 1)
    y = coded(table)
    centre = y[train].mean(0)
    found = []
    for kind, profile in FAMILIES.values():
        inner, cross = distances(kind, x[train], x[train]), distances(kind, x[test], x[train])
        median = np.median(inner)
        one = min(((*leave_one_out(profile(inner / (median * w)), y[train] - centre), w) for w in WIDTHS), key=lambda f: f[0])
        width = median * one[4]
        found.append((one[0], one[1], one[2], profile(inner / width), profile(cross / width), one[3]))
    found.sort(key=lambda f: f[0])
    candidates = [(found[0][0], found[0][4] @ found[0][2])]
    for count in (2, 3):
        k, c = (sum(f[at] for f in found[:count]) / count for at in (3, 4))
        error, _, coef, _ = leave_one_out(k, y[train] - centre)
        candidates.append((error, c @ coef))
    values = np.stack([f[1].ravel() for f in found], 1)
    apart = np.stack([f[4] @ f[2] for f in found], 2)
    goal = (y[train] - centre).ravel()
    free = nnls(values, goal)[0]
    weighted = list(candidates)
    for scale in (free, free / [f[5] for f in found]):  # of the functions, and of what the noise leaves of them
        k, c = (sum(w * f[at] for w, f in zip(scale / scale.sum(), found)) for at in (3, 4))
        error, _, coef, _ = leave_one_out(k, y[train] - centre)
        weighted.append((error, c @ coef))
    outputs = {"single": candidates[0][1], "kernels": min(candidates, key=lambda c: c[0])[1], "weighted kernels": min(weighted, key=lambda c: c[0])[1], "stacked": apart @ free, "stacked, sum 1": apart @ simplex(values, goal)}
    out = {}
    for name, f in outputs.items():
        f = f + centre
        out[name] = np.mean(f.argmax(1) != y[test].argmax(1)) if table.labels else np.sqrt(np.mean((f - y[test]) ** 2))
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--only", default="yacht,boston,energy,concrete,diabetes,mcycle,faithful,wine,wdbc,wisconsin,heart,airfoil")
    p.add_argument("--rows", type=int, default=1200, help="rows of a table at most, the first of a random order")
    o = p.parse_args()
    print("table", "single", "kernels", "weighted kernels", "stacked", "stacked, sum 1", sep=" | ")
    for name in o.only.split(","):
        table = TABLES[name]()
        if len(table.y) > o.rows:
            some = np.sort(np.random.default_rng(0).permutation(len(table.y))[:o.rows])
            table.x, table.y = table.x[some], table.y[some]
        runs = [fold(table, *rows) for rows in folds(table)[:FOLDS]]
        print(name, *(f"{np.mean([r[k] for r in runs]):.4g}" for k in runs[0]), sep=" | ", flush=True)


if __name__ == "__main__":
    main()
