"""What the kernel keeps from a process that runs a reply's code; loaded by `sandbox_child` in that process alone.

Nothing of prt is imported here. Linux on x86-64 and ARM64: a seccomp filter refuses new processes, sockets, signals to
others and what changes files apart from their content; Landlock lets files be written in one folder only. Both need no
privilege, hold for good, and work within containers. Elsewhere only the resource limits hold.
"""

import ctypes
import errno
import os
import resource
import sys

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 1, 38, 22, 2
_SIGKILL = 9
_MOST_FILES, _LARGEST_FILE = 64, 16 << 20

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    # processes
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    # other processes
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "ptrace": (101, 117),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "setpriority": (141, 140),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "process_madvise": (440, 440),
    # network, and calls that go around this filter
    "socket": (41, 198), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    # owners, modes, times and attributes of files, which Landlock leaves alone
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    # memory that outlives the process or counts to nobody
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180), "memfd_create": (319, 279),
    # the system
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "move_mount": (429, 429),
    "open_tree": (428, 428), "fsopen": (430, 430), "mount_setattr": (442, 442), "pivot_root": (155, 41),
    "chroot": (161, 51), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
}  # fmt: skip
"""System calls that are refused, with their numbers on x86-64 and ARM64."""
_CLONE, _CLONE3 = (56, 220), 435
_OWN_ONLY = {"kill": (62, 129), "tgkill": (234, 131)}
"""Calls whose first argument names a process: its own alone is allowed."""
_PRLIMIT = (302, 261)
_CLONE_THREAD = 0x10000
_X32 = 0x40000000
_LOAD, _EQUALS, _AT_LEAST, _HAS_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT, _CAPSET = 444, 445, 446, (126, 91)
_WRITE_FILE, _MAKE_CHAR, _MAKE_BLOCK, _REFER, _TRUNCATE = 1 << 1, 1 << 6, 1 << 11, 1 << 13, 1 << 14
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))
"""Landlock's rights that change files: write, remove, make of each kind."""


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("len", ctypes.c_uint16), ("filter", ctypes.POINTER(_Instruction)))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def limit_resources(*, cpu_s: int, memory_bytes: int) -> list[str]:
    """Limit time on the processor, memory, the size and number of files; no core is dumped.

    Returns:
        What holds from now on: `time`, and `memory` where the system counts it.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_MOST_FILES, _MOST_FILES))
    try:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    except (ValueError, OSError):  # macOS takes no such limit
        return ["time"]
    return ["time", "memory"] if sys.platform == "linux" else ["time"]


def confine(folder: str) -> list[str]:
    """Give up, for good, what a reply's code has no need of.

    Args:
        folder: The only folder in which files may be written.

    Returns:
        What holds from now on: `processes`, `network`, `files`; nothing where the kernel has no means.
    """
    machine = os.uname().machine
    if sys.platform != "linux" or machine not in _ARCHITECTURES:
        return []
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    column = list(_ARCHITECTURES).index(machine)
    _drop_capabilities(libc, column)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return []
    held = ["files"] if _restrict_files(libc, folder) else []
    if _filter_calls(libc, _ARCHITECTURES[machine], column):
        held += ["processes", "network"]
    return held


def _drop_capabilities(libc: ctypes.CDLL, column: int) -> None:
    """Be root without its powers, where one is root; for others it changes nothing."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    libc.syscall(_CAPSET[column], header, (ctypes.c_uint32 * 6)())


def _restrict_files(libc: ctypes.CDLL, folder: str) -> bool:
    """Let files be changed in one folder only, by Landlock."""
    version = libc.syscall(_LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        return False
    changes = _CHANGES | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    rules = libc.syscall(_LANDLOCK_CREATE, ctypes.byref(ctypes.c_uint64(changes)), 8, 0)
    if rules < 0:
        return False
    allowed = {folder: changes & ~(_MAKE_CHAR | _MAKE_BLOCK), os.devnull: changes & (_WRITE_FILE | _TRUNCATE)}
    for path, rights in allowed.items():
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        added = libc.syscall(_LANDLOCK_ADD, rules, 1, ctypes.byref(_PathRule(rights, parent)), 0)
        os.close(parent)
        if added:
            return False
    failed: int = libc.syscall(_LANDLOCK_RESTRICT, rules, 0)
    os.close(rules)
    return failed == 0


def _filter_calls(libc: ctypes.CDLL, architecture: int, column: int) -> bool:
    """Refuse system calls by a seccomp filter."""
    refuse, missing = _REFUSE | errno.EPERM, _REFUSE | errno.ENOSYS
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUALS, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, refuse),
        (_EQUALS, 0, 1, _CLONE3),
        (_RETURN, 0, 0, missing),  # the C library asks by `clone` then, whose flags can be seen
        *_unless_argument(_CLONE[column], (_HAS_BIT, _CLONE_THREAD), refuse),
        *_unless_argument(_PRLIMIT[column], (_EQUALS, 0), refuse),
    ]
    for own in _OWN_ONLY.values():
        program += _unless_argument(own[column], (_EQUALS, os.getpid()), refuse)
    for number in (numbers[column] for numbers in _NUMBERS.values()):
        if number is not None:
            program += [(_EQUALS, 0, 1, number), (_RETURN, 0, 0, refuse)]
    program.append((_RETURN, 0, 0, _ALLOW))
    instructions = (_Instruction * len(program))(*(_Instruction(*each) for each in program))
    return bool(libc.prctl(_PR_SET_SECCOMP, _FILTER, ctypes.byref(_Program(len(program), instructions)), 0, 0) == 0)


def _unless_argument(number: int, test: tuple[int, int], refusal: int) -> list[tuple[int, int, int, int]]:
    """Refuse a call unless its first argument passes a test."""
    return [
        (_EQUALS, 0, 4, number),
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        (test[0], 1, 0, test[1]),
        (_RETURN, 0, 0, refusal),
        (_RETURN, 0, 0, _ALLOW),
    ]
