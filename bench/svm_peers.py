"""The peers' support vector machines; see peers.py for the protocol."""

import os

import numpy as np


def contestants(work):
    """The contestants by name, on the base class of peers.py."""

    class Machine(work):
        """A C-SVC. Its coefficients are saved as mercer has them: a column for each pair
        of classes (i, j), i < j, that is above 0 for i; of two classes above 0 for the second."""

        def load(self):
            self.x, self.y = self.read("x"), self.read("y")
            self.prepare()

        def spread(self, support, dual, intercept, labels):
            """support: rows; dual: LIBSVM's (classes−1)×support layout, classes in rising order"""
            if len(labels) == 2:
                coef = np.zeros((len(self.x), 1))
                coef[support, 0] = dual[0]
                return coef, np.atleast_1d(intercept)
            own = np.searchsorted(labels, self.y[support])
            coef, j = np.zeros((len(self.x), len(labels) * (len(labels) - 1) // 2)), 0
            for a in range(len(labels)):
                for b in range(a + 1, len(labels)):
                    coef[support[own == a], j] = dual[b - 1, own == a]
                    coef[support[own == b], j] = dual[a, own == b]
                    j += 1
            return coef, intercept

        def save(self):
            coef, bias = self.solution()
            np.save(os.path.join(self.folder, "result.npy"), coef)
            np.save(os.path.join(self.folder, "bias.npy"), np.asarray(bias, dtype=float)[:, None])

    class Scikit(Machine):
        """scikit-learn: SVC with a cache of 1 GB."""

        needs = ("numpy", "scikit-learn")

        def prepare(self):
            from sklearn.svm import SVC

            self.make = SVC

        def run(self):
            self.out = self.make(C=self.params["c"], gamma=self.gamma(), tol=1e-3, cache_size=1000, decision_function_shape="ovo").fit(self.x, self.y)

        def solution(self):
            m = self.out
            return self.spread(np.asarray(m.support_), np.asarray(m.dual_coef_), np.asarray(m.intercept_), np.unique(self.y))

    class OneDAL(Scikit):
        """oneDAL: SVC of scikit-learn-intelex."""

        needs = ("numpy", "scikit-learn", "scikit-learn-intelex")

        def prepare(self):
            from sklearnex.svm import SVC

            self.make = SVC

    class ThunderSVM(Machine):
        """ThunderSVM's build for processors: SVC of thundersvm-cpu."""

        needs = ("numpy", "thundersvm-cpu")

        def prepare(self):
            from thundersvm import SVC

            # Rows in rising order of class, the second of two first: the order of labels.
            order = np.argsort(-self.y if len(np.unique(self.y)) == 2 else self.y, kind="stable")
            self.order, self.make, self.x0, self.y0 = order, SVC, self.x[order], self.y[order]

        def run(self):
            self.out = self.make(C=self.params["c"], gamma=self.gamma(), tol=1e-3, max_mem_size=4000, n_jobs=int(os.environ["OMP_NUM_THREADS"])).fit(self.x0, self.y0)

        def solution(self):
            m = self.out
            # What it calls intercept_ is subtracted, as rho of LIBSVM.
            return self.spread(self.order[np.asarray(m.support_)], np.asarray(m.dual_coef_), -np.asarray(m.intercept_), np.unique(self.y))

    class LIBSVM(Machine):
        """LIBSVM's own package, sparse rows, one thread, a cache of 1 GB."""

        needs = ("numpy", "scipy", "libsvm-official")

        def prepare(self):
            os.environ["OMP_NUM_THREADS"] = "1"  # read when the library is loaded
            import scipy.sparse
            from libsvm import svmutil

            # Rows in rising order of class, the second of two first: the order of labels.
            order = np.argsort(-self.y if len(np.unique(self.y)) == 2 else self.y, kind="stable")
            self.order, self.util, self.sparse = order, svmutil, scipy.sparse.csr_matrix
            self.problem = svmutil.svm_problem(self.y[order], self.sparse(self.x[order]))

        def run(self):
            self.out = self.util.svm_train(self.problem, f"-q -c {self.params['c']} -g {self.gamma()!r} -m 1000")

        def solution(self):
            m = self.out
            support = self.order[np.array(m.get_sv_indices()) - 1]
            dual = np.array(m.get_sv_coef()).reshape(m.l, m.nr_class - 1).T
            machines = m.nr_class * (m.nr_class - 1) // 2
            return self.spread(support, dual, -np.array(m.rho[:machines]), np.array(sorted(m.get_labels())))

    def predicting(base):
        class Predict(base):
            """Labels of new rows; the training is outside of the clock."""

            def load(self):
                super().load()
                self.z = self.read("z")
                super().run()
                self.model = self.out

            def run(self):
                self.out = self.model.predict(self.z)

            save = work.save

        return Predict

    class LIBSVMPredict(predicting(LIBSVM)):
        """LIBSVM: svm_predict of sparse rows."""

        def load(self):
            super().load()
            self.z = self.sparse(self.z)

        def run(self):
            self.out = np.array(self.util.svm_predict(np.zeros(self.z.shape[0]), self.z, self.model, "-q")[0])

    return {
        "LIBSVM one thread": LIBSVM,
        "scikit-learn SVC": Scikit,
        "oneDAL SVC": OneDAL,
        "ThunderSVM SVC": ThunderSVM,
        "LIBSVM one thread predict": LIBSVMPredict,
        "scikit-learn SVC predict": predicting(Scikit),
        "oneDAL SVC predict": predicting(OneDAL),
    }
