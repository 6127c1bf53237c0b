"""How the command is found and run."""

import os
import shutil
import subprocess

import pyarrow as pa


class MercerError(ValueError):
    """What the command says when it refuses: what was found, where, and what to do."""


def command():
    """Return the path of the command: that of the variable MERCER, or the one on the PATH."""
    path = os.environ.get("MERCER") or shutil.which("mercer")
    if not path:
        raise MercerError("the command mercer was not found: put it on the PATH, or name it in the variable MERCER")
    return path


def stream(table):
    """Return the bytes of a table of pyarrow as a stream of Arrow."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def run(*args, table=None):
    """Run the command with a table at its standard input, and return what it prints."""
    done = subprocess.run(
        [command(), *args],
        input=b"" if table is None else stream(table),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        problem = [line.removeprefix("mercer: ") for line in said if line.startswith("mercer: ")]
        raise MercerError("\n".join(problem or said) or f"the command ended with {done.returncode}")
    return done.stdout
