#!/usr/bin/env python3
"""Compares `mercer auto` with ensembles of trees on public tables; see bench/README.md.

Needs Python 3.11, Go, the packages of table_peers.txt, and the public tables in the folder that
MERCER_DATA names. Every fold is the same for all; a contestant that cannot be had is left out.
"""

import argparse
import csv
import datetime
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
from sklearn.model_selection import KFold, StratifiedKFold  # noqa: E402

import machine  # noqa: E402
import table_page  # noqa: E402
import table_peers  # noqa: E402
from table_rows import TABLES  # noqa: E402

FOLDS = 5


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--only", default="", help="tables, separated by commas; else all")
    p.add_argument("--contestants", default="", help="contestants, separated by commas; else all")
    p.add_argument("--folds", type=int, default=FOLDS, help="how many of the five folds are measured")
    p.add_argument("--threads", type=int, default=table_peers.THREADS, help="threads of each contestant")
    p.add_argument("--mercer", help="the command; else it is built")
    p.add_argument("--budget", type=float, default=3600, help="seconds after which no further fit is started")
    p.add_argument("--out", help="the results file, which is added to; else bench/results/tables/DATE-CPU.json")
    p.add_argument("--note", help="a sentence about this run, for the page")
    p.add_argument("--report", action="store_true", help="measure nothing: write docs/results/tables.md again")
    return p.parse_args()


def folds(table):
    """The training and test rows of every fold, the same for all contestants."""
    kind = StratifiedKFold if table.labels else KFold
    return list(kind(FOLDS, shuffle=True, random_state=1).split(table.x, table.y))


def error(table, y, predicted):
    """The root mean square error, or the share of labels that are wrong."""
    if table.labels:
        return float(np.mean(np.asarray(predicted) != y))
    return float(np.sqrt(np.mean((np.asarray(predicted, float) - y) ** 2)))


def processor():
    """Seconds that this process and those that it waited for have computed, with all threads."""
    of = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(r.ru_utime + r.ru_stime for r in of)


def write(path, table, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f)
        w.writerow([*table.names, "y"])
        for i in rows:
            w.writerow([*table.x[i], f"class {table.y[i]}" if table.labels else repr(float(table.y[i]))])


class Mercer:
    """The command, as a user runs it: search, fit, model file, predictions."""

    def __init__(self, command):
        self.command = command

    def run(self, table, train, test):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, n) for n in ("train.csv", "test.csv", "m.mercer", "out.csv")]
            write(names[0], table, train)
            write(names[1], table, test)
            began, computed = time.monotonic(), processor()
            found = subprocess.run([self.command, "auto", names[0], "--target", "y", "-o", names[2], "--json", "-q"], capture_output=True, text=True)
            took = {"seconds": time.monotonic() - began, "processor": processor() - computed}
            if found.returncode:
                raise RuntimeError(found.stderr.strip())
            subprocess.run([self.command, "predict", names[2], names[1], "-o", names[3], "-q"], check=True, capture_output=True)
            with open(names[3], newline="", encoding="utf-8") as f:
                cells = [row["y"] for row in csv.DictReader(f)]
        if table.labels:
            cells = [c.removeprefix("class ") for c in cells]
            cells = np.array(cells, dtype=table.y.dtype)
        return cells, took, json.loads(found.stdout)["kernel"]


class Peer:
    def __init__(self, make):
        self.make = make

    def run(self, table, train, test):
        began, computed = time.monotonic(), processor()
        predict = self.make(table, train)
        return predict(test), {"seconds": time.monotonic() - began, "processor": processor() - computed}, ""


def contestants(o):
    table_peers.THREADS, os.environ["GOMAXPROCS"] = o.threads, str(o.threads)
    mercer = o.mercer
    if not mercer:
        mercer = os.path.join(tempfile.mkdtemp(), "mercer")
        subprocess.run(["go", "build", "-o", mercer, "./cmd/mercer"], cwd=ROOT, check=True)
    all_of = {"mercer auto": Mercer(mercer), **{name: Peer(make) for name, make in table_peers.available().items()}}
    wanted = o.contestants.split(",") if o.contestants else list(all_of)
    return {name: all_of[name] for name in wanted}


def measure(o, path):
    results = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            results = json.load(f)
    results.setdefault("machine", machine.describe())
    results["note"] = o.note or results.get("note", "")
    results.setdefault("versions", table_peers.versions())
    known = {(r["table"], r["contestant"], r["fold"]) for r in results.setdefault("runs", [])}
    began, takes_part = time.monotonic(), contestants(o)
    names = o.only.split(",") if o.only else list(TABLES)
    tables = {name: TABLES[name]() for name in names}
    for k in range(o.folds):
        for name, table in tables.items():
            train, test = folds(table)[k]
            for who, c in takes_part.items():
                if (name, who, k) in known or time.monotonic() - began > o.budget:
                    continue
                run = {"table": name, "contestant": who, "fold": k, "rows": len(table.y), "columns": table.x.shape[1], "labels": table.labels}
                try:
                    predicted, took, run["found"] = c.run(table, train, test)
                    run |= took
                    run["error"] = error(table, table.y[test], predicted)
                except Exception as e:  # a contestant may fail where others do not
                    run["failed"] = f"{type(e).__name__}: {e}"[:300]
                results["runs"].append(run)
                print(name, who, k, run.get("error", run.get("failed")), round(run.get("seconds", 0), 1), run.get("found", ""), file=sys.stderr, flush=True)
                with open(path + ".part", "w", encoding="utf-8") as f:
                    json.dump(results, f, indent=1)
                os.replace(path + ".part", path)


def main():
    o = options()
    folder = os.path.join(HERE, "results", "tables")
    path = o.out or os.path.join(folder, f"{machine.slug(datetime.date.today(), 'full')}.json")
    if not o.report:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        measure(o, path)
    table_page.write(path, os.path.join(ROOT, "docs", "results", "tables.md"))


if __name__ == "__main__":
    main()
