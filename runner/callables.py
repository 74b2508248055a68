"""Finding a function that the user wrote, from `package.module:function` or `file.py:function`."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from functools import reduce
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from .errors import ConfigError, Problem


def load_callable(spec: str, *, base: Path, key: str, given: Sequence[str] = ()) -> Callable[..., object]:
    """Import the user's module or file and return the function that `spec` names.

    A file runs once in a process, as an import does, however many functions are taken from it. Its folder (for a
    module, `base`) is appended to `sys.path`, so that the user's code finds its neighbours but never hides a library.

    Args:
        spec: `package.module:function` or `file.py:function`; the function may be dotted (`Class.method`).
        base: Folder that a relative file is relative to: the config file's, or the working directory where there is
            none.
        key: The config key that holds `spec`, for messages.
        given: Names of the positional arguments it will be called with; a function that can't take them is refused.
            Empty checks nothing.

    Returns:
        The function.

    Raises:
        ConfigError: The spec has another shape, names nothing, names something that can't be called, or the import
            raised.
    """
    source, separator, name = spec.rpartition(":")
    if not (source and separator and name):
        raise _refuse(key, f"{spec!r} names no function; {_shape(base)}")
    module = _import_file(source, base, key) if _is_file(source) else _import_module(source, base, key)
    function = _attribute(module, source, name, key)
    _check_arguments(function, spec, given, key)
    return function


def source_digest(function: Callable[..., object]) -> str:
    """The SHA-256 of the file that defines `function`, so that an edit of it is noticed; empty where it has no file."""
    try:
        path = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:  # a builtin, or an instance with `__call__`
        path = inspect.getsourcefile(type(function)) if type(function).__module__ != "builtins" else None
    return sha256(Path(path).read_bytes()).hexdigest() if path else ""


def _refuse(key: str, message: str) -> ConfigError:
    return ConfigError(Problem(message, key=key))


def _shape(base: Path) -> str:
    return f"write `package.module:function`, or `file.py:function` relative to the folder {base.resolve()}"


def _is_file(source: str) -> bool:
    return source.endswith(".py") or "/" in source or "\\" in source


def _import_file(source: str, base: Path, key: str) -> ModuleType:
    path = (base / Path(source).expanduser()).resolve()
    if not path.is_file():
        raise _refuse(key, f"there is no file {path}; {_shape(base)}")
    name = f"_prt_user_{sha256(str(path).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise _refuse(key, f"{path} is no Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    _append_to_path(path.parent)
    sys.modules[name] = module  # dataclasses and pickle look their own module up
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _import_raised(str(path), error, key) from error
    return module


def _import_module(source: str, base: Path, key: str) -> ModuleType:
    _append_to_path(base.resolve())
    try:
        return importlib.import_module(source)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{source}.".startswith(f"{error.name}."):
            raise _import_raised(source, error, key) from error
        where = f"on the Python path or in {base.resolve()}"
        raise _refuse(key, f"there is no module {error.name!r} {where}; {_shape(base)}") from None
    except (Exception, SystemExit) as error:
        raise _import_raised(source, error, key) from error


def _import_raised(source: str, error: BaseException, key: str) -> ConfigError:
    return _refuse(key, f"importing {source} raised {type(error).__name__}: {error}")


def _append_to_path(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _attribute(module: ModuleType, source: str, name: str, key: str) -> Callable[..., object]:
    try:
        found: object = reduce(getattr, name.split("."), module)
    except AttributeError:
        functions = sorted(n for n, value in vars(module).items() if inspect.isfunction(value) and n[0] != "_")
        has = f"it defines {', '.join(functions[:10])}" if functions else "it defines no function"
        raise _refuse(key, f"{source} has no {name!r}; {has}") from None
    if not callable(found):
        raise _refuse(key, f"{source}:{name} is {type(found).__name__}, not a function")
    return found


def _check_arguments(function: Callable[..., object], spec: str, given: Sequence[str], key: str) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some builtins have none; the first call will tell
        return
    try:
        if given:
            signature.bind(*given)
    except TypeError:
        call = f"({', '.join(given)})"
        raise _refuse(key, f"{spec} has the arguments {signature}; it will be called with {call}") from None
