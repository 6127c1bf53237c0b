"""Laplacian regularised least squares by its equation, for the tests of package manifold.

Belkin, Niyogi and Sindhwani (2006): alpha = (J K + gamma_A l I + gamma_I l / n^2 L K)^-1 J y.
Writes laprls.json."""
import json
import numpy as np

r = np.random.default_rng(4)
n, l, k, width, ga, gi = 30, 6, 4, 0.8, 0.01, 2.0
x = r.normal(size=(n, 2))
x[20:] += 6  # a second part of the graph
labelled = [0, 3, 7, 21, 25, 29]
y = np.zeros(n)
y[labelled] = [1.0, -0.5, 2.0, 0.3, -1.0, 0.7]
d = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))
kernel = np.exp(-(d / width) ** 2 / 2)
w = np.zeros((n, n))
for i in range(n):
    for j in np.argsort(d[i])[1:k + 1]:
        w[i, j] = w[j, i] = 1
laplacian = np.diag(w.sum(1)) - w
j = np.zeros((n, n))
j[labelled, labelled] = 1
alpha = np.linalg.solve(j @ kernel + ga * l * np.eye(n) + gi * l / n**2 * laplacian @ kernel, y)
json.dump({"numpy": np.__version__, "x": x.tolist(), "labelled": labelled, "y": y[labelled].tolist(), "neighbours": k, "width": width,
           "gamma_a": ga, "gamma_i": gi, "edges": int(w.sum() / 2), "alpha": alpha.tolist()}, open("laprls.json", "w"))
