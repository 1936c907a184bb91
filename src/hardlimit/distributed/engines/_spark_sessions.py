"""Sessions of Spark: which address is of whom, and what is wrong where none begins."""

from __future__ import annotations

import contextlib
import logging
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
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hardlimit.distributed.engines._spark_errors import gone_error, is_gone
from hardlimit.exceptions import InputError, MissingExtraError
from hardlimit.foundation.temporary_folder import naming_folder

if TYPE_CHECKING:
    from types import ModuleType

    from pyspark.sql import SparkSession


# Spark's addresses of masters, also "spark:local[2]", "spark:yarn", "spark:k8s://...".
CLASSIC, CONNECT = "spark:", "sc://"
SECONDS = 20  # to wait for a master or a server that takes connections
SECONDS_TO_BEGIN = 60  # and for what it says then, as long as Spark itself waits for a master
_MASTER = "spark://"
_TO_BEGIN = {
    CLASSIC: (
        "begin one with sbin/start-master.sh, and workers with sbin/start-worker.sh "
        "spark://HOST:7077"
    ),
    CONNECT: "begin one with sbin/start-connect-server.sh: sc://HOST:15002",
}


def open_session(cluster: str) -> tuple[Any, bool]:
    """Return a session, and whether it is ours to end."""
    with quiet():
        _check_packages(cluster)
        if cluster.startswith(CONNECT):
            return _connect(cluster), True
        master = cluster if cluster.startswith(_MASTER) else cluster.removeprefix(CLASSIC)
        found = import_module("pyspark").SparkContext._active_spark_context
        if found is None:
            return _begin(cluster, master), True
        if found.master != master:
            raise InputError(
                f"this process has a session of {found.master}, and can have one only",
                parameter="cluster",
                got=cluster,
                fix="give that session, or stop it",
            )
        return import_module("pyspark.sql").SparkSession(found), False


