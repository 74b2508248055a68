"""What a server is told when it starts."""

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

MEBIBYTE = 1 << 20
LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain"})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server shows, to whom, and what it may change.

    Attributes:
        store: Results database, a file or an SQLAlchemy URL; it need not exist yet.
        host: The address that is listened on.
        hosts: Further names by which the server may be called.
        token: What a visitor has to know; empty lets everyone in, which is for loopback alone.
        bundles: Bundles of variants that may be reviewed.
        writable: Whether reviews are written into them.
        upload_limit: Most bytes that a request may carry.
    """

    store: str = "prt.db"
    host: str = "127.0.0.1"
    hosts: tuple[str, ...] = ()
    token: str = ""
    bundles: tuple[Path, ...] = ()
    writable: bool = False
    upload_limit: int = 8 * MEBIBYTE

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    def knows(self, host: str) -> bool:
        """Whether a request for this host, without its port, is meant for this server.

        A page elsewhere can make its own name lead to this machine (DNS rebinding), but its requests still carry that
        name. So the server answers to the names of this machine and to those that it was given. Where it listens on
        every address, it answers to all addresses too, which no one can rebind.
        """
        name = host.casefold()
        if name in {each.casefold() for each in (self.host, *self.hosts)}:
            return True
        if self.is_local:
            return is_loopback(name)
        return is_loopback(name) or (is_every_address(self.host) and is_address(name))


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own."""
    if host.casefold() in LOOPBACK_NAMES:
        return True
    return is_address(host) and ip_address(host).is_loopback


def is_address(host: str) -> bool:
    """Whether this is an address and no name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_every_address(host: str) -> bool:
    """Whether a server that listens here listens on all addresses of its machine."""
    return is_address(host) and ip_address(host).is_unspecified
