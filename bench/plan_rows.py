"""The commands whose plans are compared with what they take, and the tables that they read."""

import csv
import math
import os
import random

# Generated tables: rows, numeric columns, kind. Labels and targets depend on the first columns, so
# that a kernel has something to learn, and on noise, so that no problem is trivial.
TABLES = {
    "n100.csv": (100, 8), "n400.csv": (400, 8), "n1000.csv": (1000, 20), "n3000.csv": (3000, 10), "n5000.csv": (5000, 8),
    "n8000.csv": (8000, 16), "n19020.csv": (19020, 10), "n60000.csv": (60000, 10), "n200000.csv": (200000, 8), "wide.csv": (400, 600),
}


def generate(folder):
    """Writes the tables that are not there yet."""
    os.makedirs(folder, exist_ok=True)
    for name, (rows, columns) in TABLES.items():
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            write(path + ".part", rows, columns)
            os.replace(path + ".part", path)


def write(path, rows, columns):
    draw = random.Random(rows * 1000 + columns)
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f)
        out.writerow([f"c{j}" for j in range(columns)] + ["number", "two", "three"])
        for _ in range(rows):
            x = [draw.gauss(0, 1) for _ in range(columns)]
            value = math.sin(2 * x[0]) + x[1] * x[2] + 0.3 * draw.gauss(0, 1)
            two = "in" if x[0] ** 2 + x[1] ** 2 + 0.4 * draw.gauss(0, 1) < 1.6 else "out"
            three = ("low", "mid", "top")[(value > -0.6) + (value > 0.6)]
            out.writerow([f"{v:.5f}" for v in x] + [f"{value:.5f}", two, three])


# Columns of the generated tables that are not features where one of them is the target.
NUMBER = "--target number --drop two --drop three"
TWO = "--target two --drop number --drop three"
THREE = "--target three --drop number --drop two"
NONE = "--drop number --drop two --drop three"

