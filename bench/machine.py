"""What ran where: the machine, the state of the code, the name of a results file."""

import os
import platform
import re
import subprocess


def cpu():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            for line in f:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def cores():
    """The cores that this process and those it starts may use."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))


def describe():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    wide = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            flags = f.read()
        wide = " with AVX-512" if " avx512f" in flags else " with AVX2" if " avx2" in flags else ""
    except OSError:
        pass
    used, there = len(cores()), os.cpu_count() or 1
    count = f"{there} cores" if used == there else f"{used} of {there} cores"
    return {"cpu": f"{cpu()}{wide}, {count}", "memory": memory, "system": f"{platform.system()} {platform.machine()}"}


def commit(root):
    def git(*args):
        return subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=False).stdout.strip()

    dirty = git("status", "--porcelain", "--untracked-files=no")
    return (git("rev-parse", "--short=12", "HEAD") or "unknown") + (" with changes" if dirty else "")


def slug(date, scale):
    name = re.sub(r"[^a-z0-9]+", "-", cpu().lower()).strip("-")
    return f"{date}-{name}" + ("" if scale == "full" else f"-{scale}")
