"""Registers: the members of one kind by name, for code, the command line and the model file.

A register knows the classes of one kind (rules, orders, schedules, guards, read-outs, kernels,
budgets, scalings, maps, criteria, finders), a :class:`Members` any named things (pictures, which
are functions). Members of a package are found by discovery: adding a file adds the member. The
files are imported when their names are first asked for: most processes need one rule of twenty.

The name of a class is its own in small letters with hyphens, or what ``registered_as`` says. A name
is only ever a way to *find* a class. Whether an object is one of ours is decided by the identity of
its class: a user's subclass of the same name is another thing, has no compiled twin, and is not
written to a file under the name of ours.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, Generic, NamedTuple, TypeVar, cast

from hardlimit.exceptions import Given, InputError, KindError
from hardlimit.foundation.discovery import classes_of_file, defined_classes
from hardlimit.foundation.parameters import as_float, to_builtin

Member = TypeVar("Member")
Thing = TypeVar("Thing")

Tables = Callable[[dict[str, Any]], dict[str, Any]]

# The classes that came with this package, which alone may have a compiled twin.
_BUILTIN: dict[type, str] = {}
# Registers whose files are not all imported yet, by their packages.
_WAITING: dict[str, Register[Any]] = {}


class Choice:
    """Base of the choices: parameters to be read, set and searched."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name."""
        this: Any = self
        return {name: getattr(this, name) for name in field_names(type(this))}

    def set_params(self, **params: Any) -> Any:
        """Give a choice of the same kind with other parameters; this one is frozen."""
        return type(self)(**(self.get_params() | params))


class Description(NamedTuple):
    """What a table says of a member."""

    name: str
    summary: str
    parameters: tuple[tuple[str, Any, str], ...]  # name, default, range and effect
    cls: type


def registered_name(cls: type) -> str:
    """Return the name of a class: ``AlphaBound`` -> ``alpha-bound``.

    >>> registered_name(type("AlphaBound", (), {})), registered_name(type("Second2", (), {}))
    ('alpha-bound', 'second-2')
    """
    own: str | None = vars(cls).get("registered_as")  # of a name that is one word: AdaTron
    return own or re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "-", cls.__name__).lower()


