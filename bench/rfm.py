#!/usr/bin/env python3
"""Compares `mercer fit rfm` with xrfm on public tables; see docs/results/rfm.md.

Needs Python 3.11, Go, the packages xrfm and scikit-learn, and the public tables in the folder that
MERCER_DATA names. Training and test rows are the same for both, and so is the share of the training
rows that judges the rounds; each draws those itself. Both have their defaults, on two processors.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

import numpy as np  # noqa: E402

import machine  # noqa: E402
import table_peers  # noqa: E402
from table_rows import TABLES  # noqa: E402
from tables import error, folds, write  # noqa: E402

NAMES = "boston,energy,concrete,airfoil,diabetes,abalone,california,kin40k,wdbc,svmguide1,letter,covtype"


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--only", default=NAMES, help="tables, separated by commas")
    p.add_argument("--folds", type=int, default=2, help="how many of the five folds are measured")
    p.add_argument("--mercer", help="the command; else it is built")
    p.add_argument("--budget", type=float, default=1800, help="seconds after which no further fit is started")
    p.add_argument("--out", help="the results file, which is added to; else bench/results/rfm/DATE-CPU.json")
    return p.parse_args()


def processor():
    return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def mercer(command, *flags):
    """The command, as a user runs it: table, preparation, plan, fit, model file; then predictions."""
    def run(table, train, test):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, n) for n in ("train.csv", "test.csv", "m.mercer", "out.csv")]
            write(names[0], table, train)
            write(names[1], table, test)
            began, used = time.monotonic(), processor()
            fitted = subprocess.run([command, "fit", "rfm", names[0], "--target", "y", "-o", names[2], "-q", "--json", *flags], check=True, capture_output=True)
            took = {"seconds": time.monotonic() - began, "processor_seconds": processor() - used, "fit_seconds": json.loads(fitted.stdout)["report"]["seconds"]}
            subprocess.run([command, "predict", names[2], names[1], "-o", names[3], "-q"], check=True, capture_output=True)
            with open(names[3], encoding="utf-8") as f:
                header, *rows = [line.strip().split(",") for line in f]
        cells = [row[header.index("y")] for row in rows]
        return np.array([c.removeprefix("class ") for c in cells], dtype=table.y.dtype) if table.labels else np.array(cells, float), took
    return run


def xrfm(table, train, test):
    began, used = time.monotonic(), processor()
    predict = table_peers.xrfm()(table, train)
    took = {"seconds": time.monotonic() - began, "processor_seconds": processor() - used}
    return predict(test), took | {"fit_seconds": took["seconds"]}


def contestants(o):
    command = o.mercer
    if not command:
        command = os.path.join(tempfile.mkdtemp(), "mercer")
        subprocess.run(["go", "build", "-o", command, "./cmd/mercer"], cwd=ROOT, check=True)
    return {"mercer, full": mercer(command, "--metric-shape", "full"), "mercer, diagonal": mercer(command), "xrfm": xrfm}


def main():
    o = options()
    path = o.out or os.path.join(HERE, "results", "rfm", f"{machine.slug(datetime.date.today(), 'full')}.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    results = {"machine": machine.describe(), "versions": {p: importlib.metadata.version(p) for p in ("xrfm", "torch", "numpy")}, "runs": []}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            results = json.load(f)
    known = {(r["table"], r["contestant"], r["fold"]) for r in results["runs"]}
    began, takes_part = time.monotonic(), contestants(o)
    for k in range(o.folds):
        for name in o.only.split(","):
            table = TABLES[name]()
            train, test = folds(table)[k]
            for who, run in takes_part.items():
                if (name, who, k) in known or time.monotonic() - began > o.budget:
                    continue
                r = {"table": name, "contestant": who, "fold": k, "rows": len(train), "columns": table.x.shape[1], "labels": table.labels}
                try:
                    found, took = run(table, train, test)
                    r |= took
                    r["error"] = error(table, table.y[test], found)
                except Exception as e:  # a contestant may fail where others do not
                    r["failed"] = f"{type(e).__name__}: {e}"[:300]
                results["runs"].append(r)
                print(name, who, k, r.get("error", r.get("failed")), round(r.get("seconds", 0), 1), round(r.get("processor_seconds", 0), 1), file=sys.stderr, flush=True)
                with open(path, "w", encoding="utf-8") as f:
                    json.dump(results, f, indent=1)


if __name__ == "__main__":
    main()
