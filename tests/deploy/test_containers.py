"""deploy/compose.yml, deploy/kubernetes.yml and the image: their commands are commands of ours."""

import re
import shlex
import subprocess
import time
from pathlib import Path

import click
import pytest
import yaml

from hardlimit.cli.commands.key import command as key
from hardlimit.cli.commands.serve import command as serve
from hardlimit.service import routes
from hardlimit.service.keys import ANYONE

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
GUIDE = (ROOT / "docs/guides/service.md").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))
PARTS = {
    part["kind"]: part
    for part in yaml.safe_load_all((DEPLOY / "kubernetes.yml").read_text(encoding="utf-8"))
}
POD = PARTS["Deployment"]["spec"]["template"]["spec"]
(CONTAINER,), (FILES,) = POD["containers"], POD["initContainers"]
IMAGE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
UNIT = (DEPLOY / "hardlimit.service").read_text(encoding="utf-8")
COMMANDS = {
    "compose.yml": COMPOSE["services"]["hardlimit"]["command"],
    "kubernetes.yml": CONTAINER["args"],
    "Dockerfile": yaml.safe_load(re.search(r"^CMD (.*)$", IMAGE, re.MULTILINE)[1]),
    "hardlimit.service": re.search(r"^ExecStart=\S+ (.*)$", UNIT, re.MULTILINE)[1].split(),
}


def parsed(words):
    """What the command makes of these words; it fails at an option that there is not."""
    return serve.make_context(words[0], list(words[1:])).params


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_one_of_the_command(name):
    words = COMMANDS[name]
    assert words[0] == "serve"
    found = parsed(words)
    assert found["model"].endswith("/model.hardlimit") and found["port"] == 8080
    with pytest.raises(click.UsageError):
        parsed([*words, "--made-up"])


def test_all_listen_where_they_are_looked_for():
    service = COMPOSE["services"]["hardlimit"]
    assert service["ports"] == ["127.0.0.1:8080:8080"]
    (port,) = CONTAINER["ports"]
    (outside,) = PARTS["Service"]["spec"]["ports"]
    assert (port["containerPort"], outside["targetPort"]) == (8080, port["name"])
    public = {one.path for one in routes.discover() if one.scope == ANYONE}
    for probe in ("readinessProbe", "livenessProbe"):
        got = CONTAINER[probe]["httpGet"]
        assert got["path"] in public and got["port"] == port["name"]
    labels = PARTS["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert PARTS["Service"]["spec"]["selector"].items() <= labels.items()


def test_nothing_but_the_volume_is_written_and_by_the_user_of_the_image():
    user = int(re.search(r"^USER (\d+)$", IMAGE, re.MULTILINE)[1])
    assert POD["securityContext"]["runAsUser"] == user
    # Otherwise the keys would get the mode 0660, which the service refuses.
    assert POD["securityContext"]["fsGroupChangePolicy"] == "OnRootMismatch"
    service = COMPOSE["services"]["hardlimit"]
    assert service["read_only"] and service["volumes"] == ["data:/data"]
    assert set(COMPOSE["volumes"]) == {"data"}
    for one in (FILES, CONTAINER):
        assert one["securityContext"]["readOnlyRootFilesystem"]
        assert {mount["mountPath"] for mount in one["volumeMounts"]} == {"/data", "/tmp"}  # noqa: S108
    claim = next(one for one in POD["volumes"] if one["name"] == "data")["persistentVolumeClaim"]
    assert claim["claimName"] == PARTS["PersistentVolumeClaim"]["metadata"]["name"]
    assert PARTS["Deployment"]["spec"]["replicas"] == 1


def texts():
    """What people copy: the heads of the files, and the guide; each without its line breaks."""
    for path in (DEPLOY / "compose.yml", DEPLOY / "kubernetes.yml"):
        yield re.sub(r"^#", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    yield GUIDE


def test_the_model_gets_into_the_volume_whole_by_each_command_that_is_named(tmp_path):
    found = [one for text in texts() for one in re.findall(r"sh \\?\s*-c '(cat[^']*)'", text)]
    found += [
        one for text in texts() for one in re.findall(r"hardlimit \\?\s*-c '(cat[^']*)'", text)
    ]
    assert len(found) >= 5
    for script in set(found):
        place = script.replace("/data", str(tmp_path))
        subprocess.run(["sh", "-c", place], input=b"the model", check=True, timeout=20)
        assert (tmp_path / "model.hardlimit").read_bytes() == b"the model"
        assert [one.name for one in tmp_path.iterdir()] == ["model.hardlimit"]


def test_keys_are_made_by_commands_that_there_are():
    lines = re.findall(r"(?:hardlimit )?key add (/data/\S+ .*)$", "\n".join(texts()), re.MULTILINE)
    assert len(lines) >= 3
    for line in lines:
        context = key.make_context("key", ["add", *shlex.split(line)])
        assert context.params is not None


def test_the_pod_waits_for_the_model_and_a_key(tmp_path):
    shell, flag, script = FILES["command"]
    place = script.replace("/data", str(tmp_path)).replace("sleep 5", "sleep 0")
    waiting = subprocess.Popen([shell, flag, place.replace("sleep 1", "sleep 0.01")])
    try:
        for name in ("model.hardlimit", "model.hardlimit.keys"):
            time.sleep(0.05)
            assert waiting.poll() is None
            (tmp_path / name).touch()
        assert waiting.wait(20) == 0
    finally:
        waiting.kill()
        waiting.wait(20)
