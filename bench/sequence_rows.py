"""Rows of the benchmark on sequences; see rows.py."""

from math import comb

import numpy as np


def sequences(full, Row, load, store, probes):
    return [spectrum("8", 1000, Row, load, store, probes, pairs=[("mercer spectrum", "kernlab spectrum")], rounds=2,
                     notes={"kernlab spectrum": "counts the end of a sequence as a symbol, so that 1942 of the 10⁶ elements are 1 larger, the diagonal among them: that is taken off before the comparison"}),
            spectrum("8 10k", 10000 if full else 3000, Row, load, store, probes, pairs=[], alone=["mercer spectrum"],
                     notes={"kernlab": "would take (10000/1000)² times as long as in row 8, half an hour"}),
            peaks(full, Row, load, store)]


def spectrum(key, n, Row, load, store, probes, **more):
    k, length = 6, 200

    def prepare(folder):
        x = np.random.default_rng(8).integers(0, 4, (n, length)).astype(float)
        store(folder, {"k": k}, x=x, probes=probes(n, n))

    def judge(folder):
        x = load(folder, "x").astype(int)
        codes = sum(x[:, i : length - k + 1 + i] * 4**i for i in range(k))
        counts = np.stack([np.bincount(row, minlength=4**k) for row in codes])
        i, j = load(folder, "probes").astype(int).T
        return float(np.max(np.abs(load(folder, "sample")[:, 0] - (counts[i] * counts[j]).sum(1))))

    return Row(key, f"spectrum kernel of words of {k}, Gram matrix of {n} DNA sequences of {length}", "largest difference of sampled elements from counts of words",
               prepare, judge, **more)


def words(x, l):
    """The words of both strands, two bits to a letter."""
    both = [x, 3 - x[::-1]]
    return np.concatenate([sum(s[i : len(s) - l + 1 + i] << 2 * i for i in range(l)) for s in both])


def peaks(full, Row, load, store):
    """gkm-SVM on as many sequences of the same length as its authors' NFE2 peaks, with a
    motif planted in half of them. LS-GKM is in no registry of packages: its time is quoted."""
    l, k, d, n, length = 11, 7, 3, 1288 if full else 200, 236
    checked = 3

    def prepare(folder):
        rng = np.random.default_rng(80)
        x, y = rng.integers(0, 4, (n, length)), np.arange(n) % 2
        motif = rng.integers(0, 4, 10)
        for row in np.flatnonzero(y):
            at = rng.integers(0, length - 10)
            x[row, at : at + 10] = np.where(rng.random(10) < 0.9, motif, x[row, at : at + 10])
        store(folder, {"c": 1.0, "k": checked},
              x=x.astype(float), y=y[:, None].astype(float))

    def judge(folder):
        h = np.array([comb(l - i, k) if i <= d else 0 for i in range(l + 1)], float)
        low = int("01" * l, 2)
        x = load(folder, "x").astype(np.int64)
        w = [words(row, l) for row in x]

        def kernel(u, v):
            apart = u[:, None] ^ v[None, :]
            apart = (apart | apart >> 1) & low
            return h[np.bitwise_count(apart)].sum()

        norm = np.array([kernel(u, u) for u in w]) ** 0.5
        coef, values = load(folder, "result")[:, 0], load(folder, "values")
        f = [values[-1, 0] + sum(coef[j] * kernel(w[i], w[j]) / norm[i] / norm[j] for j in np.flatnonzero(coef)) for i in range(checked)]
        return float(np.max(np.abs(values[:checked, 0] - f)))

    return Row("8b", f"train an SVM with the gapped k-mer kernel l={l}, k={k}, d={d} of both strands, {n} sequences of {length}",
               f"largest difference of {checked} decision values from sums over all pairs of words", prepare, judge, [], alone=["mercer gapped words"],
               notes={"LS-GKM": "took 48.4 s for the 1288 NFE2 sequences on two cores of another processor: quoted, not measured in this run"})
