#!/usr/bin/env python3
"""Asks `mercer serve` by public clients, tritonclient and kserve, over HTTP and gRPC, for a table of calls; see bench/README.md.

Needs `pip install tritonclient[all] kserve numpy`, and the public tables in the folder that MERCER_DATA names. Each client runs in a
process of its own: two of them declare the same messages. With --generator, the .jar of openapi-generator-cli, a client that is
generated from /openapi.json asks, too (it needs Java, and `pip install pydantic urllib3 python-dateutil`).
"""

import argparse
import asyncio
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
import urllib.request

import numpy as np

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


X = np.array([[5.1, 3.5, 1.4, 0.2], [6.7, 3.0, 5.2, 2.3], [5.9, 3.0, 4.2, 1.5]])


class Calls:
    """What was asked, and whether the answer was right."""

    def __init__(self):
        self.seen = []

    def check(self, name, passes):
        self.seen.append((name, bool(passes)))

    @staticmethod
    def token():
        return {"Authorization": "Bearer " + TOKEN}  # the client adds to it

    def right(self, name, labels, chances):
        first = labels[0].decode() if isinstance(labels[0], bytes) else str(labels[0])
        self.check(name, first.endswith("setosa") and np.shape(chances) == (3, 3) and abs(np.sum(chances, 1) - 1).max() < 1e-12)


class TritonHTTP(Calls):
    package = "tritonclient"

    def __init__(self, address):
        super().__init__()
        global http
        import tritonclient.http as http
        self.client = http.InferenceServerClient(address)

    def run(self):
        self.health()
        tensor = self.tensors()
        self.columns()
        self.failures(tensor)
        self.repository()

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
        x = X
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


class TritonGRPC(Calls):
    package = "tritonclient"

    def __init__(self, address):
        super().__init__()
        global grpc
        import tritonclient.grpc as grpc
        self.client = grpc.InferenceServerClient(address)

    def run(self):
        c, token = self.client, {"authorization": "Bearer " + TOKEN}
        self.check("server live", c.is_server_live(headers=token))
        self.check("server ready", c.is_server_ready(headers=token))
        self.check("model ready", c.is_model_ready("iris", headers=token))
        about = c.get_server_metadata(headers=token)
        self.check("server metadata", about.name == "mercer" and "model_repository" in about.extensions)
        about = c.get_model_metadata("iris", headers=token)
        self.check("model metadata", list(about.inputs[0].shape) == [-1, 4] and [o.name for o in about.outputs] == ["label", "value", "probability"])
        self.check("repository index", {m.name for m in c.get_model_repository_index(headers=token).models} == {"house", "iris"})
        for datatype, values in (("FP64", X), ("FP32", X.astype(np.float32)), ("FP16", X.astype(np.float16))):
            tensor = grpc.InferInput("input", [3, 4], datatype)
            tensor.set_data_from_numpy(values)
            wanted = [grpc.InferRequestedOutput(name) for name in ("label", "probability")]
            for packed in (None, "gzip"):
                r = c.infer("iris", [tensor], outputs=wanted, headers=token, request_id="7", compression_algorithm=packed)
                self.right(f"{datatype}, {packed or 'plain'}", r.as_numpy("label"), r.as_numpy("probability"))
        self.check("request id", r.get_response().id == "7")
        inputs = []
        for name, values, datatype in (("size", np.array([[80.0]]), "FP64"), ("rooms", np.array([[3]], dtype=np.int32), "INT32"), ("place", np.array([[b"town"]], dtype=object), "BYTES")):
            one = grpc.InferInput(name, [1, 1], datatype)
            one.set_data_from_numpy(values)
            inputs.append(one)
        self.check("a tensor for each column", c.infer("house", inputs, headers=token).as_numpy("value").shape == (1, 1))
        for name, code, ask in (("unknown model", "NOT_FOUND", lambda: c.infer("castle", [tensor], headers=token)),
                                ("no token", "UNAUTHENTICATED", lambda: c.infer("iris", [tensor])),
                                ("unknown output", "INVALID_ARGUMENT", lambda: c.infer("iris", [tensor], outputs=[grpc.InferRequestedOutput("x")], headers=token))):
            try:
                ask()
                self.check(name, False)
            except grpc.InferenceServerException as e:
                self.check(name, code in str(e.status()))
        c.unload_model("iris", headers=token)
        self.check("unload", not c.is_model_ready("iris", headers=token))
        c.load_model("iris", headers=token)
        self.check("load", c.is_model_ready("iris", headers=token))


