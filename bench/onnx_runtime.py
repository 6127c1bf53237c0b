#!/usr/bin/env python3
"""Runs graphs of `mercer export onnx` by ONNX Runtime and compares them with `mercer predict`.

Needs Python 3.11, Go, and the packages onnx and onnxruntime; see bench/README.md. Writes
docs/results/onnx.md. A difference above the bounds ends it with 1.
"""

import argparse
import csv
import datetime
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402

import machine  # noqa: E402

PAGE = os.path.join(ROOT, "docs", "results", "onnx.md")
BOUNDS = {"double": 1e-12, "single": 1e-3}  # of the largest value; terms of sums that take each other away lose digits

MIXED = ["a", "b", "colour", "c"]
CASES = [  # name, verb and method, table, target, flags
    ("krr rbf", "fit krr", "mixed", "y", []),
    ("krr laplace1, filled in", "fit krr", "gaps", "y", ["--missing", "indicator", "--kernel", "laplace1(sigma=2)"]),
    ("krr matern 5/2, log of the target", "fit krr", "numbers", "price", ["--kernel", "matern(nu=2.5, sigma=1.5)", "--target-transform", "log"]),
    ("krr linear", "fit krr", "numbers", "y", ["--kernel", "linear"]),
    ("krr sum and product", "fit krr", "numbers", "y", ["--kernel", "linear()[a] * rbf(sigma=1) + 0.3*poly(degree=2, offset=1)"]),
    ("krr landmarks", "fit krr", "mixed", "y", ["--landmarks", "60"]),
    ("gp rq", "fit gp", "numbers", "y", ["--kernel", "rq(alpha=2, sigma=1)", "--noise", "0.1"]),
    ("falkon", "fit falkon", "mixed", "y", ["--landmarks", "60", "--lambda", "1e-4"]),
    ("svr", "fit svr", "numbers", "y", []),
    ("quantiles", "fit quantiles", "numbers", "y", []),
    ("svc, two classes", "fit svc", "mixed", "two", []),
    ("svc, three classes, histograms", "fit svc", "shares", "kind", ["--kernel", "chi2(gamma=1)", "--no-standardize"]),
    ("klr, two classes", "fit klr", "mixed", "two", []),
    ("klr, three classes", "fit klr", "mixed", "kind", []),
    ("krr on labels", "fit krr", "mixed", "kind", []),
    ("krr, a deep kernel", "fit krr", "numbers", "y", ["--kernel", "deep(of=rbf(sigma=1), widths=[8, 2])"]),
    ("kfda, three classes", "fit kfda", "mixed", "kind", []),
    ("one-class", "fit one-class", "numbers", "", []),
    ("kpca", "embed kpca", "numbers", "", ["--components", "3"]),
]


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--mercer", help="the command; else it is built")
    p.add_argument("--rows", type=int, default=400, help="training rows")
    return p.parse_args()


def tables(folder, rows):
    """The tables of numbers, of numbers and words, and of shares, each with rows to train and others to test."""
    r = np.random.default_rng(5)
    for part, n in (("train", rows), ("test", 200)):
        x = r.normal(size=(n, 3)) * [1, 10, 0.1] + [0, 50, 0]
        word = r.choice(["red", "green", "blue"], n)
        z = [x[:, 0], (x[:, 1] - 50) / 10, x[:, 2] * 10]
        y = np.sin(2 * z[0]) + z[1] * (word == "red") + 0.3 * z[2] ** 2 + 0.1 * r.normal(size=n)
        kind = np.where(y > 0.8, "high", np.where(y > -0.2, "middle", "low"))
        two = np.where(y > 0.3, "yes", "no")
        shares = r.dirichlet([1, 1, 1, 1], n)
        share_kind = np.array(["p", "q", "r"])[np.argmax(shares[:, :3], axis=1)]
        write(folder, f"numbers-{part}", ["a", "b", "c", "y", "price"], zip(*x.T, y, np.exp(y)))
        write(folder, f"mixed-{part}", [*MIXED, "y", "two", "kind"], zip(x[:, 0], x[:, 1], word, x[:, 2], y, two, kind))
        gaps = [[("" if r.random() < 0.1 else v) for v in row] for row in zip(x[:, 0], x[:, 1], word, x[:, 2])]
        write(folder, f"gaps-{part}", [*MIXED, "y"], [[*row, v] for row, v in zip(gaps, y)])
        write(folder, f"shares-{part}", ["a", "b", "c", "d", "kind"], zip(*shares.T, share_kind))