# A name and a command: {data} is the folder of public tables, {made} that of generated ones, {out}
# one for what the commands write.
ROWS = [
    # small
    ("krr 100", f"fit krr {{made}}/n100.csv {NUMBER}"),
    ("krr housing", "fit krr {data}/libsvm/housing_scale --loo"),
    ("krr wide", f"fit krr {{made}}/wide.csv {NUMBER}"),
    ("klr heart", "fit klr {data}/libsvm/heart_scale"),
    ("gp 100", f"fit gp {{made}}/n100.csv {NUMBER}"),
    ("klr 100", f"fit klr {{made}}/n100.csv {TWO}"),
    ("svc 100", f"fit svc {{made}}/n100.csv {TWO}"),
    ("erm 100", f"fit erm {{made}}/n100.csv {NUMBER} --loss huber"),
    ("kernel-kmeans 100", f"cluster kernel-kmeans {{made}}/n100.csv {NONE} --clusters 3"),
    ("gp optimize housing", "fit gp {data}/libsvm/housing_scale --optimize"),
    ("gpc heart", "fit gpc {data}/libsvm/heart_scale"),
    ("svc heart", "fit svc {data}/libsvm/heart_scale"),
    ("svr 400", f"fit svr {{made}}/n400.csv {NUMBER}"),
    ("one-class 400", f"fit one-class {{made}}/n400.csv {NONE}"),
    ("kpca iris", "embed kpca {data}/csv/iris.csv --target last"),
    ("pca wide", f"embed pca {{made}}/wide.csv {NONE} --components 5"),
    ("kmeans iris", "cluster kmeans {data}/csv/iris.csv --target last --clusters 3"),
    ("kernel-kmeans 400", f"cluster kernel-kmeans {{made}}/n400.csv {NONE} --clusters 3"),
    ("spectral 400", f"cluster spectral {{made}}/n400.csv {NONE} --clusters 3"),
    ("gmm faithful", "cluster gmm {data}/small/faithful.csv --clusters 1..4"),
    ("kfda iris", "fit kfda {data}/csv/iris.csv --target last"),
    ("barycentre iris", "fit barycentre {data}/csv/iris.csv --target last"),
    ("erm 400", f"fit erm {{made}}/n400.csv {NUMBER} --loss huber"),
    ("quantiles 400", f"fit quantiles {{made}}/n400.csv {NUMBER}"),
    ("structured 400", f"fit structured {{made}}/n400.csv --target two --drop number --drop three --answer set"),
    # dense
    ("krr packed 4177", "fit krr {data}/libsvm/abalone_scale.gz"),
    ("krr cholesky 4177", "fit krr {data}/libsvm/abalone_scale.gz --solver cholesky --loo=false"),
    ("krr single 8000", f"fit krr {{made}}/n8000.csv {NUMBER} --precision single"),
    ("krr cg 8000", f"fit krr {{made}}/n8000.csv {NUMBER} --solver cg"),
    ("krr eigen 1503", "fit krr {data}/csv/airfoil_self_noise.dat --target last --solver eigen"),
    ("krr lambda-by 1503", "fit krr {data}/csv/airfoil_self_noise.dat --target last --lambda-by loo"),
    ("klr packed 3000", f"fit klr {{made}}/n3000.csv {TWO}"),
    ("klr three 3000", f"fit klr {{made}}/n3000.csv {THREE}"),
    ("klr cg 3000", f"fit klr {{made}}/n3000.csv {TWO} --solver cg"),
    ("gp 3000", f"fit gp {{made}}/n3000.csv {NUMBER}"),
    ("gp packed 5000", f"fit gp {{made}}/n5000.csv {NUMBER} --solver packed"),
    ("gp cg 5000", f"fit gp {{made}}/n5000.csv {NUMBER} --solver cg"),
    ("gp sparse 8000", f"fit gp {{made}}/n8000.csv {NUMBER} --landmarks 300"),
    ("gpc svmguide1", "fit gpc {data}/libsvm/svmguide1"),
    ("gpc packed 3000", f"fit gpc {{made}}/n3000.csv {TWO} --solver packed"),
    ("svc svmguide1", "fit svc {data}/libsvm/svmguide1 --C 10"),
    ("svc 19020", f"fit svc {{made}}/n19020.csv {TWO}"),
    ("svc a9a linear", "fit svc {data}/libsvm/a9a.gz --kernel linear"),
    ("svc letter", "fit svc {data}/libsvm/letter.scale.gz"),
    ("svr airfoil", "fit svr {data}/csv/airfoil_self_noise.dat --target last --C 10"),
    ("svr 8000", f"fit svr {{made}}/n8000.csv {NUMBER}"),
    ("one-class 8000", f"fit one-class {{made}}/n8000.csv {NONE} --nu 0.1"),
    ("kpca 3000", f"embed kpca {{made}}/n3000.csv {NONE}"),
    ("kpca exact 1000", f"embed kpca {{made}}/n1000.csv {NONE} --solver exact"),
    ("pca usps", "embed pca {data}/images/usps-zip.train.gz --components 10"),
    ("kmeans usps", "cluster kmeans {data}/images/usps-zip.train.gz --target c1 --clusters 10"),
    ("kmeans range 3000", f"cluster kmeans {{made}}/n3000.csv {NONE} --clusters 2..6"),
    ("kernel-kmeans 5000", f"cluster kernel-kmeans {{made}}/n5000.csv {NONE} --clusters 4"),
    ("spectral 3000", f"cluster spectral {{made}}/n3000.csv {NONE} --clusters 4"),
    ("gmm 5000", f"cluster gmm {{made}}/n5000.csv {NONE} --clusters 4"),
    ("kfda 3000", f"fit kfda {{made}}/n3000.csv {THREE}"),
    ("kfda single 5000", f"fit kfda {{made}}/n5000.csv {THREE} --precision single"),
    ("barycentre 19020", f"fit barycentre {{made}}/n19020.csv {TWO}"),
    ("erm 1000", f"fit erm {{made}}/n1000.csv {NUMBER} --loss huber"),
    ("quantiles 1000", f"fit quantiles {{made}}/n1000.csv {NUMBER}"),
    ("structured 3000", f"fit structured {{made}}/n3000.csv {TWO} --answer set"),
    ("krr graphs", "fit krr {data}/graphs/MUTAG --kernel 'wl(h=3)[graph]' --target class"),
    ("svc strings", "fit svc {data}/sequences/promoters.data --target c1 --drop c2 --kernel 'spectrum(k=3)[c3]'"),
    # landmarks and features
    ("krr landmarks 20640", "fit krr {data}/csv/cal_housing.data.gz --target last --landmarks 500"),
    ("krr features 40000", "fit krr {data}/csv/kin40k.csv.gz --target last --random-features 500"),
    ("klr landmarks 19020", f"fit klr {{made}}/n19020.csv {TWO} --landmarks 300"),
    ("svc landmarks 19020", f"fit svc {{made}}/n19020.csv {TWO} --landmarks 300"),
    ("kfda landmarks 19020", f"fit kfda {{made}}/n19020.csv {THREE} --landmarks 300"),
    ("kpca landmarks 19020", f"embed kpca {{made}}/n19020.csv {NONE} --landmarks 300"),
    ("kernel-kmeans landmarks 19020", f"cluster kernel-kmeans {{made}}/n19020.csv {NONE} --clusters 4 --landmarks 300"),
    ("spectral landmarks 8000", f"cluster spectral {{made}}/n8000.csv {NONE} --clusters 4 --landmarks 300"),
    ("gpc landmarks 8000", f"fit gpc {{made}}/n8000.csv {TWO} --landmarks 300"),
    ("erm landmarks 19020", f"fit erm {{made}}/n19020.csv {NUMBER} --loss huber --landmarks 300"),
    ("falkon 40000", "fit falkon {data}/csv/kin40k.csv.gz --target last --landmarks 1000"),
    ("falkon logistic 60000", f"fit falkon {{made}}/n60000.csv {TWO} --loss logistic --landmarks 300"),
    # rows that stay in their file
    ("krr streamed 200000", f"fit krr {{made}}/n200000.csv {NUMBER} --landmarks 300 --out-of-core"),
    ("klr streamed 60000", f"fit klr {{made}}/n60000.csv {TWO} --random-features 300 --out-of-core"),
    ("svc streamed 60000", f"fit svc {{made}}/n60000.csv {TWO} --landmarks 200 --out-of-core"),
    ("falkon streamed 60000", f"fit falkon {{made}}/n60000.csv {NUMBER} --landmarks 500 --out-of-core --max-mem 96MiB"),
    ("pca streamed 200000", f"embed pca {{made}}/n200000.csv {NONE} --out-of-core"),
    ("kmeans streamed 60000", f"cluster kmeans {{made}}/n60000.csv {NONE} --clusters 5 --out-of-core"),
    ("gmm streamed 19020", f"cluster gmm {{made}}/n19020.csv {NONE} --clusters 3 --out-of-core --restarts 2"),
    ("kpca streamed 60000", f"embed kpca {{made}}/n60000.csv {NONE} --landmarks 200 --out-of-core"),
    # searches
    ("tune krr 1000", f"tune krr {{made}}/n1000.csv {NUMBER} --kernel 'rbf(sigma=?)'"),
    ("tune krr ard 400", f"tune krr {{made}}/n400.csv {NUMBER} --kernel 'rbf(sigma=?)' --ard"),
    ("tune krr landmarks 8000", f"tune krr {{made}}/n8000.csv {NUMBER} --kernel 'rbf(sigma=?)' --landmarks 200"),
    ("tune svc 1000", f"tune svc {{made}}/n1000.csv {TWO} --kernel 'rbf(sigma=?)'"),
    ("tune svc heart", "tune svc {data}/libsvm/heart_scale --kernel 'rbf(sigma=?)'"),
    ("tune svr 400", f"tune svr {{made}}/n400.csv {NUMBER}"),
    ("tune klr 400", f"tune klr {{made}}/n400.csv {TWO}"),
    ("path 3000", f"path {{made}}/n3000.csv {NUMBER}"),
    ("path landmarks 19020", f"path {{made}}/n19020.csv {NUMBER} --landmarks 300"),
    ("denoise 5000", f"denoise {{made}}/n5000.csv {{made}}/n100.csv {NONE} --components 8 --kernel 'rbf(sigma=median)'"),
]

# Verbs whose report has no plan: it is asked for before, by --dry-run.
PLANNED_APART = ("tune", "path")
