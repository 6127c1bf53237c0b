"""The peers' low-rank models; see peers.py for the protocol."""


def contestants(work):
    """The contestants by name, on the base class of peers.py."""

    class Nystroem(work):
        """scikit-learn: Nystroem, then Ridge without intercept, and predictions of new rows."""

        needs = ("numpy", "scikit-learn")

        def load(self):
            from sklearn.kernel_approximation import Nystroem as Features
            from sklearn.linear_model import Ridge
            from sklearn.pipeline import make_pipeline

            self.x, self.y, self.new = self.read("x"), self.read("y"), self.read("new")
            self.make = lambda: make_pipeline(
                Features(kernel="rbf", gamma=self.gamma(), n_components=self.params["k"], random_state=0),
                Ridge(alpha=self.params["ridge"], fit_intercept=False))

        def run(self):
            self.out = self.make().fit(self.x, self.y).predict(self.new)

    return {"scikit-learn Nystroem + Ridge": Nystroem}