def write(folder, name, names, rows):
    with open(os.path.join(folder, name + ".csv"), "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f)
        w.writerow(names)
        for row in rows:
            w.writerow([v if isinstance(v, str) else repr(float(v)) for v in row])


def run(command, *args):
    done = subprocess.run([command, *args], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"mercer {' '.join(args)}: {done.stderr}")
    return done.stdout


def inputs(session, path):
    """The cells of a table as the graph takes them."""
    with open(path, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    out = {}
    for port in session.get_inputs():
        kind = np.float64 if "double" in port.type else np.float32
        if port.name == "table":
            names = list(rows[0])[: port.shape[1]]
            out[port.name] = np.array([[float(row[n] or "nan") for n in names] for row in rows], kind)
        elif "string" in port.type:
            out[port.name] = np.array([[row[port.name]] for row in rows], object)
        else:
            out[port.name] = np.array([[float(row[port.name] or "nan")] for row in rows], kind)
    return out


def compare(command, folder, case, single):
    """The largest difference of values, of the largest value, labels that differ, and that of probabilities."""
    name, verb, table, target, flags = case
    train, test = (os.path.join(folder, f"{table}-{part}.csv") for part in ("train", "test"))
    model, graph = os.path.join(folder, "m.mercer"), os.path.join(folder, "m.onnx")
    drop = [c for c in ("y", "price", "two", "kind") if c != target and c in open(train, encoding="utf-8").readline().strip().split(",")]
    chosen = ["--target", target] if target else []
    extra = ["--model", model] if verb.startswith("embed") else ["-o", model]
    run(command, *verb.split(), train, *chosen, *(f"--drop={c}" for c in drop), *flags, "-q", *extra)
    run(command, "export", "onnx", model, "-o", graph, *(["--single"] if single else []))
    onnx.checker.check_model(graph, full_check=True)
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    outputs = [o.name for o in session.get_outputs()]
    got = dict(zip(outputs, session.run(None, inputs(session, test))))
    said = list(csv.DictReader(run(command, "predict", model, test, "-q").splitlines()))
    columns = list(said[0])
    numbers = [c for c in columns if c not in ("row", "id", target) and not c.startswith("p(")]
    if target and "label" not in got:
        numbers = [c for c in columns if c not in ("row", "id")]
    want = np.array([[float(row[c]) for c in numbers if is_number(row[c])] for row in said])
    values = got["values"].reshape(len(said), -1)
    want = want[:, : values.shape[1]]
    off = float(np.max(np.abs(values - want)) / np.max(np.abs(want)))
    wrong = 0
    if "label" in got and target:
        wrong = int(np.sum(got["label"].ravel() != np.array([row[target] for row in said])))
    share = None
    if "probabilities" in got:
        p = [c for c in columns if c.startswith("p(")]
        share = float(np.max(np.abs(got["probabilities"] - np.array([[float(row[c]) for c in p] for row in said]))))
    return off, wrong, share, os.path.getsize(graph)


def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def main():
    o = options()
    with tempfile.TemporaryDirectory() as folder:
        command = o.mercer
        if not command:
            command = os.path.join(folder, "mercer")
            subprocess.run(["go", "build", "-o", command, "./cmd/mercer"], cwd=ROOT, check=True)
        tables(folder, o.rows)
        lines, failed = [], []
        for case in CASES:
            cells = [case[0]]
            for precision in ("double", "single"):
                off, wrong, share, size = compare(command, folder, case, precision == "single")
                print(f"{case[0]}, {precision}: {off:.2g}, {wrong} labels, probabilities {share}", flush=True)
                if not off <= BOUNDS[precision] or precision == "double" and (wrong or share is not None and share > BOUNDS["double"]):
                    failed.append(f"{case[0]} in {precision} precision")
                cells += [f"{off:.1e}", str(wrong), "" if share is None else f"{share:.1e}", f"{size / 1024:.0f} KiB"]
            lines.append("| " + " | ".join(cells) + " |")
    page = [
        "# Graphs of ONNX beside the models they come from",
        "",
        "*Generated by `bench/onnx_runtime.py`; do not edit.*",
        "",
        f"Measured on {datetime.date.today()}: {machine.describe()['cpu']}, onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}.",
        "",
        f"Each model is fitted to {o.rows} made rows, written by `mercer export onnx`, checked by `onnx.checker`, and run by ONNX Runtime on 200 other rows. Values are",
        "compared with those of `mercer predict`, as parts of the largest; labels that differ are counted, and probabilities compared. The tables have",
        "numbers of several sizes, words, shares, and cells that are missing. In single precision digits are lost where large coefficients take each other",
        "away, as those of landmarks with a small λ do.",
        "",
        "| model | double: values | labels | probabilities | file | single: values | labels | probabilities | file |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *lines,
        "",
        "To repeat: `python3 bench/onnx_runtime.py` (see [bench/README.md](../../bench/README.md)).",
        "",
    ]
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write("\n".join(page))
    if failed:
        sys.exit("above the bounds: " + ", ".join(failed))


if __name__ == "__main__":
    main()