class KServe(Calls):
    package = "kserve"

    def __init__(self, address):
        super().__init__()
        self.address = address

    def run(self):
        asyncio.run(self.ask())

    async def ask(self):
        from kserve import InferenceGRPCClient, InferenceRESTClient, InferInput, InferRequest, RESTConfig
        base, token = "http://" + self.address, {"Authorization": "Bearer " + TOKEN}
        rest = InferenceRESTClient(RESTConfig(protocol="v2"))
        self.check("HTTP: server live", await rest.is_server_live(base))
        self.check("HTTP: server ready", await rest.is_server_ready(base))
        self.check("HTTP: model ready", await rest.is_model_ready(base, "iris", headers=token))
        grpc = InferenceGRPCClient(self.address)
        metadata = (("authorization", "Bearer " + TOKEN),)
        self.check("gRPC: server live", await grpc.is_server_live(headers=metadata))
        self.check("gRPC: server ready", await grpc.is_server_ready(headers=metadata))
        self.check("gRPC: model ready", await grpc.is_model_ready("iris", headers=metadata))
        for binary in (False, True):
            for datatype, values in (("FP64", X), ("FP32", X.astype(np.float32))):
                tensor = InferInput("input", [3, 4], datatype)
                tensor.set_data_from_numpy(values, binary_data=binary)
                request = InferRequest("iris", [tensor], request_id="7")
                name = f"{datatype}, {'bytes' if binary else 'lists'}"
                r = await rest.infer(base, request, headers=token, model_name="iris")
                self.answered("HTTP: " + name, r)
                r = await grpc.infer(request, headers=metadata)
                self.answered("gRPC: " + name, r)
        await rest.close()
        await grpc.close()

    def answered(self, name, r):
        outputs = {o.name: o.as_numpy() for o in r.outputs}
        self.right(name, outputs["label"], outputs["probability"])
        self.check(name + ", request id", r.id == "7")


class Generated(Calls):
    package = "pydantic"

    def __init__(self, address):
        super().__init__()
        import mercer_api
        self.api = mercer_api
        self.client = mercer_api.ApiClient(mercer_api.Configuration(host="http://" + address, access_token=TOKEN))

    def run(self):
        m, c = self.api, self.client
        rows, tensors, health = m.RowsByNameApi(c), m.OpenInferenceProtocolVersion2Api(c), m.HealthAndMetricsApi(c)
        self.check("live", health.get_livez().live)
        self.check("ready", health.get_readyz().ready and tensors.get_v2_health_ready().ready)
        self.check("metrics", "mercer_requests_total" in health.get_metrics())
        self.check("server", tensors.get_v2().name == "mercer")
        self.check("models", {o.name for o in rows.get_v1_models().models} == {"house", "iris"})
        self.check("model", rows.get_v1_models_model("iris").method == "klr" and rows.get_v1_models_model_info("house").method == "krr")
        self.check("metadata", tensors.get_v2_models_model("iris").inputs[0].shape == [-1, 4])
        one = m.Rows(m.RowList.from_dict({"rows": [{"size": 80, "rooms": 3, "place": "town"}]}))
        said = rows.post_v1_models_model_predict("house", one, interval=0.9).rows[0]
        self.check("predict", said["price lower"] < said["price"] < said["price upper"])
        self.check("intervals", rows.post_v1_models_model_intervals("house", one).rows[0]["price"] == said["price"])
        self.check("explain", len(rows.post_v1_models_model_explain("house", one, top=3).explanations[0]["parts"]) > 0)
        flower = m.Rows(m.ColumnLists.from_dict({"columns": {name: [v] for name, v in zip([i.name for i in rows.get_v1_models_model("iris").inputs], X[0].tolist())}}))
        self.check("probabilities", len(rows.post_v1_models_model_probabilities("iris", flower).rows[0]) >= 3)
        self.check("sets", rows.post_v1_models_model_predict("iris", flower).model == "iris")
        self.check("verify", rows.post_v1_models_model_verify("iris").worst <= 1e-9)
        r = tensors.post_v2_models_model_infer("iris", m.InferRequest.from_dict({"id": "7", "inputs": [{"name": "input", "shape": [3, 4], "datatype": "FP64", "data": X.ravel().tolist()}]}))
        outputs = {o.name: o.data for o in r.outputs}
        self.right("infer", outputs["label"], np.reshape(outputs["probability"], (3, 3)))
        self.check("request id", r.id == "7")
        self.check("repository", {o.name for o in tensors.post_v2_repository_index()} == {"house", "iris"})
        try:
            rows.get_v1_models_model("castle")
            self.check("unknown model", False)
        except m.exceptions.NotFoundException as e:
            self.check("unknown model", "no model" in e.body)
        tensors.post_v2_repository_models_model_unload("iris")
        tensors.post_v2_repository_models_model_load("iris")
        self.check("unload and load", tensors.get_v2_models_model_ready("iris").ready)


