"""The registry of providers."""

import subprocess
import sys
from pathlib import Path

import pytest
from prt.runner.config.schema import PROVIDERS, ReplayModel
from prt.runner.models import base
from prt.runner.models.replay import open_replay

from .asking import KEY


def printed(script: str) -> str:
    """What a new interpreter prints."""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603  ours
    return run.stdout.strip()


def test_two_openers_for_one_provider_are_refused() -> None:
    with pytest.raises(ValueError, match="the provider 'replay' is registered twice"):
        base.provider(ReplayModel)(open_replay)


def test_every_provider_of_the_config_is_opened_by_the_module_of_its_name() -> None:
    script = (
        "import importlib\n"
        "from prt.runner.models import base\n"
        f"for name in {list(PROVIDERS)}:\n"
        "    importlib.import_module('prt.runner.models.' + name)\n"
        "    assert base._OPENERS[name].__module__ == 'prt.runner.models.' + name\n"
        "print(len(base._OPENERS))\n"
    )
    assert printed(script) == str(len(PROVIDERS))


def test_no_client_library_is_loaded_before_its_provider_is_opened() -> None:
    heavy = {"openai", "httpx", "httpx2", "aiohttp", "xllamacpp"}
    script = f"import sys, prt.runner.models.base\nprint({heavy} & set(sys.modules))\n"
    assert printed(script) == "set()"


def test_no_client_library_is_loaded_before_the_first_call() -> None:
    heavy = {"openai", "httpx", "aiohttp"}
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from prt.runner.config.schema import HttpModel, OpenAIModel\n"
        "from prt.runner.models.base import open_model\n"
        "for config in (OpenAIModel(name='m', api_key_env=None), HttpModel(url='http://h/')):\n"
        "    open_model(config, base=Path(), env={}, progress=print)\n"
        f"print({heavy} & set(sys.modules))\n"
    )
    assert printed(script) == "set()"


def test_surroundings_show_nothing_of_the_environment() -> None:
    surroundings = base.Surroundings(base=Path(), env={"OPENAI_API_KEY": KEY}, progress=print)
    assert KEY not in repr(surroundings)
