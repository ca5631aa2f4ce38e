"""The README as a package shows it, in which links within the repository would lead nowhere.

hatchling calls this for each wheel and source archive. Where ``pyproject.toml`` has the address of
a repository, the links lead there, to the files of this version. Without one their text stays, and
the picture is left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")
PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n\n(?:The picture [^\n]*\n\n)?", re.MULTILINE)


def shown(text: str, repository: str, version: str) -> str:
    """The text with links that lead somewhere.

    >>> shown("see [how to](docs/how-to/index.md)", "https://example.org/us", "1.0")
    'see [how to](https://example.org/us/blob/v1.0/docs/how-to/index.md)'
    >>> shown("see [how to](docs/how-to/index.md)", "", "1.0")
    'see how to'
    """
    if not repository:
        return LINK.sub(r"\2", PICTURE.sub("", text))

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link[1] else "blob"
        return f"{link[1]}[{link[2]}]({repository}/{kind}/v{version}/{link[3]})"

    return LINK.sub(absolute, text)


class ReadmeHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        text = (root / "README.md").read_text(encoding="utf-8")
        code = (root / "lagraph_gpu" / "__init__.py").read_text(encoding="utf-8")
        version = re.findall(r'^__version__ = "(.+)"$', code, re.MULTILINE)[0]
        repository = metadata.get("urls", {}).get("Repository", "").rstrip("/")
        repository = repository.removesuffix(".git")
        found = {"content-type": "text/markdown", "text": shown(text, repository, version)}
        metadata["readme"] = found
