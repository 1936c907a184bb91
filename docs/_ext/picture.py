"""A directive that runs Python code and shows the code and its picture.

::

    ```{picture} roc
    picture = pictures.roc(["ham", "spam", "ham", "spam"], [-1.0, 0.5, 0.5, 2.0])
    ```

The argument is the name of the picture. The code can use the variables of earlier blocks of the
page. With ``:hide:`` the page shows the picture alone.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective


class Picture(SphinxDirective):
    """Code, and the picture in its variable ``picture``."""

    required_arguments = 1
    has_content = True
    option_spec = {"hide": directives.flag}  # noqa: RUF012 - docutils declares it so

    def run(self) -> list[nodes.Node]:
        """Run the code, save the picture, and return both as nodes."""
        name, code = self.arguments[0], "\n".join(self.content)
        session = self.env.temp_data.setdefault("hardlimit-pictures", {})
        exec(compile(code, f"{self.env.docname}: {name}", "exec"), session)
        picture = session["picture"]
        if picture.name != name:
            raise self.error(f"the picture is called {picture.name}, not {name}")
        drawn = session["drawn"] = session.get("drawn", 0) + 1
        folder = Path(self.env.srcdir, "generated", "pictures")
        folder.mkdir(parents=True, exist_ok=True)
        # The same picture stands on several pages.
        file = f"{self.env.docname.replace('/', '-')}-{drawn:02}-{name}.svg"
        picture.save(folder / file)
        image = nodes.image(uri=f"/generated/pictures/{file}", alt=picture.description)
        shown = (
            [] if "hide" in self.options else [nodes.literal_block(code, code, language="python")]
        )
        return [*shown, image]


def setup(app):
    """Register with Sphinx."""
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True}
