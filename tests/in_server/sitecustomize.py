"""Lets Python processes that tests start keep their stores in the tests' server: on their path where there is one."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from tests.postgres import keep_stores_in_server

keep_stores_in_server()
