"""One row measured: processes, turns, peaks.

Every contestant is a process of its own. They take turns, A B C A B C …; the first
round is discarded, but for rows that say otherwise; a ratio is that of two runs of the
same round.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

PAUSE = 0.2  # seconds between two turns: threads of a BLAS spin for a while when they are done


class Skipped(Exception):
    """A contestant that cannot take part; the text is the word about why."""


class Contestant:
    def __init__(self, name, command, folder, env):
        self.name, self.log = name, tempfile.TemporaryFile("w+")
        try:
            self.process = subprocess.Popen(
                command + [name, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self.log, text=True, env=env, cwd=folder)
        except OSError as e:
            raise Skipped(str(e)) from e
        try:
            self.ready = self.read()["ready"]
        except Skipped:
            self.leave()
            raise

    def read(self):
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.process.wait()
        self.log.seek(0)
        words = [w for w in self.log.read().strip().splitlines() if w.strip()]
        raise Skipped(words[-1] if words else f"ended with status {self.process.returncode}")

    def ask(self, command):
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # read says why
        return self.read()

    def peak(self):
        """VmHWM, the most memory that was resident, in bytes; None where unknown."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as f:
                for line in f:
                    if line.startswith("VmHWM:"):
                        return int(line.split()[1]) * 1024
        except OSError:
            pass
        return None

    def leave(self):
        try:
            self.process.stdin.close()
        except OSError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.log.close()


def spread(values):
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


class Contest:
    """Runs rows: commands maps "go", "peer" and "R" to the start of a command line."""

    def __init__(self, commands, threads, budget, rounds=None):
        self.commands, self.budget, self.rounds = commands, budget, rounds
        n = str(threads)
        self.env = dict(os.environ, GOMAXPROCS=n, OMP_NUM_THREADS=n, OPENBLAS_NUM_THREADS=n, MKL_NUM_THREADS=n,
                        NUMEXPR_NUM_THREADS=n, PYTHONWARNINGS="ignore")

    def start(self, name, folder):
        side = "go" if name.startswith(("mercer", "gonum")) else "R" if name.startswith("kernlab") else "peer"
        return Contestant(name, self.commands[side], folder, self.env)

    def run(self, row, say):
        with tempfile.TemporaryDirectory(prefix="mercer-bench-") as folder:
            row.prepare(folder)
            load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
            out = {"key": row.key, "work": row.work, "judged": row.judged, "notes": row.notes, "load": load,
                   "alone": row.alone, "contestants": {}, "skipped": {}, "pairs": []}
            if row.memory:
                self.peaks(row, folder, out, say)
            else:
                self.times(row, folder, out, say)
        self.compare(row, out)
        return out

    def times(self, row, folder, out, say):
        """Interleaved rounds, then every result before the judge."""
        playing = {}
        for name in row.contestants():
            try:
                playing[name] = self.start(name, folder)
            except Skipped as e:
                out["skipped"][name] = str(e)
        runs, count, done = {name: [] for name in playing}, row.rounds if row.cold else None, 0
        while count is None or done < count:
            begin = time.monotonic()
            for name in list(playing):
                time.sleep(PAUSE)
                try:
                    seconds = playing[name].ask("run")["seconds"]
                except Skipped as e:
                    out["skipped"][name] = str(e)
                    playing.pop(name).leave()
                    continue
                if count is not None:
                    runs[name].append(seconds)
                    say(f"{row.key:>10}  {name:<34} {seconds:.6g} s")
            if count is None:
                count = self.rounds or row.rounds or max(3, min(9, int(self.budget / max(time.monotonic() - begin, 1e-9))))
            else:
                done += 1
        for name, c in playing.items():
            record = {"runs": runs[name], "seconds": spread(runs[name]), "peak": c.peak(), "ready": c.ready}
            record["error"] = self.judged(row, folder, c)
            out["contestants"][name] = record
            c.leave()

    def peaks(self, row, folder, out, say):
        """One process, one run each: what it held at most, and what it held before."""
        for name in row.contestants():
            try:
                c = self.start(name, folder)
            except Skipped as e:
                out["skipped"][name] = str(e)
                continue
            before = c.peak()
            try:
                c.ask("run")
            except Skipped as e:
                out["skipped"][name] = str(e)
                c.leave()
                continue
            peak = c.peak()
            if peak is None:
                out["skipped"][name] = "this system does not tell the peak of a process"
            else:
                say(f"{row.key:>10}  {name:<34} {peak / 1e6:.0f} MB")
                out["contestants"][name] = {"peak": peak, "before": before, "of": {row.memory: peak / row.floor}, "ready": c.ready,
                                            "error": self.judged(row, folder, c)}
            c.leave()

    def judged(self, row, folder, contestant):
        contestant.ask("save")
        error = row.judge(folder)
        for name in ("result", "sample", "values"):
            path = os.path.join(folder, name + ".npy")
            if os.path.exists(path):
                os.remove(path)
        return error

    def compare(self, row, out):
        """Ratios peer ÷ mercer: more than 1 where mercer needs less."""
        for mine, peer in row.pairs:
            a, b = out["contestants"].get(mine), out["contestants"].get(peer)
            if a is None or b is None:
                continue
            if row.memory:
                ratios = [b["peak"] / a["peak"]]
            else:
                ratios = [y / x for x, y in zip(a["runs"], b["runs"])]
            out["pairs"].append({"mercer": mine, "peer": peer, "ratio": spread(ratios), "rounds": len(ratios)})


def progress(text):
    print(text, file=sys.stderr, flush=True)
