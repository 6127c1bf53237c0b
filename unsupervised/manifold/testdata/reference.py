# Coordinates of 40 points of a spiral strip by scikit-learn.
# Made once by: pip install scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1; python reference.py > reference.json
import json, numpy as np, sklearn
from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding, smacof
from sklearn.neighbors import kneighbors_graph
from scipy.spatial.distance import cdist

i = np.arange(40)
t = 1.5 * np.pi * (1 + 2 * i / 39)
X = np.c_[t * np.cos(t), 4 * ((7 * i) % 11) / 10, t * np.sin(t)]
j = np.array([0.5, 10.25, 22.75, 37.5])
s = 1.5 * np.pi * (1 + 2 * j / 39)
N = np.c_[s * np.cos(s), [1.0, 2.0, 0.5, 3.0], s * np.sin(s)]
out = {"sklearn": sklearn.__version__, "X": X.tolist(), "new": N.tolist()}

iso = Isomap(n_neighbors=6, n_components=2).fit(X)
out["isomap"], out["isomap-new"] = iso.embedding_.tolist(), iso.transform(N).tolist()
lle = LocallyLinearEmbedding(n_neighbors=6, n_components=2, eigen_solver="dense").fit(X)
out["lle"], out["lle-new"] = lle.embedding_.tolist(), lle.transform(N).tolist()

A = kneighbors_graph(X, 6, include_self=False).toarray()
W = np.maximum(np.maximum(A, A.T), np.eye(40))
eig = SpectralEmbedding(n_components=2, affinity="precomputed", eigen_solver="arpack", eigen_tol=1e-12)
out["eigenmap"] = eig.fit_transform(W).tolist()

D = cdist(X, X)
B = -0.5 * (np.eye(40) - 1 / 40) @ D**2 @ (np.eye(40) - 1 / 40)
w, V = np.linalg.eigh(B)
Z0 = V[:, :-3:-1] * np.sqrt(w[:-3:-1])
Z, raw = smacof(D, n_components=2, init=Z0, n_init=1, max_iter=20000, eps=1e-14, normalized_stress=False)
out["stress"], out["raw stress"] = Z.tolist(), float(raw)
out["classical"] = Z0.tolist()
print(json.dumps(out))