def end_session(session: SparkSession) -> None:
    """End a session of ours; where its Java is gone, forget that, so that another can begin."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it was not ended cleanly
            session.stop()
    except Exception as error:
        if not is_gone(error):
            raise
        context, sql = import_module("pyspark").SparkContext, import_module("pyspark.sql")
        context._active_spark_context = context._gateway = context._jvm = None
        sql.SparkSession._instantiatedSession = sql.SparkSession._activeSession = None
        sql.SQLContext._instantiatedContext = None


def check_session(session: SparkSession) -> None:
    """Refuse a session of this process that has ended."""
    context = getattr(session, "_sc", None)
    if context is not None and context._jsc is None:
        raise InputError(parameter="cluster", got=session, wanted="a session that is not stopped")


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
    _wait_for(cluster, [cluster.removeprefix(CONNECT).partition("/")[0]], 15002)
    builder = import_module("pyspark.sql.connect.session").SparkSession.builder
    # Where nobody speaks its protocol it would try for minutes.
    return _within(SECONDS_TO_BEGIN, builder.remote(cluster).create, cluster)


def _begin(cluster: str, master: str) -> Any:
    """Return a new session of this process."""
    _check_java(cluster)
    if master.startswith(_MASTER):
        _wait_for(cluster, master.removeprefix(_MASTER).split(","), 7077)
    pyspark = import_module("pyspark")
    conf = pyspark.SparkConf().setMaster(master).setAppName("hardlimit")
    conf.set("spark.driver.maxResultSize", "0")
    conf.set("spark.ui.showConsoleProgress", "false")
    if os.name == "posix":
        # Between Java and Python each task would wait 40 ms for an acknowledgement of TCP.
        conf.set("spark.python.unix.domain.socket.enabled", "true")
    _launch(pyspark, conf, cluster)
    context = _within(None, lambda: pyspark.SparkContext(conf=conf), cluster)
    # It would print a traceback where Java is gone; nobody here counts by its accumulators.
    context._accumulatorServer.handle_error = lambda request, client_address: None
    context.pythonExec = os.environ.get("PYSPARK_PYTHON", sys.executable)
    return import_module("pyspark.sql").SparkSession(context)


def _check_java(cluster: str) -> None:
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java" if home is None else os.path.join(home, "bin", "java")) is None:
        raise InputError(
            "Spark needs Java 17 or newer, and there is none"
            + ("" if home is None else f" in JAVA_HOME={home}"),
            parameter="cluster",
            got=cluster,
            fix="install one (Debian: apt install default-jre-headless), or set JAVA_HOME; "
            "sc://HOST:PORT needs none here",
        )


def _launch(pyspark: ModuleType, conf: object, cluster: str) -> None:
    """Begin Java, whose messages would come between ours: they go into a file."""
    context = pyspark.SparkContext
    if context._gateway is not None:
        return
    java = import_module("pyspark.java_gateway")
    with contextlib.ExitStack() as stack:
        with naming_folder(tempfile.gettempdir()):
            log = stack.enter_context(tempfile.TemporaryFile(prefix="hardlimit-spark-"))
        try:
            context._gateway = java.launch_gateway(conf, {"stdout": log, "stderr": log})
        except RuntimeError as error:
            log.seek(0)
            lines = log.read().decode(errors="replace").splitlines()
            said = [line for line in lines if line and not line.startswith("WARNING")]
            raise InputError(
                f"Spark's Java did not begin: {said[0] if said else error}",
                parameter="cluster",
                got=cluster,
                fix="Spark 4 needs Java 17 or newer: see `java -version`",
            ) from None
    context._jvm = context._gateway.jvm


def _wait_for(cluster: str, hosts: list[str], port: int) -> None:
    """Wait until one of the hosts takes connections: Spark itself would try for minutes."""
    end = time.monotonic() + SECONDS
    try:
        found = [
            (one.hostname or "", one.port or port) for one in (urlsplit(f"//{h}") for h in hosts)
        ]
    except ValueError:
        wanted = f"{cluster.partition('//')[0]}//HOST:PORT"
        raise InputError(parameter="cluster", got=cluster, wanted=wanted) from None
    while True:
        for host in found:
            with contextlib.suppress(OSError), socket.create_connection(host, timeout=SECONDS):
                return
        if time.monotonic() > end:
            raise _absent(cluster, SECONDS)
        time.sleep(0.5)


def _absent(cluster: str, seconds: float) -> InputError:
    kind = CONNECT if cluster.startswith(CONNECT) else CLASSIC
    who = "server of Spark Connect" if kind == CONNECT else "master of Spark"
    return InputError(
        f"no {who} answered within {seconds} seconds",
        parameter="cluster",
        got=cluster,
        fix=_TO_BEGIN[kind],
    )


def _within(seconds: float | None, make: Callable[[], Any], cluster: str) -> Any:
    """Return what another thread makes: in this one Spark would take over Ctrl-C."""
    made: list[Any] = []

    def run() -> None:
        try:
            made.append(make())
        except Exception as error:
            made.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if not made:
        raise _absent(cluster, seconds or 0)
    if isinstance(made[0], Exception):
        if is_gone(made[0]):
            raise gone_error() from made[0]
        said = str(made[0]).strip().splitlines()
        raise InputError(
            f"no session began: {said[0] if said else made[0]!r}", parameter="cluster", got=cluster
        ) from made[0]
    return made[0]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Leave out what Spark says of versions of pandas, which no shard needs."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        yield


@contextlib.contextmanager
def quiet_logs() -> Iterator[None]:
    """Leave out the tracebacks of py4j: what is lost our own errors say, in a sentence."""
    logger, root = logging.getLogger("py4j"), logging.getLogger()
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    root.addFilter(_is_of_others)  # some it logs by no logger of its own
    try:
        yield
    finally:
        root.removeFilter(_is_of_others)
        logger.setLevel(level)


def _is_of_others(record: logging.LogRecord) -> bool:
    return os.path.basename(os.path.dirname(record.pathname)) != "py4j"
