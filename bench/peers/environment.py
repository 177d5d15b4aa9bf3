"""Where the peers live: Python packages, Debian packages unpacked without root, programs built from C, C++ and Rust, all under target/peers."""

from __future__ import annotations

import functools
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PEERS = ROOT / "target" / "peers"
ENV = PEERS / "env"
PYTHON = ENV / "bin" / "python"
APT = PEERS / "apt"
BUILT = PEERS / "built"
PACKAGES = ["numpy", "mujoco", "drake", "exudyn"]
FLOOR_FLAGS = ["-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math"]


class Missing(Exception):
    """A peer that cannot be had here, and why."""


def run(*words: object, limit: float = 600.0, **options: object) -> str:
    """The output of a command; its last words if it fails."""
    try:
        done = subprocess.run(
            [str(word) for word in words], text=True, capture_output=True, timeout=limit, check=False, **options
        )
    except FileNotFoundError as error:
        raise Missing(f"{words[0]} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise Missing(f"not done in {limit:.0f} s") from error
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()
        raise Missing(last[-1][:200] if last else f"{pathlib.Path(str(words[0])).name} ended with {done.returncode}")
    return done.stdout


def python_packages() -> dict[str, str]:
    """Installs what it can, one by one; answers the version of each, or why it is missing."""
    if not PYTHON.exists():
        run(sys.executable, "-m", "venv", ENV)
    found = {}
    for package in PACKAGES:
        try:
            run(PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", package, limit=1200)
            ask = f"import importlib.metadata as m; print(m.version({package!r}))"
            found[package] = run(PYTHON, "-c", ask).strip()
        except Missing as error:
            found[package] = f"missing: {error}"
    return found


def debian(package: str) -> pathlib.Path:
    """The root under which a Debian package stands: / if it is installed, else unpacked with all it needs into a folder of its own."""
    plan = run("apt-get", "-s", "--no-install-recommends", "install", package)
    needed = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
    if package not in needed:
        return pathlib.Path("/")
    root, archives = APT / package, APT / "archives"
    if not (root / "done").exists():
        archives.mkdir(parents=True, exist_ok=True)
        for name in needed:
            if not list(archives.glob(f"{name}_*.deb")):
                run("apt-get", "download", name, cwd=archives)
            run("dpkg-deb", "-x", next(archives.glob(f"{name}_*.deb")), root)
        (root / "done").touch()
    return root


def libraries(root: pathlib.Path) -> dict[str, str]:
    """The environment in which programs of an unpacked root find their libraries."""
    if root == pathlib.Path("/"):
        return dict(os.environ)
    folders = sorted({str(file.parent) for top in ("usr/lib", "lib") for file in root.glob(f"{top}/**/*.so*")})
    lib = root / "usr" / "lib" / "x86_64-linux-gnu"
    # Open MPI has absolute paths built in, and one process needs no daemon
    mpi = {"OPAL_LIBDIR": lib, "OPAL_PKGLIBDIR": lib / "openmpi" / "lib" / "openmpi3", "OPAL_PKGDATADIR": root / "usr" / "share" / "openmpi",
           "OPAL_SYSCONFDIR": root / "etc" / "openmpi", "OMPI_MCA_ess_singleton_isolated": 1}  # fmt: skip
    added = {"LD_LIBRARY_PATH": ":".join(folders), "OMP_NUM_THREADS": 1, **mpi}
    return {**os.environ, **{name: str(value) for name, value in added.items()}}


def floor(name: str) -> pathlib.Path:
    """A floor in C."""
    return compiled(HERE / "floors" / f"{name}.c", os.environ.get("CC", "cc"), [*FLOOR_FLAGS, "-lm", "-pthread"])


@functools.cache
def simbody() -> tuple[pathlib.Path, dict[str, str]]:
    """The program of Simbody, and the environment it runs in."""
    root = debian("libsimbody-dev")
    lib = root / "usr" / "lib" / "x86_64-linux-gnu"
    names = ["-lSimTKsimbody", "-lSimTKmath", "-lSimTKcommon"]
    flags = ["-O3", "-w", "-std=c++17", f"-I{root}/usr/include/simbody", f"-L{lib}", "-Wl,--allow-shlib-undefined", *names]
    return compiled(HERE / "simbody.cpp", os.environ.get("CXX", "c++"), flags), libraries(root)


def compiled(source: pathlib.Path, compiler: str, flags: list[str]) -> pathlib.Path:
    program = BUILT / source.stem
    if not program.exists() or program.stat().st_mtime < max(f.stat().st_mtime for f in source.parent.glob("*.[ch]*")):
        BUILT.mkdir(parents=True, exist_ok=True)
        run(compiler, source, "-o", program, *flags)
    return program


def bristle() -> pathlib.Path:
    """Bristle's own program: `crates/bristle/examples/peers.rs`, the portable build."""
    cargo = shutil.which("cargo")
    if cargo is None:
        raise Missing("cargo is not installed")
    run(cargo, "build", "--release", "--example", "peers", cwd=ROOT, limit=3600)
    return ROOT / "target" / "release" / "examples" / "peers"
