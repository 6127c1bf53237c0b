"""Labels spread by scikit-learn, for the tests of package propagation. Writes reference.json."""
import json
import numpy as np, sklearn
from sklearn.datasets import make_moons
from sklearn.semi_supervised import LabelPropagation, LabelSpreading

x, c = make_moons(40, noise=0.08, random_state=3)
c = c + (x[:, 0] > 1.2)  # three classes
y = np.full(40, -1)
for k in range(3):
    y[np.flatnonzero(c == k)[:2]] = k
new = x[::7] + 0.1
out = {"sklearn": sklearn.__version__, "x": x.tolist(), "y": y.tolist(), "new": new.tolist(), "gamma": 5.0}
for name, m in [("harmonic", LabelPropagation(kernel="rbf", gamma=5.0, max_iter=200000, tol=1e-13)),
                ("spreading", LabelSpreading(kernel="rbf", gamma=5.0, alpha=0.3, max_iter=200000, tol=1e-14))]:
    m.fit(x, y)
    out[name] = m.label_distributions_.tolist()
    out[name + "-new"] = m.predict_proba(new).tolist()
json.dump(out, open("reference.json", "w"))
