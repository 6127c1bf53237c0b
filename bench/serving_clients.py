#!/usr/bin/env python3
"""Asks `mercer serve` by a public client, tritonclient, for a table of calls; see bench/README.md.

Needs `pip install tritonclient[http] numpy`, and the public tables in the folder that MERCER_DATA names.
"""

import argparse
import importlib.metadata
import json
import os
import subprocess
import tempfile

import numpy as np
import tritonclient.http as http

TOKEN = "of-the-shop"
PLACES = ["town", "village", "coast"]


def models(command, folder):
    """A classifier of four numbers, and a regression on two numbers and a word."""
    rng = np.random.default_rng(1)
    with open(os.path.join(folder, "houses.csv"), "w", encoding="utf-8") as f:
        f.write("size,rooms,place,price\n")
        for size, rooms, place in zip(50 + 100 * rng.random(200), rng.integers(1, 7, 200), rng.integers(0, 3, 200)):
            f.write(f"{size:.3f},{rooms},{PLACES[place]},{2 * size + 10 * rooms + rng.normal():.3f}\n")
    fits = [["krr", "houses.csv", "--target", "price", "-o", "house.mercer"],
            ["klr", os.path.join(os.environ["MERCER_DATA"], "csv", "iris.csv"), "--target", "last", "-o", "iris.mercer"]]
    for fit in fits:
        subprocess.run([command, "fit", *fit, "--kernel", "rbf(sigma=1)", "-q"], cwd=folder, check=True)


class Calls:
    def __init__(self, address):
        self.client = http.InferenceServerClient(address)
        self.seen = []

    def check(self, name, passes):
        self.seen.append((name, bool(passes)))

    @staticmethod
    def token():
        return {"Authorization": "Bearer " + TOKEN}  # the client adds to it

    def health(self):
        c = self.client
        self.check("server live", c.is_server_live(headers=self.token()))
        self.check("server ready", c.is_server_ready(headers=self.token()))
        self.check("model ready", c.is_model_ready("iris", headers=self.token()))
        self.check("version ready", c.is_model_ready("iris", "1", headers=self.token()))
        about = c.get_server_metadata(headers=self.token())
        self.check("server metadata", about["name"] == "mercer" and "binary_tensor_data" in about["extensions"])
        about = c.get_model_metadata("iris", headers=self.token())
        self.check("model metadata", about["inputs"][0]["shape"] == [-1, 4] and [o["name"] for o in about["outputs"]] == ["label", "value", "probability"])
        self.check("repository index", {m["name"] for m in c.get_model_repository_index(headers=self.token())} == {"house", "iris"})

    def tensors(self):
        x = np.array([[5.1, 3.5, 1.4, 0.2], [6.7, 3.0, 5.2, 2.3], [5.9, 3.0, 4.2, 1.5]])
        for datatype, values in (("FP64", x), ("FP32", x.astype(np.float32)), ("FP16", x.astype(np.float16))):
            for binary in (True, False):
                if datatype == "FP16" and not binary:
                    continue  # has no form in JSON
                for back in (True, False):
                    for packed in (None, "gzip", "deflate"):
                        tensor = http.InferInput("input", list(x.shape), datatype)
                        tensor.set_data_from_numpy(values, binary_data=binary)
                        wanted = [http.InferRequestedOutput(name, binary_data=back) for name in ("label", "probability")]
                        r = self.client.infer("iris", [tensor], outputs=wanted, headers=self.token(), request_id="7", request_compression_algorithm=packed)
                        first, chances = r.as_numpy("label")[0], r.as_numpy("probability")
                        first = first.decode() if isinstance(first, bytes) else first
                        self.check(f"{datatype}, {'binary' if binary else 'JSON'} in, {'binary' if back else 'JSON'} out, {packed or 'plain'}",
                                   first.endswith("setosa") and abs(chances.sum(1) - 1).max() < 1e-12 and r.get_response()["id"] == "7")
        tensor = http.InferInput("input", [3, 4], "FP64")
        tensor.set_data_from_numpy(x)
        self.check("all outputs", self.client.infer("iris", [tensor], headers=self.token()).as_numpy("probability").shape == (3, 3))
        self.check("asynchronous", self.client.async_infer("iris", [tensor], headers=self.token()).get_result().as_numpy("label").shape == (3,))
        return tensor

    def columns(self):
        inputs = []
        for name, values, datatype in (("size", np.array([[80.0]]), "FP64"), ("rooms", np.array([[3]], dtype=np.int32), "INT32"), ("place", np.array([[b"town"]], dtype=object), "BYTES")):
            tensor = http.InferInput(name, [1, 1], datatype)
            tensor.set_data_from_numpy(values)
            inputs.append(tensor)
        self.check("a tensor for each column", self.client.infer("house", inputs, headers=self.token()).as_numpy("value").shape == (1, 1))

    def failures(self, tensor):
        for name, text, ask in (("unknown model", "no model", lambda: self.client.infer("castle", [tensor], headers=self.token())),
                                ("no token", "token", lambda: self.client.infer("iris", [tensor]))):
            try:
                ask()
                self.check(name, False)
            except http.InferenceServerException as e:
                self.check(name, text in str(e))

    def repository(self):
        self.client.unload_model("iris", headers=self.token())
        self.check("unload", not self.client.is_model_ready("iris", headers=self.token()))
        self.client.load_model("iris", headers=self.token())
        self.check("load", self.client.is_model_ready("iris", headers=self.token()))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--mercer", required=True, help="the command")
    command = os.path.abspath(p.parse_args().mercer)
    with tempfile.TemporaryDirectory() as folder:
        models(command, folder)
        with open(os.path.join(folder, "tokens"), "w", encoding="utf-8") as f:
            f.write(TOKEN + "\n")
        serve = [command, "serve", "house.mercer", "iris.mercer", "--listen", "127.0.0.1:0", "--tokens", "tokens", "--admin", "--log", "off", "--json"]
        with subprocess.Popen(serve, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            said = ""
            while not said.rstrip().endswith("}"):
                said += server.stdout.readline()
            calls = Calls(json.loads(said)["address"].removeprefix("http://"))
            calls.health()
            tensor = calls.tensors()
            calls.columns()
            calls.failures(tensor)
            calls.repository()
            server.terminate()
    failed = [name for name, passes in calls.seen if not passes]
    print(f"tritonclient {importlib.metadata.version('tritonclient')}: {len(calls.seen)} calls, {len(failed)} fail {failed or ''}")
    raise SystemExit(len(failed) > 0)


if __name__ == "__main__":
    main()
