"""The site: `make docs`, or `sphinx-build -W --keep-going -n docs docs/_build/html`.

Three things are made in the build and not committed: the reference (`make_reference.py`), the
gallery (sphinx-gallery runs docs/gallery/plot_*.py into docs/examples/), and the site itself.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path[:0] = [str(ROOT), str(DOCS)]

import docstrings  # noqa: E402
import make_reference  # noqa: E402

import lagraph_gpu  # noqa: E402

if (shared := ROOT.parent / "shared" / "data").is_dir():
    os.environ.setdefault("LAGRAPH_DATA", str(shared))

project = "lagraph-gpu"
author = "the lagraph-gpu developers"
version = release = lagraph_gpu.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery/README.rst", "examples/**.py", "examples/**.ipynb"]
nitpicky = True
# An alias, which Sphinx lists as an attribute; and an error of SciPy under the name it shows.
nitpick_ignore = [
    ("py:exc", "DomainMismatch"), ("py:exc", "NegativeCycleError"), ("py:class", "BackendName"),
    ("py:class", "VertexOrder"),
]  # fmt: skip
nitpick_ignore_regex = [
    # other projects' types: their pages are not at hand where only package registries are
    ("py:.*", r"(numpy|np|npt|scipy|collections|contextlib|networkx|os|pathlib|typing)\..*"),
    ("py:.*", r"(matplotlib|igraph)\..*|Axes|Figure|DataFrame|Series"),
    # our own that signatures name and no page shows: nodes of expressions, the port of backends
    (
        "py:class",
        r"lagraph_gpu\.(notation\.(expressions|matrix\.Power|scalar\.Awaited)|backend|names\.attributes|algorithms\.paths\.distance_rows|csgraph\.given|planning\.trace\.Listener)(\..*)?",
    ),
    (
        "py:class",
        r"(lagraph_gpu\.closure\.Start|lagraph_gpu\.notation\.aggregators\.Folds|semirings\.laws\.Law|semirings\.types\.DataType)",
    ),
    ("py:class", r"(Backend|Dup|Ewise|Formula|Product|Rule|(tuple|dict)\[str)"),
]

myst_heading_anchors = 3
myst_enable_extensions = ["attrs_inline", "substitution"]

autosummary_generate = False
autodoc_typehints_format = "short"
autodoc_member_order = "groupwise"
napoleon_google_docstring = False
napoleon_use_param = napoleon_use_rtype = False  # types are prose; `docstrings.py` links our names
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 240

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf: dict[str, Any] = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "filename_pattern": r"/plot_",
    "image_srcset": ["2x"],
    "backreferences_dir": "examples/backreferences",
    "doc_module": ("lagraph_gpu", "semirings"),
    "reference_url": {"lagraph_gpu": None, "semirings": None},
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "lagraph-gpu"
html_favicon = "_static/logo.svg"
html_show_sourcelink = False
html_theme_options = {
    "logo": {
        "text": f"lagraph-gpu {release}",
        "alt_text": "lagraph-gpu, home",
        "image_light": "_static/logo.svg",
        "image_dark": "_static/logo.svg",
    },
    "navigation_with_keys": False,
    "show_prev_next": True,
    "navbar_end": ["theme-switcher", "navbar-icon-links"],
    "header_links_before_dropdown": 5,
    "footer_start": [],
    "footer_end": ["theme-version"],
    "show_toc_level": 2,
}
html_context = {"default_mode": "auto"}
# A line "Repository" under [project.urls] in pyproject.toml gives the pages links to it and for
# editing. Without one Read the Docs says from where it builds; a build elsewhere has no such links.
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
repository = URLS.get("Repository", os.environ.get("READTHEDOCS_GIT_CLONE_URL", ""))
if repository := repository.removesuffix(".git"):
    revision = os.environ.get("READTHEDOCS_GIT_IDENTIFIER", "main")
    html_context["edit_page_url_template"] = (
        f"{repository}/edit/{revision}/docs/{{{{ file_name }}}}"
    )
    html_theme_options["use_edit_page_button"] = True
    html_theme_options["icon_links"] = [
        {"name": "Repository", "url": repository, "icon": "fa-solid fa-code-branch"}
    ]
    html_context["repository"] = repository
    html_theme_options["footer_start"] = ["source"]  # a narrow window hides the icon in a menu
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["site.css"]


def figures() -> str:
    """A few figures beside their best peers, from the records."""
    from benchmarks import report
    from benchmarks.record import RESULTS

    return report.figures(report.newest(report.read(RESULTS)))


myst_substitutions = {"figures": figures()}


def without_folders(app: Any, page: str, source: list[str]) -> None:
    """A page's links to folders of the repository lead nowhere on a site; their text stays."""
    here = (DOCS / page).parent

    def replaced(link: re.Match[str]) -> str:
        return link[1] if (here / link[2]).is_dir() else link[0]

    source[0] = re.sub(r"\[([^\]]+)\]\((\.\.?/[^)#]+)\)", replaced, source[0])


def only_written_pages_are_edited(
    app: Any, page: str, template: str, context: dict[str, Any], tree: Any
) -> None:
    """What the build makes has no link to edit it."""
    if page.startswith(("reference/", "examples/")):
        context["theme_use_edit_page_button"] = False


def names_break_between_words(
    app: Any, page: str, template: str, context: dict[str, Any], tree: Any
) -> None:
    """In the narrow columns of tables long names break after an underscore or a point."""

    def broken(word: re.Match[str]) -> str:
        return re.sub(r"(?<=\w)([_.])(?=\w)", r"\1<wbr>", word[0])

    def in_table(table: re.Match[str]) -> str:
        return re.sub(r'(?<=<span class="pre">)[^<&]+', broken, table[0])

    if "body" in context:
        context["body"] = re.sub(r"<table.*?</table>", in_table, context["body"], flags=re.DOTALL)


def link_names(app: Any, tree: Any, page: str) -> None:
    """`lg.bfs(…)` and `G.plot` in a text lead to their place in the reference."""
    if app.builder.format != "html" or page.startswith("reference/"):
        return
    known = app.env.get_domain("py").objects
    for word in list(tree.findall(nodes.literal)):
        named = re.match(r"(lg|G)((?:\.\w+)+)(?:\(.*)?$", word.astext(), re.DOTALL)
        inside = word.parent
        while inside is not None and not isinstance(inside, (nodes.reference, nodes.title)):
            inside = inside.parent
        if named is None or inside is not None:
            continue
        home = {"lg": "lagraph_gpu", "G": "lagraph_gpu.Graph"}[named[1]]
        if (found := known.get(home + named[2])) is None:
            continue
        place = f"{app.builder.get_relative_uri(page, found.docname)}#{found.node_id}"
        word.replace_self(nodes.reference("", "", word.deepcopy(), internal=True, refuri=place))


def setup(app: Any) -> None:
    gc.disable()  # nearly all that a build makes stays to its end, and was looked through often
    app.connect("doctree-resolved", link_names)
    app.connect("html-page-context", names_break_between_words)
    app.connect("html-page-context", only_written_pages_are_edited)
    app.connect("builder-inited", lambda app: make_reference.main())
    app.connect("autodoc-process-docstring", docstrings.process, docstrings.BEFORE_NAPOLEON)
    app.connect("source-read", without_folders)
