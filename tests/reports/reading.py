"""The sections of a report taken apart: tables by caption, facts by name, plain text."""

from __future__ import annotations

import html
import re


def section(page, name):
    return page.split(f' id="{name}"')[1].split("</section>")[0]


def tables(page, name):
    """The tables of a section by caption: rows of texts, the small print left out."""
    found = {}
    for body in re.findall(r"<table.*?</table>", section(page, name)):
        caption = html.unescape(re.search(r"<caption>(.*?)</caption>", body)[1])
        rows = []
        for row in re.findall(r"<tr>(.*?)</tr>", body):
            cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
            plain = [re.sub(r"<small>.*?</small>|<[^>]*>", "", cell) for cell in cells]
            rows.append([html.unescape(cell) for cell in plain])
        found[caption] = rows
    return found


def facts(page, name):
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section(page, name))
    return {html.unescape(a): html.unescape(re.sub("<[^>]*>", "", b)) for a, b in pairs}


def text_of(page, name):
    return html.unescape(re.sub("<[^>]*>", "", section(page, name)))


def whole(cell):
    return int(cell.replace(",", "").replace("·", "0"))