def _read_field_names(cls: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; none of a class that is not one."""
    if not dataclasses.is_dataclass(cls):
        return ()
    return tuple(field.name for field in dataclasses.fields(cls))


# Once a class: each fit asks for the parameters of its choices.
field_names: Callable[[type], tuple[str, ...]] = functools.cache(_read_field_names)


def compiled_name(choice: object) -> str | None:
    """Return the name of the compiled twin of an object.

    None unless its class came with this package: what a subclass overrides must run, and a twin of
    the same name would know nothing of it.
    """
    cls = type(choice)
    name = _BUILTIN.get(cls)
    if name is None and (waiting := _WAITING.get(_package_of(cls))):
        waiting.import_all()
        name = _BUILTIN.get(cls)
    return name


def _no_tables(members: dict[str, Any]) -> dict[str, Any]:
    return {}


def _package_of(cls: type) -> str:
    module: object = getattr(cls, "__module__", None)
    return module.rpartition(".")[0] if isinstance(module, str) else ""


class Members(Generic[Member]):
    """Named things of one kind."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.members: dict[str, Member] = {}

    def names(self) -> list[str]:
        """Names of all members, sorted."""
        return sorted(self.members)

    def find(self, name: str) -> Member:
        """Return the member of that name.

        Raises
        ------
        InputError
            A name that no member has; it says which there are, and which may have been meant.
        """
        try:
            return self.members[name]
        except (KeyError, TypeError):  # a TypeError of what cannot be a key
            raise self.unknown(name) from None

    def unknown(self, name: object) -> InputError:
        """Make the error that refuses a name."""
        from hardlimit.foundation.suggesting import suggest  # wanted for errors only

        return InputError(
            parameter=self.kind,
            got=name,
            wanted=f"one of {', '.join(self.names())}",
            fix=suggest(name, self.names(), self._other_names()),
        )

    def _other_names(self) -> dict[str, str]:
        """Return the names that members have elsewhere: ``also_called`` of their classes."""
        return {
            other: name
            for name, member in self.members.items()
            for other in getattr(member, "also_called", ())
        }


class Register(Members[type[Thing]]):
    """The classes of one kind, and the objects made from them.

    base : what all of them derive from.      spelled : gives the name of a class.
    sorted_by : the order of discovered members, where it is not that of their files.
    """

    def __init__(
        self,
        kind: str,
        base: type[Thing] | None = None,
        classes: Iterable[type[Thing]] = (),
        spelled: Callable[[type[Thing]], str] = registered_name,
        sorted_by: Callable[[type[Thing]], Any] | None = None,
    ) -> None:
        self._namespace: dict[str, Any] | None = None  # of a package with files to be imported
        self._public: list[str] = []
        self._sorted_by = sorted_by
        self._tables: Tables = _no_tables
        super().__init__(kind)
        self.base, self._spelled = base, spelled
        self._names: dict[type, str] = {}  # spelled once, when a class comes
        for cls in classes:
            self._add_builtin(cls, self._members)

    @property
    def members(self) -> dict[str, type[Thing]]:
        """All members by name: asking imports every file of the package."""
        self.import_all()
        return self._members

    @members.setter
    def members(self, members: dict[str, type[Thing]]) -> None:
        self._members = members

    def discover(self, namespace: dict[str, Any], tables: Tables = _no_tables) -> None:
        """Take in the classes of a package's files, given the ``globals()`` of its ``__init__``.

        All classes of its public modules become public names of the package; those that derive
        from the base are members. The files are imported when somebody asks for a name that is not
        there: a single one where a member is asked for by name, else all of them.

        tables : makes further names of the package from all members.
        """
        self._namespace, self._public = namespace, namespace.pop("__all__")
        self._tables = tables
        _WAITING[namespace["__name__"]] = self

        def late_name(name: str) -> Any:
            if name == "__all__" or not name.startswith("_"):
                self.import_all()
            try:
                return namespace[name]
            except KeyError:
                package = namespace["__name__"]
                raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

        def all_names() -> list[str]:
            self.import_all()
            return sorted(namespace["__all__"])

        namespace["__getattr__"], namespace["__dir__"] = late_name, all_names

    def import_all(self) -> None:
        """Import the files of the package that nobody has asked for yet."""
        namespace = self._namespace
        if namespace is None:
            return
        found = list(defined_classes(namespace["__name__"], list(namespace["__path__"])))
        members: dict[str, type[Thing]] = {}
        for cls in found:  # in the order of the files, whichever of them were asked for before
            self._add_builtin(cls, members)
        if self._sorted_by is not None:
            place = self._sorted_by
            members = dict(sorted(members.items(), key=lambda member: place(member[1])))
        names = [cls.__name__ for cls in found]
        namespace.update(zip(names, found, strict=True))
        namespace.update(self._tables(members))
        namespace["__all__"] = self._public + names
        # Last, and at once: other threads may do the same.
        self._members, self._namespace = members, None
        _WAITING.pop(namespace["__name__"], None)

    def _add_builtin(self, cls: type[Thing], members: dict[str, type[Thing]]) -> None:
        name = self._spelled(cls) if self.base is None or issubclass(cls, self.base) else ""
        if name:
            members[name] = cls
            self._names[cls] = _BUILTIN[cls] = name

    def find(self, name: str) -> type[Thing]:
        """Return the class of that name; see :meth:`Members.find`."""
        namespace = self._namespace
        if isinstance(name, str):
            if namespace is not None and name not in self._members:
                self._import_file(namespace, name)
            if name in self._members:
                return self._members[name]
        return super().find(name)

    def _import_file(self, namespace: dict[str, Any], name: str) -> None:
        """Import the file that a member of that name has as a rule."""
        if re.fullmatch("[a-z][a-z0-9-]*", name):
            for cls in classes_of_file(namespace["__name__"], name.replace("-", "_")):
                self._add_builtin(cls, self._members)

    def add(self, cls: type[Thing]) -> type[Thing]:
        """Add a class of the user's, who may add it again after a change.

        Raises
        ------
        InputError
            The name of one of ours, which model files mean.
        """
        name = self._spelled(cls)
        if self.members.get(name, cls) in _BUILTIN and cls not in _BUILTIN:
            raise InputError(
                "the name belongs to one of hardlimit's own, and model files mean that one",
                who=f"{self.kind} {cls.__name__}",
                parameter="name",
                got=name,
                fix="give the class another name",
            )
        self.members[name] = cls
        self._names[cls] = name
        return cls

    def get(self, name: str, /, **parameters: Any) -> Thing:
        """Make the object of that name.

        Raises
        ------
        InputError
            A name or a parameter that there is not.
        """
        cls = self.find(name)
        known = self._parameters_of(cls) if parameters else ()
        for key in parameters:
            if key not in known:
                raise InputError(
                    who=f"{self.kind} '{name}'",
                    got=Given(f"the parameter {key!r}"),
                    wanted=", ".join(sorted(known)) or "none, it has none",
                )
        return cls(**parameters)

    def resolve(self, given: object) -> Thing:
        """Return the object that a name or its JSON means, or the object itself.

        Raises
        ------
        InputError
            A name that there is not.
        KindError
            Neither a name nor an object of this kind.
        """
        if isinstance(given, str):
            return self.get(given)
        if isinstance(given, dict):
            return self.from_json(given)
        if isinstance(given, type) or self.base is None or not isinstance(given, self.base):
            raise self.wrong_kind(given)
        return given

    def wrong_kind(self, given: object) -> KindError:
        """Make the error that refuses what is neither a name nor an object of this kind."""
        if isinstance(given, type):
            name = given.__name__
            return KindError(
                parameter=self.kind,
                got=Given(f"the class {name}"),
                wanted=f"an object: {name}()",
            )
        package = self.base.__module__.split(".")[1] if self.base else ""
        objects = f", or an object of hardlimit.{package}" if package else ""
        wanted = f"one of {', '.join(self.names())}{objects}"
        return KindError(parameter=self.kind, got=given, wanted=wanted)

    def holds(self, thing: object) -> bool:
        """Whether the object can be made again from its name: its class *is* the member."""
        cls = type(thing)
        if cls not in self._names and _WAITING.get(_package_of(cls)) is self:
            self.import_all()
        # A class that was registered again under its name is another one: the last is the member.
        return cls in self._names and self._members[self._names[cls]] is cls

    def name_of(self, thing: object) -> str:
        """Return the name of an object, or of its class where that is not registered."""
        return self._spelled(cast("type[Thing]", type(thing)))

    def compiled_name(self, thing: object) -> str | None:
        """Return the name of the compiled twin; see :func:`compiled_name`."""
        return compiled_name(thing) if self.holds(thing) else None

    def to_json(self, thing: object) -> Any:
        """Plain JSON: the name alone where no parameter differs from its default.

        Raises
        ------
        InputError
            An object whose class is not registered: a file could not name it.
        """
        written = self.to_full_json(thing)
        return written["name"] if self.get(written["name"]) == thing else written

    def to_full_json(self, thing: object) -> dict[str, Any]:
        """Plain JSON with every parameter, so that no later default changes what it means.

        Raises
        ------
        InputError
            An object whose class is not registered: a file could not name it.
        """
        if not self.holds(thing):
            raise InputError(
                "its class is not one of hardlimit's, and a file keeps names",
                parameter=self.kind,
                got=thing,
            )
        params = {
            name: float(value) if isinstance(value, Real) else to_builtin(value)
            for name, value in cast("Choice", thing).get_params().items()
        }
        return {"name": self.name_of(thing), "parameters": params}

    def from_json(self, data: str | Mapping[str, Any]) -> Thing:
        """Return the object of :meth:`to_json`."""
        if isinstance(data, str):
            return self.get(data)
        given = dict(data)
        name, params = given.pop("name", None), given.pop("parameters", {})
        if given or not isinstance(name, str) or not isinstance(params, dict):
            raise InputError(
                parameter=self.kind, got=data, wanted="{'name': ..., 'parameters': {...}}"
            )
        return self.get(name, **params)

    def describe(self) -> list[Description]:
        """Every member with its summary and parameters, from the docstrings and the fields."""
        return [self._description(name) for name in self.names()]

    def _description(self, name: str) -> Description:
        cls: Any = self.members[name]
        ranges: dict[str, str] = getattr(cls, "ranges", {})
        parameters = tuple(
            (f.name, f.default, ranges.get(f.name) or _effect(f.name, cls))
            for f in dataclasses.fields(cls)
            if f.init
        )
        return Description(name, summary_of(cls), parameters, cls)

    def _parameters_of(self, cls: type) -> set[str]:
        if dataclasses.is_dataclass(cls):
            return {field.name for field in dataclasses.fields(cls)}
        return set(inspect.signature(cls).parameters)


def summary_of(cls: type) -> str:
    """Return the first line of a docstring."""
    return (cls.__doc__ or "").strip().splitlines()[0]


def _effect(parameter: str, cls: type) -> str:
    """Return the paragraph ``parameter : ...`` of a docstring."""
    text = re.search(rf"^ *{parameter} : (.*?)(?:\n\n|\Z)", cls.__doc__ or "", re.S | re.M)
    return " ".join(text[1].split()).rstrip(".") if text else ""


def check_in_range(choice: object, name: str, low: float, high: float = math.inf) -> None:
    """Refuse a parameter that is not a number above ``low`` and at most ``high``."""
    value: object = getattr(choice, name)
    number = as_float(value)
    if low < number <= high and number != math.inf:
        return
    wanted = f"a number > {low:g}" if high == math.inf else f"a number > {low:g} and <= {high:g}"
    raise InputError(who=type(choice).__name__, parameter=name, got=value, wanted=wanted)
