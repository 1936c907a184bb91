"""Sessions of Spark: which address is of whom, and what is wrong where none begins."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, TypeVar
from urllib.parse import urlsplit

from hardlimit.exceptions import HardlimitError, InputError, MissingExtraError

# Spark's addresses of masters, also "spark:local[2]", "spark:yarn", "spark:k8s://...".
CLASSIC, CONNECT = "spark:", "sc://"
SECONDS = 20  # to wait for a master or a server
PORT_OF_CONNECT = 15002
Value = TypeVar("Value")


def open_session(cluster: str) -> tuple[Any, bool]:
    """Return a session, and whether it is ours to end."""
    _check_packages(cluster)
    if cluster.startswith(CONNECT):
        return _connect(cluster), True
    master = cluster if cluster.startswith("spark://") else cluster.removeprefix(CLASSIC)
    from_before = import_module("pyspark").SparkContext._active_spark_context
    if from_before is None:
        return _begin(cluster, master), True
    if from_before.master != master:
        raise InputError(
            f"this process has a session of {from_before.master}, and can have one only",
            parameter="cluster",
            got=cluster,
            fix="give that session, or stop it",
        )
    return import_module("pyspark.sql").SparkSession(from_before), False


def _check_packages(cluster: str) -> None:
    """Refuse where a package is missing that Spark needs on this side."""
    wanted = ["pyspark", "pyarrow", "pandas"]
    if cluster.startswith(CONNECT):
        wanted += ["grpc", "grpc_status", "google.rpc"]
    for name in wanted:
        try:
            import_module(name)
        except ImportError:
            raise MissingExtraError(
                f"the cluster wants the package {name}",
                where=cluster,
                fix="pip install 'hardlimit[spark]'",
            ) from None


def _connect(cluster: str) -> Any:
    """Return a session on a server of Spark Connect."""
    address = urlsplit(cluster)
    fix = "begin one with sbin/start-connect-server.sh, whose port is 15002"
    _wait_for(cluster, [(address.hostname or "", address.port or PORT_OF_CONNECT)], fix)
    builder = import_module("pyspark.sql.connect.session").SparkSession.builder.remote(cluster)
    with quiet():
        session = _within(SECONDS, builder.create)
    if session is None:
        raise _absent(cluster, "no server of Spark Connect answered", fix)
    return session


def _begin(cluster: str, master: str) -> Any:
    """Return a new session of this process."""
    pyspark = import_module("pyspark")
    if shutil.which(os.path.join(os.environ.get("JAVA_HOME", ""), "bin", "java")) is None and (
        "JAVA_HOME" in os.environ or shutil.which("java") is None
    ):
        raise InputError(
            "Spark needs Java, and there is none",
            parameter="cluster",
            got=cluster,
            fix="install one (Debian: apt install default-jre-headless), or set JAVA_HOME",
        )
    fix = "begin one with sbin/start-master.sh, and workers with sbin/start-worker.sh spark://HOST:PORT"
    if master.startswith("spark://"):
        hosts = [urlsplit(f"//{one}") for one in master.removeprefix("spark://").split(",")]
        _wait_for(cluster, [(one.hostname or "", one.port or 7077) for one in hosts], fix)
    conf = pyspark.SparkConf().setMaster(master).setAppName("hardlimit")
    conf.set("spark.driver.maxResultSize", "0")
    conf.set("spark.ui.showConsoleProgress", "false")
    _launch(pyspark, conf, cluster)
    # Not in this thread: the context would take over Ctrl-C.
    with quiet():
        context = _within(SECONDS, lambda: pyspark.SparkContext(conf=conf))
    if context is None:
        raise _absent(cluster, "no master answered", fix)
    context.pythonExec = os.environ.get("PYSPARK_PYTHON", sys.executable)
    return import_module("pyspark.sql").SparkSession(context)


def _launch(pyspark: Any, conf: Any, cluster: str) -> None:
    """Begin Java, whose messages go into a file."""
    context = pyspark.SparkContext
    if context._gateway is not None:
        return
    gateway = import_module("pyspark.java_gateway")
    with tempfile.TemporaryFile(prefix="hardlimit-spark-") as log:
        try:
            context._gateway = gateway.launch_gateway(conf, {"stdout": log, "stderr": log})
        except RuntimeError as error:
            log.seek(0)
            last = log.read().decode(errors="replace").strip().splitlines()[-1:]
            raise InputError(
                f"Spark's Java did not begin: {last[0] if last else error}",
                parameter="cluster",
                got=cluster,
                fix="Spark 4 needs Java 17 or newer: see `java -version`",
            ) from error
    context._jvm = context._gateway.jvm


def _wait_for(cluster: str, hosts: list[tuple[str, int]], fix: str) -> None:
    """Wait until one of the hosts takes connections: Spark itself would try for minutes."""
    end = time.monotonic() + SECONDS
    while True:
        for host in hosts:
            with contextlib.suppress(OSError), socket.create_connection(host, timeout=SECONDS):
                return
        if time.monotonic() > end:
            raise _absent(cluster, "nobody answered", fix)
        time.sleep(0.5)


def _absent(cluster: str, reason: str, fix: str) -> HardlimitError:
    return InputError(
        f"{reason} within {SECONDS} seconds", parameter="cluster", got=cluster, fix=fix
    )


def _within(seconds: float, make: Callable[[], Value]) -> Value | None:
    """Return what another thread makes, or None where that lasts too long."""
    made: list[Value | BaseException] = []

    def run() -> None:
        try:
            made.append(make())
        except BaseException as error:
            made.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if not made:
        return None
    if isinstance(made[0], BaseException):
        raise made[0]
    return made[0]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Leave out what Spark says of versions of pandas, which no shard needs."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        yield
