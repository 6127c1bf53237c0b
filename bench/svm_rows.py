"""The rows of the benchmark about support vector machines: 4 and 4c train, 4e predicts.

They use public sets (a9a, MNIST, covertype) from the folder of shared data beside the
project or $MERCER_DATA; a stand-in of the same shape takes the place of one that is
absent, and the row says so.
"""

import gzip
import os
import struct

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def public(name):
    root = os.environ.get("MERCER_DATA") or os.path.join(HERE, "..", "..", "shared", "data")
    path = os.path.join(root, *name.split("/"))
    return path if os.path.exists(path) else None


def adult(name, n):
    """n rows of a9a: 123 binary columns, of which 14 are 1."""
    path = public(f"libsvm/{name}.gz")
    if path is None:
        rng = np.random.default_rng(17)
        x = np.zeros((n, 123))
        for row in x:
            row[rng.choice(123, 14, replace=False)] = 1
        return x, (x @ rng.standard_normal(123) + rng.standard_normal(n) > 1).astype(float), "a stand-in for a9a"
    x, y = np.zeros((n, 123)), np.zeros(n)
    with gzip.open(path, "rt") as f:
        for i, line in zip(range(n), f):
            label, *entries = line.split()
            y[i] = float(label) > 0
            x[i, [int(e.split(":")[0]) - 1 for e in entries]] = 1
    return x, y, name


def digits(part, n):
    """n images of MNIST, pixels in [0, 1]."""
    images, labels = public(f"images/mnist-{part}-images-idx3-ubyte.gz"), public(f"images/mnist-{part}-labels-idx1-ubyte.gz")
    if images is None or labels is None:
        rng = np.random.default_rng(18)
        centre = (rng.random((10, 784)) < 0.2) * rng.random((10, 784))
        y = np.random.default_rng(len(part) + n).integers(0, 10, n)
        return np.clip(centre[y] + 0.3 * rng.standard_normal((n, 784)) * (centre[y] > 0), 0, 1), y.astype(float), "a stand-in for MNIST"
    with gzip.open(images) as f:
        struct.unpack(">4i", f.read(16))
        x = np.frombuffer(f.read(n * 784), dtype=np.uint8).reshape(n, 784) / 255.0
    with gzip.open(labels) as f:
        f.read(8)
        y = np.frombuffer(f.read(n), dtype=np.uint8).astype(float)
    return x, y, "MNIST"


def cover(n):
    """n rows of covertype, standardised; lodgepole pine against the rest."""
    path = public("csv/covtype.20k.data.gz")
    if path is None:
        rng = np.random.default_rng(19)
        x = rng.standard_normal((n, 54))
        return x, (np.sin(x[:, :3]).sum(1) + 0.5 * rng.standard_normal(n) > 0).astype(float), "a stand-in for covertype"
    with gzip.open(path, "rt") as f:
        a = np.loadtxt(f, delimiter=",")[:n]
    x, y = a[:, :54], (a[:, 54] == 2).astype(float)
    deviation = x.std(0)
    return (x - x.mean(0)) / np.where(deviation > 0, deviation, 1), y, "covertype"


def sets(full):
    """(key, key of predicting, what, C, γ, the training rows, the rows to predict)"""
    n, m, k, large = (16281, 20000, 10000, 60000) if full else (3000, 3000, 1500, 3000)
    yield "4 C=1", "4e a9a", "a9a.t", 1, 0.05, lambda: adult("a9a.t", n), lambda: adult("a9a", n)
    yield "4 C=100", None, "a9a.t", 100, 0.5, lambda: adult("a9a.t", n), None
    yield "4c 54", "4e 54", "dense", 1, 1 / 54, lambda: cover(m), lambda: cover(m)
    yield "4c 784", "4e 784", "10 classes", 10, 0.02, lambda: digits("train", k), lambda: digits("t10k", k)
    yield "4m", None, "10 classes, all of them; no matrix of this size fits", 10, 0.02, lambda: digits("train", large), None


def gap(x, y, coef, bias, c, gamma, blocks):
    """The largest duality gap of a machine relative to its dual objective, in float64."""
    f = np.empty((len(x), coef.shape[1]))
    for rows, k in blocks(x, x, gamma):
        f[rows] = k @ coef
    classes = np.unique(y)
    pairs = [(1.0, 0.0)] if len(classes) == 2 else [(a, b) for i, a in enumerate(classes) for b in classes[i + 1 :]]
    worst = 0.0
    for j, (positive, negative) in enumerate(pairs):
        rows = (y == positive) | (y == negative)
        sign = np.where(y[rows] == positive, 1.0, -1.0)
        a, values = coef[rows, j], f[rows, j]
        norm = a @ values
        primal = 0.5 * norm + c * np.maximum(0, 1 - sign * (values + bias[j])).sum()
        dual = np.abs(a).sum() - 0.5 * norm
        worst = max(worst, (primal - dual) / dual)
    return float(worst)


def machines(full, row, load, store, blocks):
    """The rows; what they are made of comes from rows.py."""
    out = []
    for key, predicting, what, c, gamma, train, test in sets(full):
        x, y, name = train()
        params = {"kernel": f"rbf(gamma={gamma!r})", "c": c}
        size = f"{name}, n={len(x)}, d={x.shape[1]}, C={c}, γ={gamma:.4g}"

        def prepare(folder, x=x, y=y, params=params):
            store(folder, params, x=x, y=y[:, None])

        def judge(folder, c=c, gamma=gamma):
            return gap(load(folder, "x"), load(folder, "y")[:, 0], load(folder, "result"), load(folder, "bias")[:, 0], c, gamma, blocks)

        peers = ["LIBSVM one thread", "scikit-learn SVC", "oneDAL SVC"]
        judged = "largest duality gap / dual objective, recomputed in float64"
        if key == "4m":
            pairs = [("mercer svc", "scikit-learn SVC")]
            out.append(row("4m memory", f"peak memory of training, {size}; scikit-learn's rows in a cache of 1 GB", judged, prepare, judge, pairs, memory="the points", floor=x.nbytes))
        else:
            pairs = [("mercer svc", p) for p in [*peers, "ThunderSVM SVC"]]
        out.append(row(key, f"train an SVM ({what}), {size}, tolerance 1e-3", judged, prepare, judge, pairs, rounds=2 if full else 0))
        if predicting is None:
            continue
        z, truth, other = test()

        def prepare_both(folder, x=x, y=y, z=z, params=params):
            store(folder, params, x=x, y=y[:, None], z=z)

        def wrong(folder, truth=truth):
            return float(np.mean(load(folder, "result")[:, 0] != truth))

        out.append(row(predicting, f"label {len(z)} rows of {other} with the SVM of {size}", "share of wrong labels", prepare_both, wrong,
                       [(ours, p + " predict") for ours in ("mercer svc predict", "mercer svc predict f32") for p in peers], rounds=2 if full else 0))
    return out
