#!/usr/bin/env python3
"""Measures mercer beside its peers; see bench/README.md.

Needs Python 3.11 and Go. The peers go into a virtual environment of their own.
"""

import argparse
import datetime
import json
import os
import py_compile
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
INSIDE = "MERCER_BENCH_INSIDE"  # set for the run inside of the virtual environment

import machine  # noqa: E402
import report  # noqa: E402
from contest import Contest, progress  # noqa: E402


def requirements():
    """The lines of requirements.txt, as (name, line)."""
    with open(os.path.join(HERE, "requirements.txt"), encoding="utf-8") as f:
        lines = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    return [(re.split("[=<>]", line)[0], line) for line in lines]


def install(venv):
    """Makes the environment and returns its Python and what could not be had."""
    python = os.path.join(venv, "Scripts" if os.name == "nt" else "bin", "python")
    if not os.path.exists(python):
        progress(f"making {venv}")
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    missing = {}
    for name, line in requirements():
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=numpy,scipy,scikit-learn", line],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            words = done.stderr.strip().splitlines()
            missing[name] = words[-1] if words else f"pip ended with status {done.returncode}"
            progress(f"left out: {name}: {missing[name]}")
    return python, missing


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--scale", choices=("small", "full"), default="small", help="sizes: small is minutes, full about an hour and 16 GB")
    p.add_argument("--rows", default="", help="only these rows, separated by commas: 1,1c,eigh")
    p.add_argument("--data", help="California housing (numbers, target last; .csv, .data, also .gz): adds the end-to-end row")
    p.add_argument("--threads", type=int, default=2, help="of every side")
    p.add_argument("--rounds", type=int, help="rounds of every row; else as many as fit in --budget, 3 to 9")
    p.add_argument("--budget", type=float, default=20, help="seconds a row should take")
    p.add_argument("--venv", default=os.path.join(HERE, ".venv"), help="where the peers are installed")
    p.add_argument("--note", default="", help="one sentence about this run, for the document")
    p.add_argument("--out", help="the results file; else bench/results/DATE-CPU.json and docs/results/benchmarks.md")
    p.add_argument("--check", action="store_true", help="measure nothing: compile the scripts, compare the document with its results")
    p.add_argument("--report", action="store_true", help="measure nothing: write docs/results/benchmarks.md again")
    return p.parse_args()


def check():
    with tempfile.TemporaryDirectory() as scratch:
        for name in sorted(os.listdir(HERE)):
            if name.endswith(".py"):
                py_compile.compile(os.path.join(HERE, name), cfile=os.path.join(scratch, name + "c"), doraise=True)
    text, path = report.markdown(ROOT), os.path.join(ROOT, "docs", "results", "benchmarks.md")
    if text is not None:
        with open(path, encoding="utf-8") as f:
            if f.read() != text:
                sys.exit("docs/results/benchmarks.md is not what the newest results make: python3 bench/run.py --report")
    print("scripts compile, document is current")


def write_report():
    missing = report.chart(ROOT)
    if missing:
        progress(missing)
    text = report.markdown(ROOT)
    if text is None:
        sys.exit("nothing was measured yet")
    with open(os.path.join(ROOT, "docs", "results", "benchmarks.md"), "w", encoding="utf-8") as f:
        f.write(text)


def save(out, path):
    """Writes what has been measured so far: an hour is long, and the file is whole at any time."""
    out["versions"] = {k: v.removeprefix("go").removeprefix("v") for k, v in sorted(out["versions"].items())}
    with open(path + ".part", "w", encoding="utf-8") as f:
        json.dump(out, f, indent=1, ensure_ascii=False)
        f.write("\n")
    os.replace(path + ".part", path)


def measure(o):
    from rows import rows

    wanted = [w for w in o.rows.split(",") if w]
    chosen = [r for r in rows(o.scale, o.data) if not wanted or r.key.split()[0] in wanted]
    if not chosen:
        sys.exit(f"no row is called one of {wanted}")
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    out = {"time": now.isoformat(), "scale": o.scale, "threads": o.threads, "note": o.note, "machine": machine.describe(),
           "commit": machine.commit(ROOT), "versions": {}, "missing": json.loads(os.environ[INSIDE]), "rows": []}
    path = o.out or os.path.join(HERE, "results", machine.slug(now.date().isoformat(), o.scale) + ".json")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mercer-bench-") as folder:
        helper = os.path.join(folder, "mercerbench")
        subprocess.run(["go", "build", "-o", helper, "./bench/mercerbench"], cwd=ROOT, check=True)
        contest = Contest({"go": [helper], "peer": [sys.executable, os.path.join(HERE, "peers.py")],
                           "R": ["Rscript", "--vanilla", os.path.join(HERE, "kernlab.R")]}, o.threads, o.budget, o.rounds)
        for row in chosen:
            result = contest.run(row, progress)
            for c in result["contestants"].values():
                out["versions"].update(c.pop("ready"))
            out["rows"].append(result)
            for p in result["pairs"]:
                progress(f"{row.key:>10}  {p['peer']} ÷ {p['mercer']}: {p['ratio']['min']:.2f} / {p['ratio']['median']:.2f} / {p['ratio']['max']:.2f}")
            for name, why in result["skipped"].items():
                progress(f"{row.key:>10}  left out: {name}: {why}")
            save(out, path)
    progress(f"wrote {path}")
    if not o.out:
        write_report()


def main():
    o = options()
    if o.check:
        return check()
    if o.report:
        return write_report()
    if o.data:
        o.data = os.path.abspath(o.data)
    if INSIDE in os.environ:
        return measure(o)
    python, missing = install(o.venv)
    if "numpy" in missing:
        sys.exit(f"numpy is the judge, and it cannot be had: {missing['numpy']}")
    return sys.exit(subprocess.run([python, os.path.abspath(__file__), *sys.argv[1:]], env=dict(os.environ, **{INSIDE: json.dumps(missing)}), check=False).returncode)


if __name__ == "__main__":
    main()
