"""Models of the command."""

import pathlib
import tempfile

import pyarrow as pa

from ._command import run


class Model:
    """A model file, held as bytes, so that it can be copied and pickled."""

    def __init__(self, content):
        self.content = bytes(content)

    def predict(self, table, *options):
        """Return the table of `mercer predict` for a table of pyarrow or a data frame."""
        if not isinstance(table, pa.Table):
            table = pa.Table.from_pandas(table, preserve_index=False)
        with tempfile.TemporaryDirectory(prefix="mercer-") as folder:
            model, out = pathlib.Path(folder, "model.mercer"), pathlib.Path(folder, "out.arrow")
            model.write_bytes(self.content)
            run("predict", str(model), "-", "--format", "arrow", "-o", str(out), "-q", *options, table=table)
            with pa.OSFile(str(out)) as file:
                return pa.ipc.open_file(file).read_all()

    def save(self, path):
        """Write the file that `mercer predict` and `mercer serve` read."""
        pathlib.Path(path).write_bytes(self.content)


def load(path):
    """Return the model of a file."""
    return Model(pathlib.Path(path).read_bytes())


def fit(method, table, *options):
    """Return the model that `mercer fit METHOD` makes of a table."""
    with tempfile.TemporaryDirectory(prefix="mercer-") as folder:
        model = pathlib.Path(folder, "model.mercer")
        run("fit", method, "-", "--format", "arrow", "-o", str(model), "-q", *options, table=table)
        return Model(model.read_bytes())
