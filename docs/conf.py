"""How Sphinx builds these pages: ``make docs``; every warning is an error."""

import sys
import warnings
from pathlib import Path

import hardlimit

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]  # the table of choices is in benchmarks/
warnings.filterwarnings("error", module="hardlimit")

project = "hardlimit"
author = "The hardlimit developers"
copyright = author
version = release = hardlimit.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_gallery.gen_gallery",
    "picture",  # _ext: pictures, drawn from the code beside them
    "from_docstrings",  # _ext: the pages that are made from the package itself
]
exclude_patterns = ["_build", "_ext", "generated/examples/*.ipynb", "generated/examples/*.py"]
suppress_warnings = ["config.cache"]

highlight_language = "text"  # what is not said to be Python is a formula

# Markdown
myst_enable_extensions = ["deflist", "colon_fence", "attrs_inline"]
myst_heading_anchors = 3

# Docstrings
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the text says what a parameter may be
python_maximum_signature_line_length = 110
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
toc_object_entries = False

# The scripts of examples/ are run, and what they print is shown.
sphinx_gallery_conf = {
    "examples_dirs": [str(HERE.parent / "examples")],
    "gallery_dirs": ["generated/examples"],
    "filename_pattern": r"\.py$",
    "image_scrapers": (),
    "reset_modules": (),
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "within_subsection_order": "FileNameSortKey",
}

# Looks: nothing is fetched from elsewhere.
html_theme = "furo"
html_title = f"hardlimit {release}"
html_static_path = ["_static"]
html_css_files = ["hardlimit.css"]
html_show_sphinx = False
html_copy_source = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#1b4f8a",
        "color-brand-content": "#1b4f8a",
        "color-brand-visited": "#5a3d8a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8fbdf0",
        "color-brand-content": "#8fbdf0",
        "color-brand-visited": "#c3aef0",
    },
}
