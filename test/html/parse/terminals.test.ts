import { expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

function textOf(html: string): string {
  const options = { url: "https://docs.example/", markdown: false, text: true, onlyMainContent: false };
  return convertHtml(`<body>${html}</body>`, options).text ?? "";
}

const EXPORTED =
  '<pre><code><span>$ </span>&lt;font <b>color</b>=&quot;#4E9A06&quot;&gt;pip&lt;/font&gt; install "a&amp;lt;2"\n&lt;b&gt;Done&amp;apos;&lt;/b&gt;</code></pre>';

it("displays a terminal session that is escaped HTML as the page's script does", () => {
  expect(textOf(`<div class="termy">${EXPORTED}</div>`)).toBe('$ pip install "a<2"\nDone\'');
});

it.each([
  ["in other elements", EXPORTED, '$ <font color="#4E9A06">pip</font>'],
  [
    "without formatting",
    '<div class="termy"><code>cat a &amp;amp; b &lt; &lt;file&gt;</code></div>',
    "cat a &amp; b < <file>",
  ],
])("doesn't change code %s", (_, html, expected) => {
  expect(textOf(html)).toContain(expected);
});
