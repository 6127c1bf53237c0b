"""Servers of one model in Python, beside which bench/serving measures mercer; they are started by it.

    python peers.py fastapi-onnx FOLDER PORT      FastAPI and ONNX Runtime, of FOLDER/m.onnx
    python peers.py fastapi-sklearn FOLDER PORT   FastAPI and scikit-learn, of FOLDER/t.csv
    python peers.py mlserver FOLDER PORT          MLServer and scikit-learn

Each answers POST /v2/models/m/infer. Needs fastapi, uvicorn with uvloop, onnxruntime, scikit-learn, mlserver and mlserver-sklearn.
"""

import json
import os
import sys

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np


def fitted(folder):
    """The same kernel ridge regression in scikit-learn: columns standardised, rbf(sigma=4)."""
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    table = np.loadtxt(os.path.join(folder, "t.csv"), delimiter=",", skiprows=1)
    return make_pipeline(StandardScaler(), KernelRidge(kernel="rbf", gamma=1 / 32, alpha=1e-3 * len(table))).fit(table[:, :-1], table[:, -1])


def by_onnx(folder):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(os.path.join(folder, "m.onnx"), options)
    return lambda x: session.run(["values"], {"table": x})[0]


def by_sklearn(folder):
    return fitted(folder).predict


def fastapi(predict, port):
    """What one writes by hand: a body of the protocol in, one out."""
    import uvicorn
    from fastapi import FastAPI
    from pydantic import BaseModel

    class Tensor(BaseModel):
        name: str
        shape: list[int]
        datatype: str
        data: list[float]

    class Body(BaseModel):
        inputs: list[Tensor]

    app = FastAPI()

    @app.get("/v2/health/ready")
    async def ready():
        return {"ready": True}

    @app.post("/v2/models/m/infer")
    async def infer(body: Body):
        one = body.inputs[0]
        values = np.asarray(predict(np.asarray(one.data).reshape(one.shape)))
        return {"model_name": "m", "outputs": [{"name": "value", "datatype": "FP64", "shape": list(values.shape), "data": values.ravel().tolist()}]}

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


def mlserver(folder, port):
    import joblib
    from mlserver.cli.main import main

    home = os.path.join(folder, "mlserver")
    os.makedirs(home, exist_ok=True)
    joblib.dump(fitted(folder), os.path.join(home, "m.joblib"))
    with open(os.path.join(home, "model-settings.json"), "w", encoding="utf-8") as f:
        json.dump({"name": "m", "implementation": "mlserver_sklearn.SKLearnModel", "parameters": {"uri": os.path.join(home, "m.joblib")}}, f)
    with open(os.path.join(home, "settings.json"), "w", encoding="utf-8") as f:
        json.dump({"debug": False, "parallel_workers": 0, "host": "127.0.0.1", "http_port": port, "grpc_port": port + 1, "metrics_port": port + 2, "use_structured_logging": False}, f)
    sys.argv = ["mlserver", "start", home]
    main()


if __name__ == "__main__":
    kind, folder, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if kind == "mlserver":
        mlserver(folder, port)
    else:
        fastapi({"fastapi-onnx": by_onnx, "fastapi-sklearn": by_sklearn}[kind](folder), port)
