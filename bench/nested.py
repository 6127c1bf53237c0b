#!/usr/bin/env python3
"""Compares the nested error that `mercer auto` reports with the error on rows that it never saw; see bench/README.md.

A fifth of the rows of each public table is put aside. `mercer auto --nested` sees the others alone, in
10 outer parts up to 3,000 rows and in 5 beyond, and so does the model that predicts the rows aside. Both errors have a standard error, and they agree
where they differ by less than two standard errors of their difference. Needs what bench/tables.py
needs, without its peers.
"""

import argparse
import csv
import datetime
import json
import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

import numpy as np  # noqa: E402

import machine  # noqa: E402
from table_rows import TABLES  # noqa: E402
from tables import folds, write  # noqa: E402

FEW = 3000  # rows up to which there are ten outer parts


def parts_for(table):
    """A tenth fewer rows cost little where a fifth fewer cost much."""
    return 10 if len(table.y) <= FEW else 5


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--only", default=",".join(TABLES), help="tables, separated by commas")
    p.add_argument("--parts", type=int, help="outer parts of every table; else 10 up to 3,000 rows and 5 beyond")
    p.add_argument("--rows", type=int, default=5000, help="rows of a table at most: the first of a random order")
    p.add_argument("--mercer", help="the command; else it is built")
    p.add_argument("--out", help="the results file, which is added to; else bench/results/nested/DATE-CPU.json")
    return p.parse_args()


def sample(table, most):
    if len(table.y) > most:
        some = np.sort(np.random.default_rng(0).permutation(len(table.y))[:most])
        table.x, table.y = table.x[some], table.y[some]
    return table


def on_rows_aside(table, rows, predicted):
    """The error and its standard error: of labels the share that is wrong, else the root mean square."""
    y, n = table.y[rows], len(rows)
    if table.labels:
        wrong = float(np.mean(predicted != y))
        return wrong, math.sqrt(wrong * (1 - wrong) / n)
    squares = (predicted.astype(float) - y) ** 2
    root = math.sqrt(squares.mean())
    return root, float(squares.std(ddof=1)) / math.sqrt(n) / (2 * root)  # by the delta method


def pooled_error(nested, error, seen, aside):
    """The standard error of a share of rows aside, were it that of all rows: where none is wrong, its own is 0."""
    share = (nested * seen + error * aside) / (seen + aside)
    return math.sqrt(share * (1 - share) / aside)


def predictions(path, table):
    with open(path, newline="", encoding="utf-8") as f:
        cells = [row["y"] for row in csv.DictReader(f)]
    return np.array([c.removeprefix("class ") for c in cells]).astype(table.y.dtype)


def measure(command, name, table, parts):
    train, aside = folds(table)[0]
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, n) for n in ("train.csv", "aside.csv", "m.mercer", "out.csv")]
        write(names[0], table, train)
        write(names[1], table, aside)
        search = [command, "auto", names[0], "--target", "y", "-q"]
        said = subprocess.run([*search, "--nested", str(parts), "--json"], check=True, capture_output=True, text=True)
        subprocess.run([*search, "-o", names[2]], check=True, capture_output=True)
        subprocess.run([command, "predict", names[2], names[1], "-o", names[3], "-q"], check=True, capture_output=True)
        error, spread = on_rows_aside(table, aside, predictions(names[3], table))
        both = len(train), len(aside)
    a = json.loads(said.stdout)["assessment"]
    nested, deviation = a["mean_rmse"], a["standard_error"]
    if table.labels:
        nested, deviation = 1 - a["accuracy"]["mean"], a["accuracy"]["standard_deviation"] / math.sqrt(parts)
        spread = pooled_error(nested, error, *both)
    return {"table": name, "rows": len(table.y), "labels": table.labels, "parts": parts, "nested": nested, "nested_error": deviation, "aside": error, "aside_error": spread,
            "apart": abs(nested - error) / math.hypot(deviation, spread) if deviation or spread else float(nested != error)}


def main():
    o = options()
    command = o.mercer
    if not command:
        command = os.path.join(tempfile.mkdtemp(), "mercer")
        subprocess.run(["go", "build", "-o", command, "./cmd/mercer"], cwd=ROOT, check=True)
    path = o.out or os.path.join(HERE, "results", "nested", f"{machine.slug(datetime.date.today(), 'full')}.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    results = {"machine": machine.describe(), "runs": []}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            results = json.load(f)
    for name in o.only.split(","):
        if any(r["table"] == name for r in results["runs"]):
            continue
        table = sample(TABLES[name](), o.rows)
        r = measure(command, name, table, o.parts or parts_for(table))
        results["runs"].append(r)
        print(f"{name}: nested {r['nested']:.4g} ± {r['nested_error']:.2g}, rows aside {r['aside']:.4g} ± {r['aside_error']:.2g}, {r['apart']:.1f} standard errors apart", file=sys.stderr, flush=True)
        with open(path + ".part", "w", encoding="utf-8") as f:
            json.dump(results, f, indent=1)
        os.replace(path + ".part", path)
    agree = sum(r["apart"] <= 2 for r in results["runs"])
    print(f"{agree} of {len(results['runs'])} tables agree within two standard errors", file=sys.stderr)


if __name__ == "__main__":
    main()
