"""Errors of convolutional kernel networks on MNIST, USPS and CIFAR-10 (docs/results/images.md).

    python bench/images.py --mercer ./mercer [m300 m1000 m5000 m60000 usps cifar]

Reads the images below MERCER_DATA, writes the subsets and the split into a temporary folder, and prints for each
task the error, the time, the processor time and the largest memory of the fit and of the test.
"""

import argparse
import gzip
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
import zlib

IMAGES = os.path.join(os.environ["MERCER_DATA"], "images")
DIGITS = "ckn(shape=[28, 28, 1], input=gradient, reduce=2, patch=5, pool=4, sigma=0.6, normalize=yes)"
ZIPCODES = "ckn(shape=[16, 16, 1], input=gradient, patch=5, pool=4, sigma=0.6, normalize=yes)"
PHOTOS = "ckn(shape=[32, 32, 3], input=whitened, patch=[3, 3], pool=[2, 6], sigma=0.6, normalize=yes)"


def mnist(folder, n):
    """The first n training images of MNIST with their labels; the files themselves for all."""
    names = [os.path.join(IMAGES, f"mnist-train-{kind}-ubyte.gz") for kind in ("images-idx3", "labels-idx1")]
    if n == 60000:
        return names[0]
    images, labels = (gzip.open(name).read() for name in names)
    path = os.path.join(folder, f"m{n}-images-idx3-ubyte")
    with open(path, "wb") as f:
        f.write(images[:4] + struct.pack(">III", n, 28, 28) + images[16 : 16 + 784 * n])
    with open(path.replace("images-idx3", "labels-idx1"), "wb") as f:
        f.write(labels[:4] + struct.pack(">I", n) + labels[8 : 8 + n])
    return path


def sheet(path):
    """The rows of an RGB or RGBA PNG file of 8 bits, as bytes of RGB."""
    raw, at, data = open(path, "rb").read(), 8, b""
    while at < len(raw):
        (size,) = struct.unpack(">I", raw[at : at + 4])
        kind, body = raw[at + 4 : at + 8], raw[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            data += body
        at += 12 + size
    channels = {2: 3, 6: 4}[colour]
    stride, data, rows = width * channels, zlib.decompress(data), []
    above = bytearray(stride)
    for y in range(height):
        how, row = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for x in range(stride):
            a, b, c = (row[x - channels], above[x], above[x - channels]) if x >= channels else (0, above[x], 0)
            if how == 4:
                p = [abs(b - c), abs(a - c), abs(a + b - 2 * c)]
                row[x] = (row[x] + (a, b, c)[p.index(min(p))]) & 255
            else:
                row[x] = (row[x] + (0, a, b, (a + b) // 2)[how]) & 255
        rows.append(bytes(v for x, v in enumerate(row) if x % channels < 3))
        above = row
    return rows


def cifar(folder):
    """Four fifths of the 2000 images, and every fifth one, from the first, to test."""
    rows = [row for i in range(2) for row in sheet(os.path.join(IMAGES, f"cifar10_batch_{i}.png"))]
    labels = open(os.path.join(IMAGES, "cifar10_labels_0_1.txt")).read().split()
    out = []
    for name, some in (("train", [i for i in range(2000) if i % 5]), ("test", range(0, 2000, 5))):
        images = os.path.join(folder, f"cifar-{name}-images-idx4-ubyte")
        with open(images, "wb") as f:
            f.write(b"\0\0\x08\x04" + struct.pack(">IIII", len(some), 32, 32, 3) + b"".join(rows[i] for i in some))
        with open(images.replace("images-idx4", "labels-idx1"), "wb") as f:
            f.write(b"\0\0\x08\x01" + struct.pack(">I", len(some)) + bytes(int(labels[i]) for i in some))
        out.append((images, images.replace("images-idx4", "labels-idx1")))
    return out


def run(words):
    """The output of a command, its seconds, its processor seconds and its largest memory in MB."""
    began = time.time()
    p = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    text = p.stdout.read()
    _, status, used = os.wait4(p.pid, 0)
    if status:
        sys.exit(f"{' '.join(words)}: failed")
    return text, time.time() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--mercer", default="mercer")
    a.add_argument("tasks", nargs="*", default=["m300", "m1000", "m5000", "usps", "cifar"])
    o = a.parse_args()
    print("| task | error | fit: s | cpu s | MB | test: s | cpu s |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for task in o.tasks:
            model, aside = os.path.join(folder, "model"), []
            target = ["--target", "label", "--type", "label=categorical"]
            if task == "usps":
                train, test = (os.path.join(IMAGES, f"usps-zip.{part}.gz") for part in ("train", "test"))
                target = ["--target", "#1", "--type", "#1=categorical"]
                how = ["--kernel", ZIPCODES, "--filters", "200", "--lambda", "1e-6"]
            elif task == "cifar":
                (train, labels), (test, beside) = cifar(folder)
                target, aside = target + ["--labels", labels], ["--labels", beside]
                how = ["--kernel", PHOTOS, "--filters", "64,256", "--lambda", "1e-4"]
            else:
                n = int(task[1:])
                train, test = mnist(folder, n), os.path.join(IMAGES, "mnist-t10k-images-idx3-ubyte.gz")
                how = ["--kernel", DIGITS, "--filters", "400"]
                if n > 10000:
                    how += ["--lambda", "1e-7", "--max-mem", "8GiB"]
            _, s, cpu, mb = run([o.mercer, "fit", "krr", train] + target + how + ["-o", model])
            text, t, more, _ = run([o.mercer, "eval", model, test] + aside)
            accuracy = float(re.search(r"accuracy +([0-9.]+)", text).group(1))
            print(f"| {task} | {100 * (1 - accuracy):.2f} % | {s:.0f} | {cpu:.0f} | {mb:.0f} | {t:.0f} | {more:.0f} |", flush=True)


if __name__ == "__main__":
    main()
