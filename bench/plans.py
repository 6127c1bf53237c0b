#!/usr/bin/env python3
"""Compares what mercer plans with what its commands take; see bench/README.md.

Needs Python 3.11, Go, and the public tables in the folder that MERCER_DATA names.
"""

import argparse
import datetime
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PAGE = os.path.join(ROOT, "docs", "results", "plans.md")
RESULTS = os.path.join(HERE, "results", "plans")

import machine  # noqa: E402
import plan_page  # noqa: E402
import plan_rows  # noqa: E402
from contest import progress  # noqa: E402


def options():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--only", default="", help="only commands whose name matches this pattern")
    p.add_argument("--keep", help="folder for the generated tables and the rates of the machine; else a temporary one")
    p.add_argument("--mercer", help="the command; else it is built")
    p.add_argument("--budget", type=float, default=900, help="seconds after which no further command is started")
    p.add_argument("--resume", action="store_true", help="leave out what the results file has")
    p.add_argument("--note", default="", help="one sentence about this run, for the page")
    p.add_argument("--out", help="the results file; else bench/results/plans/DATE-CPU.json and docs/results/plans.md")
    p.add_argument("--report", action="store_true", help="measure nothing: write the page again")
    return p.parse_args()


def status(pid, field):
    """A number of /proc/PID/status in bytes, 0 where it is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as f:
            for line in f:
                if line.startswith(field):
                    return int(line.split()[1]) * 1024
    except (OSError, IndexError):
        pass
    return 0


def busy():
    """Seconds that all processes have computed on the cores of this one since the machine began."""
    own, ticks = {f"cpu{core}" for core in machine.cores()}, 0
    try:
        with open("/proc/stat", encoding="ascii") as f:
            for name, *numbers in map(str.split, f):
                if name in own:
                    user, nice, system, _, _, *rest = map(int, numbers)
                    ticks += user + nice + system + sum(rest[:3])
    except (OSError, ValueError):
        return 0.0
    return ticks / os.sysconf("SC_CLK_TCK")


def run(command, environment, limit):
    """Runs a command and returns its JSON with seconds, processor seconds and peak."""
    start, peak, before = time.monotonic(), [0], busy()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    pid = child.pid
    said = {}
    readers = [threading.Thread(target=lambda n=n, s=s: said.__setitem__(n, s.read())) for n, s in (("out", child.stdout), ("err", child.stderr))]
    stop = threading.Event()

    def look():
        while not stop.is_set():
            peak[0] = max(peak[0], status(pid, "VmHWM"))
            stop.wait(0.003)

    looking = threading.Thread(target=look)
    for thread in [*readers, looking]:
        thread.start()
    killer = threading.Timer(limit, child.kill)
    killer.start()
    _, code, use = os.wait4(pid, 0)
    wall, all_busy = time.monotonic() - start, busy() - before
    killer.cancel()
    stop.set()
    child.returncode = os.waitstatus_to_exitcode(code)
    for thread in [*readers, looking]:
        thread.join()
    own = use.ru_utime + use.ru_stime
    cores = len(machine.cores())
    taken = {"wall": wall, "processor": own, "others": max(0.0, all_busy - own) / wall / cores, "cores": cores, "peak": max(peak[0], use.ru_maxrss * 1024)}
    if child.returncode:
        words = [line for line in said["err"].splitlines() if line.strip()]
        taken["failed"] = (words[-1] if words else f"status {child.returncode}")[:300]
        return None, taken
    return json.loads(said["out"]) if said["out"].startswith("{") else {}, taken


def command(mercer, text, folders):
    words = shlex.split(text)
    words = [w.format(**folders) for w in words]
    where = {"fit": ["-o", os.path.join(folders["out"], "m.mercer")], "denoise": ["-o", os.path.join(folders["out"], "d.csv")]}
    return [mercer, *words, *where.get(words[0], []), "--json", "--quiet"]


def row(name, text, mercer, folders, environment, limit):
    """What a command planned and took."""
    out = {"name": name, "command": text}
    line = command(mercer, text, folders)
    planned = None
    if line[1] in plan_rows.PLANNED_APART:
        said, taken = run([*line, "--dry-run"], environment, limit)
        out["planning"] = taken["wall"]
        if said is None:
            return out | {"failed": "plan: " + taken["failed"]}
        planned = said["plan"]
    said, taken = run(line, environment, limit)
    out |= taken
    if said is None:
        return out
    seconds = taken["wall"]
    if planned is None and "planned" in said:
        planned, seconds = said["planned"]["plan"], said["report"]["seconds"]
        out["stages"] = {s["name"]: s["seconds"] for s in said["report"].get("stages", [])}
    out["seconds"] = seconds
    if planned is not None:
        out["planned"] = {"solver": planned["solver"], "seconds": planned["seconds"], "memory": planned["memory"], "rough": planned.get("rough", ""),
                          "resident": planned["machine"]["resident"], "stages": {s["stage"]: [s["seconds"], s["peak_memory"]] for s in planned["stages"]}}
    return out


def save(out, path):
    with open(path + ".part", "w", encoding="utf-8") as f:
        json.dump(out, f, indent=1, ensure_ascii=False)
        f.write("\n")
    os.replace(path + ".part", path)


def measure(o, folder):
    data = os.environ.get("MERCER_DATA")
    if not data or not os.path.isdir(data):
        sys.exit("MERCER_DATA names the folder of the public tables")
    mercer, keep = o.mercer, o.keep or folder
    if not mercer:
        mercer = os.path.join(folder, "mercer")
        subprocess.run(["go", "build", "-o", mercer, "./cmd/mercer"], cwd=ROOT, check=True)
    folders = {"data": data, "made": os.path.join(keep, "tables"), "out": folder}
    plan_rows.generate(folders["made"])
    environment = os.environ | {"XDG_CACHE_HOME": os.path.join(keep, "rates")}
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    path = o.out or os.path.join(RESULTS, machine.slug(now.date().isoformat(), "full") + ".json")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    known = {}
    if os.path.exists(path) and (o.resume or o.only):
        with open(path, encoding="utf-8") as f:
            known = {r["name"]: r for r in json.load(f)["rows"]}
    out = {"time": now.isoformat(), "machine": machine.describe(), "commit": machine.commit(ROOT), "note": o.note, "rows": []}
    began = time.monotonic()
    run(command(mercer, plan_rows.ROWS[0][1], folders), environment, 60)  # measures the machine
    for name, text in plan_rows.ROWS:
        left = o.budget - (time.monotonic() - began)
        wanted = not o.only or re.search(o.only, name)
        if not wanted or left <= 0 or o.resume and name in known:
            if name in known:
                out["rows"].append(known[name])
            continue
        r = row(name, text, mercer, folders, environment, min(120, max(left, 1)))
        out["rows"].append(r)
        progress(plan_page.line(r))
        save(out, path)
    save(out, path)


def main():
    o = options()
    if not o.report:
        with tempfile.TemporaryDirectory(prefix="mercer-plans-") as folder:
            measure(o, folder)
    if not o.out:
        text = plan_page.markdown(ROOT, RESULTS)
        if text is None:
            sys.exit("nothing was measured yet")
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main()
