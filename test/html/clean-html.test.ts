import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { type ConvertOptions, convertHtml } from "../../src/html/convert";
import { PAYLOADS } from "../support/script-payloads";

const URL = "https://a.example/b/";

function clean(html: string, more: Partial<ConvertOptions> = {}): string {
  const options = { url: URL, markdown: false, text: false, cleanHtml: true, onlyMainContent: false, ...more };
  return convertHtml(html, options).cleanHtml ?? "";
}

describe("clean HTML", () => {
  it.each([
    [
      "headings and paragraphs",
      "<h2 class=a>One</h2><p id=b>Two <b>three</b></p>",
      "<h2>One</h2>\n<p>Two <strong>three</strong></p>",
    ],
    [
      "absolute links",
      '<p>See <a href="c?d&e" onclick="x()">this</a>.',
      '<p>See <a href="https://a.example/b/c?d&#38;e">this</a>.</p>',
    ],
    [
      "images",
      "<p>Look <img src=/i.png alt='a \"b\"'>",
      '<p>Look <img src="https://a.example/i.png" alt="a &#34;b&#34;"></p>',
    ],
    [
      "code",
      '<pre><code class="language-ts">if (a < b) {\n  c();\n}</code></pre>',
      '<pre><code class="language-ts">if (a &#60; b) {\n  c();\n}</code></pre>',
    ],
    ["inline code", "<p>Call <code>a&lt;b&gt;()</code> now", "<p>Call <code>a&#60;b&#62;()</code> now</p>"],
    [
      "lists",
      "<ul><li>a<li>b<ol start=3><li>c</ol></ul>",
      '<ul>\n<li>a</li>\n<li>b<ol start="3">\n<li>c</li>\n</ol>\n</li>\n</ul>',
    ],
    [
      "tasks",
      "<ul><li><input type=checkbox checked> a</ul>",
      '<ul>\n<li><input type="checkbox" disabled checked> a</li>\n</ul>',
    ],
    [
      "tables",
      "<table><tr><th>a<th>b<tr><td>1<td align=right>2</table>",
      '<table>\n<thead>\n<tr><th>a</th><th align="right">b</th></tr>\n</thead>\n<tbody>\n<tr><td>1</td><td align="right">2</td></tr>\n</tbody>\n</table>',
    ],
    ["quotes", "<blockquote><p>a<p>b</blockquote>", "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>"],
    ["definitions", "<dl><dt>a<dd>b</dl><p>c", "<dl>\n<dt>a</dt>\n<dd>\n<p>b</p>\n</dd>\n</dl>\n<p>c</p>"],
    ["line breaks", "<p>a<br>b", "<p>a<br>\nb</p>"],
    [
      "nested formatting",
      "<p>a <em>b <strong>c</strong></em><strong>d</strong>",
      "<p>a <em>b <strong>c</strong></em><strong>d</strong></p>",
    ],
  ])("keeps %s", (_, html, expected) => {
    expect(clean(html)).toBe(expected);
  });

  it("has the content of the markdown", () => {
    const html =
      "<body><nav><a href=/n>Navigation</a></nav><main><h1>Title</h1><p>The tide comes in twice a day, and the harbor fills with boats.</p><p class=ad>Buy now</p></main><footer>Footer</footer>";
    const text = (options: Partial<ConvertOptions>) => clean(html, { onlyMainContent: true, ...options });
    expect(text({})).toContain("<h1>Title</h1>");
    expect(text({})).not.toMatch(/Navigation|Footer/);
    expect(text({ excludeSelectors: [".ad"] })).not.toContain("Buy");
    expect(text({ includeSelectors: [".ad"] })).toBe("<p>Buy now</p>");
    expect(text({ onlyMainContent: false })).toContain("Footer");
  });

  it.each([
    ["URL", `<a href="/${"x".repeat(7_000)}">${"a<br><br>".repeat(20_000)}</a>`],
    ["title", `<a href="/x" title="${"t".repeat(20_000)}">${"a<br><br>".repeat(20_000)}</a>`],
  ])("stays small if a link with a long %s spans many paragraphs", (_, html) => {
    expect(clean(html).length).toBeLessThan(9_500_000);
  });
});

/** The tags and attributes that the output may have. */
const ALLOWED: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    "p h1 h2 h3 h4 h5 h6 pre blockquote dl dt dd aside ul table thead tbody tr hr br strong em del sup sub"
      .split(" ")
      .map((tag) => [tag, []]),
  ),
  code: ["class"],
  a: ["href", "title"],
  img: ["src", "alt", "title"],
  ol: ["start"],
  li: ["value"],
  th: ["align"],
  td: ["align"],
  input: ["type", "disabled", "checked"],
};

it.each(PAYLOADS)("has no markup of the page: %s", (payload) => {
  for (const html of [payload, `<main><h1>A page</h1><p>Words ${payload} and more.</main>`]) {
    for (const onlyMainContent of [true, false]) {
      const output = clean(html, { onlyMainContent });
      const parser = new Parser({
        onopentag(name, attribs) {
          expect(Object.keys(ALLOWED)).toContain(name);
          expect(ALLOWED[name]).toEqual(expect.arrayContaining(Object.keys(attribs)));
          for (const address of [attribs.href, attribs.src])
            if (address !== undefined) expect(address).toMatch(/^(?:https?|mailto|tel|sms|ftp):/);
        },
        oncomment: () => expect.unreachable(),
        onprocessinginstruction: () => expect.unreachable(),
      });
      parser.end(output);
    }
  }
});
