import fc from "fast-check";
import { parseDocument } from "htmlparser2";
import { Marked } from "marked";
import { describe, expect, it } from "vitest";
import { toMarkdown, toText } from "../written";

const BASE = { baseUrl: "https://a.example/" };
const marked = new Marked({ gfm: true, async: false });

/** Pieces that mean something in markdown, or might once they stand side by side. */
const pieces = fc.constantFrom(
  ..."\\`*_~[]()<>&|!#+-=.:;$\"'/^{}@%,? \n019abcé中。「」😀",
  ...["http://b.example/c_d_", "www.e.example", "&amp;", "<br>", "1. ", "- ", "# ", "```", "~~~", "---", "==="],
  ...["[x]: y", "](z)", "<!--", "[ ] ", "**", "__", "| - |", "a@b.example", "snake_case"],
);
const words = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function rendered(html: string): string {
  const markdown = toMarkdown(parseDocument(html), BASE);
  return toText(parseDocument(marked.parse(markdown) as string), BASE).replace(/\s+/g, "");
}

describe("any words survive markdown and its renderer", () => {
  it.each([
    ["in a paragraph", (text: string) => `<p>${text}</p>`],
    ["behind a line break", (text: string) => `<p>a<br>${text}</p>`],
    ["in a heading", (text: string) => `<h2>${text}</h2>`],
    ["in an item", (text: string) => `<ol><li>a<ul><li>${text}</li></ul></li></ol>`],
    ["in a cell", (text: string) => `<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>${text}</td></tr></table>`],
    ["in a link", (text: string) => `<p>a <a href="/b">${text}</a> c</p>`],
    ["in a quote", (text: string) => `<blockquote>${text}</blockquote>`],
    ["in emphasis", (text: string) => `<p>a <b>${text}</b>, <i>${text}</i> and <del>${text}</del></p>`],
    [
      "between other things",
      (text: string) => `<p>${text}<b>a</b>${text}<a href="/b">c</a> ${text} <i>d</i><code>e</code></p>`,
    ],
    ["in code", (text: string) => `<p><code>${text}</code></p>`],
    [
      "in a cell's code",
      (text: string) => `<table><tr><th>a</th><th>b</th></tr><tr><td><code>${text}</code></td><td>c</td></tr></table>`,
    ],
    ["in a code block", (text: string) => `<ul><li><pre>${text}</pre></li></ul>`],
  ])("%s", (place, around) => {
    fc.assert(
      fc.property(words, (text) => {
        // A backslash before a pipe can't be said there: the one escapes the other.
        fc.pre(place !== "in a cell's code" || !text.includes("\\|"));
        const html = around(escapeHtml(text));
        expect(rendered(html)).toBe(toText(parseDocument(html), BASE).replace(/\s+/g, ""));
      }),
      { numRuns: 300 },
    );
  });
});
