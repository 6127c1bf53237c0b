"""Ensembles of trees, with the defaults of their authors and tuned by random draws."""

import importlib
import importlib.metadata

import numpy as np

THREADS = 2  # of each; bench/tables.py --threads
VALIDATION = 0.2  # of the rows, where a contestant stops by rows kept aside
DRAWS, PARTS = 50, 3  # of the tuned ones


def encoded(table):
    """Numbers: words become the numbers of the words in order."""
    if not table.words:
        return table.x.astype(float)
    columns = [np.unique(table.x[:, j], return_inverse=True)[1] if j in table.words else table.x[:, j] for j in range(table.x.shape[1])]
    return np.column_stack(columns).astype(float)


def coded(table):
    """The labels, and the number of each row."""
    return np.unique(table.y, return_inverse=True) if table.labels else (None, table.y)


def plain(regressor, classifier):
    """A contestant of scikit-learn's interface."""
    def make(table, train):
        x, (labels, y) = encoded(table), coded(table)
        model = (classifier if table.labels else regressor)()
        model.fit(x[train], y[train])
        return lambda test: labels[np.asarray(model.predict(x[test]), int).ravel()] if table.labels else model.predict(x[test])
    return make


def catboost():
    from catboost import CatBoostClassifier, CatBoostRegressor
    how = {"thread_count": THREADS, "verbose": False, "allow_writing_files": False, "random_seed": 0}

    def make(table, train):
        labels, y = coded(table)
        x = table.x.astype(str) if table.words else table.x.astype(float)
        model = (CatBoostClassifier if table.labels else CatBoostRegressor)(**how, cat_features=table.words or None)
        model.fit(x[train], y[train])
        return lambda test: labels[model.predict(x[test]).astype(int).ravel()] if table.labels else model.predict(x[test])
    return make


def lightgbm():
    from lightgbm import LGBMClassifier, LGBMRegressor
    how = {"n_jobs": THREADS, "verbose": -1, "random_state": 0}
    return plain(lambda: LGBMRegressor(**how), lambda: LGBMClassifier(**how))


def tuned_lightgbm():
    from lightgbm import LGBMClassifier, LGBMRegressor
    from sklearn.model_selection import RandomizedSearchCV
    from scipy.stats import loguniform, randint, uniform
    space = {"n_estimators": randint(100, 1500), "num_leaves": randint(4, 64), "learning_rate": loguniform(0.01, 0.2), "min_child_samples": randint(2, 40),
             "subsample": uniform(0.5, 0.5), "subsample_freq": [1], "colsample_bytree": uniform(0.5, 0.5), "reg_lambda": loguniform(1e-3, 10)}

    def search(kind):
        return RandomizedSearchCV(kind(n_jobs=THREADS, verbose=-1, random_state=0), space, n_iter=DRAWS, cv=PARTS, random_state=0, n_jobs=1,
                                  scoring=None if kind is LGBMClassifier else "neg_root_mean_squared_error")
    return plain(lambda: search(LGBMRegressor), lambda: search(LGBMClassifier))


def xgboost():
    from xgboost import XGBClassifier, XGBRegressor
    how = {"n_jobs": THREADS, "random_state": 0}
    return plain(lambda: XGBRegressor(**how), lambda: XGBClassifier(**how))


def histogram():
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    return plain(lambda: HistGradientBoostingRegressor(random_state=0), lambda: HistGradientBoostingClassifier(random_state=0))


def forest():
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    how = {"n_estimators": 500, "n_jobs": THREADS, "random_state": 0}
    return plain(lambda: RandomForestRegressor(**how), lambda: RandomForestClassifier(**how))


def xrfm():
    import torch
    from xrfm import xRFM

    def make(table, train):
        """Columns and numeric targets standardised by the training rows, a fifth of them kept aside to choose the round."""
        torch.set_num_threads(THREADS)
        order = np.random.default_rng(0).permutation(train)
        count = round(VALIDATION * len(train))
        x = encoded(table).astype(np.float32)
        spread = x[train].std(0)
        x = (x - x[train].mean(0)) / np.where(spread > 0, spread, 1)
        labels, y = coded(table)
        centre, unit = (0, 1) if table.labels else (y[train].mean(), y[train].std())
        target = torch.tensor(y) if table.labels else torch.tensor(((y - centre) / unit).astype(np.float32)).reshape(-1, 1)
        x = torch.tensor(x)
        model = xRFM(device=torch.device("cpu"), n_threads=THREADS, verbose=False, random_state=0)
        model.fit(x[order[count:]], target[order[count:]], x[order[:count]], target[order[:count]])

        def predict(test):
            found = np.asarray(model.predict(x[test])).ravel()
            return labels[found.astype(int)] if table.labels else found * unit + centre
        return predict
    return make


ALL = {"CatBoost": catboost, "LightGBM": lightgbm, "LightGBM of 50 draws": tuned_lightgbm, "XGBoost": xgboost, "HistGradientBoosting": histogram, "random forest": forest, "xRFM": xrfm}


def available():
    out = {}
    for name, make in ALL.items():
        try:
            out[name] = make()
        except ImportError:
            continue
    return out


def versions():
    out = {}
    for name in ("numpy", "scikit-learn", "catboost", "lightgbm", "xgboost", "xrfm", "torch"):
        try:
            importlib.import_module("sklearn" if name == "scikit-learn" else name)
            out[name] = importlib.metadata.version(name)
        except ImportError:
            out[name] = "not here"
    return out
