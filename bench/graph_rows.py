"""Row 9 of the benchmark: Gram matrices of kernels between graphs."""

import collections
import gzip

import numpy as np

from svm_rows import public

PROBES = 300


def molecules(n):
    """The first n graphs of NCI1, or random ones of its size: (graph, label) of every node, the edges once."""
    if public("graphs/NCI1/NCI1_A.txt.gz") is None:
        return sparse(n, 30, 2.2)
    def read(name, **how):
        path = public(f"graphs/NCI1/NCI1_{name}")
        with (gzip.open(path, "rt") if path.endswith(".gz") else open(path, encoding="utf-8")) as f:
            return np.loadtxt(f, dtype=int, **how)
    graph = read("graph_indicator.txt.gz") - 1
    edges = read("A.txt.gz", delimiter=",") - 1
    keep = graph < n
    edges = edges[(edges[:, 0] < edges[:, 1]) & keep[edges[:, 0]]]
    return np.column_stack([graph, read("node_labels.txt")])[keep], edges


def sparse(n, size, degree):
    """n random graphs without isolated nodes, with labels in three kinds."""
    rng = np.random.default_rng(31)
    edges = []
    for g in range(n):
        near = np.triu(rng.random((size, size)) < degree / size, 1)
        near[np.arange(size - 1), np.arange(1, size)] = True  # a path through all nodes
        edges.append(np.argwhere(near) + g * size)
    return np.column_stack([np.repeat(np.arange(n), size), rng.integers(0, 3, n * size)]), np.vstack(edges)


def apart(nodes, edges):
    """The labels and the adjacency matrix of every graph."""
    count, first = np.bincount(nodes[:, 0]), np.concatenate([[0], np.cumsum(np.bincount(nodes[:, 0]))])
    out = [(nodes[first[g] : first[g + 1], 1], np.zeros((c, c))) for g, c in enumerate(count)]
    for u, v in edges:
        g = nodes[u, 0]
        out[g][1][u - first[g], v - first[g]] = out[g][1][v - first[g], u - first[g]] = 1
    return out


def wl(g, h):
    """Weisfeiler–Lehman by definition, five rounds: colours are nested tuples with a short name."""
    known, total = {}, 0
    colours = [[(0, int(l)) for l in labels] for labels, _ in (g, h)]
    for _ in range(6):
        a, b = map(collections.Counter, colours)
        total += sum(times * b[c] for c, times in a.items())
        trees = [[(c[v], tuple(sorted(c[w] for w in np.flatnonzero(x[1][v])))) for v in range(len(c))] for x, c in zip((g, h), colours)]
        colours = [[(1, known.setdefault(t, len(known))) for t in side] for side in trees]
    return total


def paths(g, h):
    """Shortest paths by definition."""
    def count(labels, a):
        d = np.where(a > 0, 1.0, np.inf)
        for via in range(len(d)):
            d = np.minimum(d, d[:, via, None] + d[via])
        return collections.Counter((labels[u], labels[v], d[u, v]) for u in range(len(d)) for v in range(len(d)) if u != v and d[u, v] < np.inf)
    x, y = count(*g), count(*h)
    return sum(times * y[t] for t, times in x.items())


def walks(g, h):
    """The sum over the walks in the product, by its linear system."""
    w = np.kron(g[1], h[1])
    return np.linalg.solve(np.eye(len(w)) - 0.005 * w, np.ones(len(w))).sum()


def graphs(full, row, load, store):
    """The rows; what they are made of comes from rows.py."""
    n = 4110 if full else 500
    rows = []
    for key, kernel, what, define, make, probes in [
        ("9 wl", "wl(h=5)", f"{n} graphs of NCI1: Weisfeiler–Lehman, 5 rounds", wl, lambda: molecules(n), PROBES),
        ("9 sp", "sp", f"{n} graphs of NCI1: shortest paths with labels", paths, lambda: molecules(n), PROBES),
        ("9 walk", 'randomwalk(lambda=0.005, label="none")', "188 graphs of 50 nodes: geometric random walk", walks, lambda: sparse(188, 50, 2), 4),
    ]:

        def prepare(folder, kernel=kernel, make=make):
            nodes, edges = make()
            store(folder, {"graphs": kernel}, nodes=nodes.astype(float), edges=edges.astype(float))

        def judge(folder, define=define, probes=probes):
            all_graphs, k = apart(load(folder, "nodes").astype(int), load(folder, "edges").astype(int)), load(folder, "result")
            rng, worst = np.random.default_rng(32), 0.0
            for i, j in rng.integers(0, len(all_graphs), (probes, 2)):
                want = define(all_graphs[i], all_graphs[j])
                worst = max(worst, abs(k[i, j] - want) / max(abs(want), 1))
            return worst

        rows.append(row(key, f"Gram matrix of {what}", f"largest relative error of {probes} elements", prepare, judge, [("mercer graphs", "GraKeL")]))
    return rows
