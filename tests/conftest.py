"""What all tests share: property tests draw the same examples every time, and keep no files."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")
