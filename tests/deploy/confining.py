"""Run a command under the filters that systemd makes of a unit.

Groups of system calls (``@system-service``) are expanded by ``systemd-analyze``; libseccomp makes
the filters. The meaning of each directive is that of systemd.exec(5). Directives that are mounts,
capabilities or limits are not imitated.
"""

import ctypes
import errno
import os
import subprocess
import sys
from pathlib import Path

ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
NOT_EQUAL, EQUAL, MASKED_EQUAL = 1, 4, 7
PROT_WRITE, PROT_EXEC = 2, 4
# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET of clone(2).
NEW_NAMESPACES = (
    0x00020000,
    0x02000000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10}


class Comparison(ctypes.Structure):
    """``struct scmp_arg_cmp``: one argument of a call, compared with a number."""

    _fields_ = [
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


def library():
    """libseccomp, or an OSError where there is none."""
    found = ctypes.CDLL("libseccomp.so.2")
    found.seccomp_init.restype = ctypes.c_void_p
    found.seccomp_init.argtypes = [ctypes.c_uint32]
    found.seccomp_load.argtypes = [ctypes.c_void_p]
    found.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    found.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p,
    ]  # fmt: skip
    return found


def directives(unit):
    """The lines of ``[Service]``: for each name its values, in their order."""
    found, section = {}, None
    for line in Path(unit).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif "=" in line and section == "Service" and not line.startswith(("#", ";")):
            name, value = line.split("=", 1)
            found.setdefault(name, []).append(value)
    return found


def expanded(word):
    """The calls of a name or, of ``@group``, of all that the group names."""
    if not word.startswith("@"):
        return {word}
    command = ["systemd-analyze", "--no-pager", "syscall-filter", word]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [line.strip() for line in lines[1:]]
    return set().union(*(expanded(name) for name in names if name and not name.startswith("#")))


def allowed_calls(values):
    """``SystemCallFilter=``: names add, those after ``~`` take away. ``@default`` is always in."""
    allowed = expanded("@default")
    for value in values:
        calls = set().union(*(expanded(word) for word in value.lstrip("~").split()))
        allowed = allowed - calls if value.startswith("~") else allowed | calls
    return allowed


class Filters:
    """The filters of a unit, loaded into this process one after the other."""

    def __init__(self, lines):
        self.lines = lines
        self.seccomp = library()

    def load(self):
        self._load(ALLOW, self._refusals())
        allowed = allowed_calls(self.lines["SystemCallFilter"])
        self._load(self._denied(), [(ALLOW, name, ()) for name in sorted(allowed)])

    def _denied(self):
        number = self.lines.get("SystemCallErrorNumber")
        return _error(getattr(errno, number[-1])) if number else KILL_PROCESS

    def _refusals(self):
        yes = {name for name, values in self.lines.items() if values[-1] == "yes"}
        if "MemoryDenyWriteExecute" in yes:
            both = PROT_WRITE | PROT_EXEC
            yield _error(errno.EPERM), "mmap", [Comparison(2, MASKED_EQUAL, both, both)]
            for name in ("mprotect", "pkey_mprotect"):
                yield _error(errno.EPERM), name, [Comparison(2, MASKED_EQUAL, PROT_EXEC, PROT_EXEC)]
        if "RestrictNamespaces" in yes:
            for name in ("unshare", "setns"):
                yield _error(errno.EPERM), name, ()
            for kind in NEW_NAMESPACES:
                yield _error(errno.EPERM), "clone", [Comparison(0, MASKED_EQUAL, kind, kind)]
            # Its flags are in memory, which a filter cannot read; the C library takes clone then.
            yield _error(errno.ENOSYS), "clone3", ()
        if "RestrictRealtime" in yes:
            yield _error(errno.EPERM), "sched_setscheduler", [Comparison(1, NOT_EQUAL, 0, 0)]
        if "LockPersonality" in yes:
            yield _error(errno.EPERM), "personality", [Comparison(0, NOT_EQUAL, 0, 0)]
        known = [FAMILIES[name] for name in self.lines["RestrictAddressFamilies"][-1].split()]
        for family in set(range(64)) - set(known):
            yield _error(errno.EAFNOSUPPORT), "socket", [Comparison(0, EQUAL, family, 0)]

    def _load(self, default, rules):
        context = self.seccomp.seccomp_init(default)
        for action, name, comparisons in rules:
            number = self.seccomp.seccomp_syscall_resolve_name(name.encode())
            if number >= 0:  # a call of this processor
                several = (Comparison * len(comparisons))(*comparisons)
                failed = self.seccomp.seccomp_rule_add_array(
                    context, action, number, len(comparisons), several
                )
                assert not failed, f"{name}: {os.strerror(-failed)}"
        failed = self.seccomp.seccomp_load(context)
        assert not failed, os.strerror(-failed)


def _error(number):
    return 0x00050000 | number


if __name__ == "__main__":
    Filters(directives(sys.argv[1])).load()
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606