CLIENTS = {c.__name__: c for c in (TritonHTTP, TritonGRPC, KServe, Generated)}


def generate(jar, address, folder):
    """Generates a client from the document of a server."""
    document = os.path.join(folder, "openapi.json")
    request = urllib.request.Request(f"http://{address}/openapi.json", headers={"Authorization": "Bearer " + TOKEN})
    with urllib.request.urlopen(request) as answer, open(document, "wb") as f:
        f.write(answer.read())
    made = os.path.join(folder, "generated")
    subprocess.run(["java", "-jar", jar, "generate", "-g", "python", "-i", document, "-o", made, "--package-name", "mercer_api"], check=True, stdout=subprocess.DEVNULL)
    os.environ["PYTHONPATH"] = made


def ask(name, address):
    """Runs the calls of one client and prints them as JSON."""
    calls = CLIENTS[name](address)
    calls.run()
    print(json.dumps({"client": f"{name} ({calls.package} {importlib.metadata.version(calls.package)})", "seen": calls.seen}))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--mercer", help="the command")
    p.add_argument("--generator", help="openapi-generator-cli.jar")
    p.add_argument("--ask", nargs=2, metavar=("CLIENT", "ADDRESS"), help=argparse.SUPPRESS)
    o = p.parse_args()
    if o.ask:
        return ask(*o.ask)
    if not o.mercer:
        p.error("name the command: --mercer PATH")
    command = os.path.abspath(o.mercer)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        models(command, folder)
        with open(os.path.join(folder, "tokens"), "w", encoding="utf-8") as f:
            f.write(TOKEN + "\n")
        serve = [command, "serve", "house.mercer", "iris.mercer", "--listen", "127.0.0.1:0", "--tokens", "tokens", "--admin", "--log", "off", "--json"]
        with subprocess.Popen(serve, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            said = ""
            while not said.rstrip().endswith("}"):
                said += server.stdout.readline()
            address = json.loads(said)["address"].removeprefix("http://")
            if o.generator:
                generate(os.path.abspath(o.generator), address, folder)
            for name in CLIENTS:
                if name == "Generated" and not o.generator:
                    continue
                out = subprocess.run([sys.executable, __file__, "--ask", name, address], stdout=subprocess.PIPE, text=True, check=False)
                if out.returncode != 0:
                    print(f"{name}: ended by itself")
                    failures += 1
                    continue
                result = json.loads(out.stdout.splitlines()[-1])
                failed = [call for call, passes in result["seen"] if not passes]
                failures += len(failed)
                print(f"{result['client']}: {len(result['seen'])} calls, {len(failed)} fail {failed or ''}")
            server.terminate()
    raise SystemExit(failures > 0)


if __name__ == "__main__":
    main()
