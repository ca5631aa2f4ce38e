"""Compiles the loops when a wheel is built, or the package is installed to be edited.

A wheel with the library is for one kind of machine. Without a C++ compiler a wheel for all machines
is made: there the loops are compiled when they are first wanted, or run as statements.
"""

from __future__ import annotations

import runpy
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "lagraph_gpu/cpu/native"


class LoopsHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        steps = runpy.run_path(str(root / FOLDER / "compiler.py"))
        target = steps["beside"]()
        for old in target.parent.glob("loops-*.so"):
            if old != target:
                old.unlink()
        if not target.exists():
            try:
                steps["build"](target)
            except OSError as problem:
                self.app.display_warning(f"{problem}; the wheel is made without compiled loops")
                return
        name = str(target.relative_to(root))
        build_data["artifacts"].append(name)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform()}".replace(".", "_").replace(
            "linux-", "linux_"
        )
