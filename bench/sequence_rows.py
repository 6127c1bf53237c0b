"""Rows of the benchmark on sequences; see rows.py."""

import numpy as np


def sequences(full, Row, load, store, probes):
    out = []
    for key, n, peers in [("8", 1000, ["kernlab spectrum"])]:
        k, length = 6, 200

        def prepare(folder, n=n):
            x = np.random.default_rng(8).integers(0, 4, (n, length)).astype(float)
            store(folder, {"k": k}, x=x, probes=probes(n, n))

        def judge(folder):
            x = load(folder, "x").astype(int)
            codes = sum(x[:, i : length - k + 1 + i] * 4**i for i in range(k))
            counts = np.stack([np.bincount(row, minlength=4**k) for row in codes])
            i, j = load(folder, "probes").astype(int).T
            return float(np.max(np.abs(load(folder, "sample")[:, 0] - (counts[i] * counts[j]).sum(1))))

        out.append(Row(key, f"spectrum kernel of words of {k}, Gram matrix of {n} DNA sequences of {length}", "largest difference of sampled elements from counts of words",
                       prepare, judge, [("mercer spectrum", p) for p in peers], rounds=2,
                       notes={"kernlab spectrum": "counts the end of a sequence as a symbol, so that 1942 of the 10⁶ elements are 1 larger, the diagonal among them: that is taken off before the comparison"}))
    return out
