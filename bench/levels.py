#!/usr/bin/env python3
"""Compare the routines of internal/simd at the levels of this machine.

    python3 bench/levels.py            # prints the table
    python3 bench/levels.py --save     # and keeps it in bench/results

Runs BenchmarkRoutines many times for a moment each, keeps the fastest runs of every
routine, for other work on the machine only ever makes a run slower, and lets benchstat
put the levels side by side. G/s are additions and multiplications, or numbers stored
where a routine does something else.
"""

import argparse
import collections
import datetime
import pathlib
import subprocess
import tempfile

import machine

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCHSTAT = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"
RUNS, KEPT = 30, 6  # benchstat wants six runs for an interval


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def fastest(lines):
    """Return the fastest KEPT runs of each benchmark, and all other lines first."""
    runs = collections.defaultdict(list)
    for line in lines:
        runs[line.split()[0] if line.startswith("Benchmark") else ""].append(line)
    others = [line for line in runs.pop("", []) if line.split(":")[0] in ("goos", "goarch", "pkg", "cpu")]
    return others + [line for r in runs.values() for line in sorted(r, key=lambda line: float(line.split()[2]))[:KEPT]]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--save", action="store_true", help="keep the table in bench/results")
    save = arguments.parse_args().save
    lines = output("go", "test", "-run", "^$", "-bench", "Routines", "-count", str(RUNS), "-benchtime", "2ms", "./internal/simd").splitlines()
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as kept:
        kept.write("\n".join(fastest(lines)) + "\n")
        kept.flush()
        table = output("go", "run", BENCHSTAT, "-col", "/level", "-filter", ".unit:G/s", kept.name)
    print(table, end="")
    if save:
        name = machine.slug(datetime.date.today().isoformat(), "levels") + ".txt"
        (ROOT / "bench" / "results" / name).write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main()
