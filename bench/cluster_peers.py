"""The peers' clusters; see peers.py for the protocol."""

import numpy as np


def contestants(work):
    """The contestants by name, on the base class of peers.py."""

    class Mixture(work):
        """scikit-learn: GaussianMixture from given means and unit covariances, no early end."""

        needs = ("numpy", "scikit-learn")

        def load(self):
            from sklearn.mixture import GaussianMixture

            self.x, start, k = self.read("x"), self.read("start"), self.params["k"]
            d = self.x.shape[1]
            self.make = lambda: GaussianMixture(
                k, covariance_type="full", tol=0, max_iter=self.params["iterations"], weights_init=np.full(k, 1 / k),
                means_init=start, precisions_init=np.stack([np.eye(d)] * k))

        def run(self):
            self.out = self.make().fit(self.x)

        def save(self):
            m = self.out
            self.out = np.hstack([m.weights_[:, None], m.means_, m.covariances_.reshape(len(m.weights_), -1)])
            super().save()

    class KMeans(work):
        """scikit-learn: KMeans from given centres."""

        needs = ("numpy", "scikit-learn")
        algorithm = "lloyd"

        def load(self):
            self.x, self.start = self.read("x"), self.read("start")
            self.kind = self.imported()

        def imported(self):
            from sklearn.cluster import KMeans

            return KMeans

        def run(self):
            k = self.params["k"]
            self.out = self.kind(k, init=self.start, n_init=1, max_iter=self.params["iterations"], algorithm=self.algorithm).fit(self.x).cluster_centers_

    class Elkan(KMeans):
        """scikit-learn: the same with algorithm="elkan"."""

        algorithm = "elkan"

    class OneDAL(KMeans):
        """oneDAL: KMeans of scikit-learn-intelex."""

        needs = ("numpy", "scikit-learn", "scikit-learn-intelex")

        def imported(self):
            from sklearnex.cluster import KMeans

            return KMeans

    class KernelKMeans(work):
        """numpy by hand: the Gram matrix once, then products with the indicators of the clusters."""

        def load(self):
            self.x, self.start = self.read("x"), self.read("labels")[:, 0].astype(int)

        def run(self):
            x, gamma, k = self.x, self.gamma(), self.params["k"]
            norms = np.einsum("ij,ij->i", x, x)
            gram = x @ (2 * gamma * x.T)
            gram -= gamma * norms[:, None]
            gram -= gamma * norms
            np.exp(gram, out=gram)
            label = self.start
            for _ in range(self.params["iterations"]):
                share = np.eye(k)[label]
                share /= np.maximum(share.sum(0), 1)
                sums = gram @ share
                distance = (sums * share).sum(0) - 2 * sums
                label = distance.argmin(1)
            self.out = label

    return {
        "scikit-learn GaussianMixture": Mixture,
        "scikit-learn KMeans": KMeans,
        "scikit-learn KMeans elkan": Elkan,
        "oneDAL KMeans": OneDAL,
        "numpy kernel k-means": KernelKMeans,
    }
