"""The public tables of the contest of tables, as they are: nothing is scaled or selected."""

import dataclasses
import gzip
import os

import numpy as np

MOST = 5000  # rows of a table: larger ones are sampled


@dataclasses.dataclass
class Table:
    x: np.ndarray  # numbers, or objects where columns are words
    y: np.ndarray
    labels: bool
    names: list
    words: list  # columns of words


def lines(path):
    path = os.path.join(os.environ["MERCER_DATA"], path)
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path, encoding="utf-8") as f:
        return [line for line in f.read().splitlines() if line.strip()]


def table(x, y, labels, words=()):
    x, y = np.asarray(x), np.asarray(y)
    if len(y) > MOST:
        some = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST])
        x, y = x[some], y[some]
    return Table(x, y if labels else y.astype(float), labels, [f"x{i + 1}" for i in range(x.shape[1])], list(words))


def cells(path, separator=None, skip=0):
    return [[c.strip() for c in line.split(separator)] for line in lines(path)[skip:]]


def numbers(path, separator=None, skip=0, drop=0, target=-1, labels=False):
    """A table of numbers whose target is one column; ? and empty cells are missing."""
    rows = [row[drop:] for row in cells(path, separator, skip)]
    target %= len(rows[0])
    y = [row[target] for row in rows]
    x = [[float("nan") if c in ("?", "") else float(c) for c in row[:target] + row[target + 1:]] for row in rows]
    return table(x, y, labels)


def libsvm(path, columns, labels=True):
    rows = [line.split() for line in lines(path)]
    x = np.zeros((len(rows), columns))
    for i, row in enumerate(rows):
        for pair in row[1:]:
            j, v = pair.split(":")
            x[i, int(j) - 1] = float(v)
    return table(x, [row[0] for row in rows], labels)


def splice():
    rows = cells("sequences/splice.data.gz", ",")
    return table([list(row[2]) for row in rows], [row[0] for row in rows], True, range(60))


TABLES = {
    "yacht": lambda: numbers("uci_splits/yacht.txt"),
    "boston": lambda: numbers("uci_splits/bostonHousing.txt"),
    "concrete": lambda: numbers("uci_splits/concrete.txt"),
    "energy": lambda: numbers("uci_splits/energy.txt"),
    "airfoil": lambda: numbers("csv/airfoil_self_noise.dat"),
    "diabetes": lambda: numbers("csv/diabetes.tab.txt", skip=1),
    "abalone": lambda: libsvm("libsvm/abalone_scale.gz", 8, labels=False),
    "california": lambda: numbers("csv/cal_housing.data.gz", ","),
    "kin40k": lambda: numbers("csv/kin40k.csv.gz", ","),
    "mcycle": lambda: numbers("small/mcycle.csv", ",", skip=1, drop=1),
    "faithful": lambda: numbers("small/faithful.csv", ",", skip=1, drop=1),
    "iris": lambda: numbers("csv/iris.csv", ",", labels=True),
    "wine": lambda: numbers("csv/wine.csv", ",", labels=True),
    "wdbc": lambda: numbers("csv/wdbc.data", ",", drop=1, target=0, labels=True),
    "wisconsin": lambda: numbers("csv/breast-cancer-wisconsin.data", ",", drop=1, labels=True),
    "heart": lambda: libsvm("libsvm/heart_scale", 13),
    "svmguide1": lambda: libsvm("libsvm/svmguide1", 4),
    "letter": lambda: libsvm("libsvm/letter.scale.gz", 16),
    "covtype": lambda: numbers("csv/covtype.20k.data.gz", ",", labels=True),
    "adult": lambda: libsvm("libsvm/a9a.gz", 123),
    "webpages": lambda: libsvm("libsvm/w8a.gz", 300),
    "skin": lambda: numbers("csv/Skin_NonSkin.txt.gz", labels=True),
    "splice": splice,
}
