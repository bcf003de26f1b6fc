import { describe, expect, it } from "vitest";
import { type ConvertOptions, convertHtml } from "../../../src/html/convert";

const OPTIONS: ConvertOptions = { url: "https://docs.example/", markdown: true, text: true, onlyMainContent: false };
const convert = (html: string) => convertHtml(`<body>${html}</body>`, OPTIONS);
const EXPORTED =
  '&lt;font <b>color</b>=&quot;#4E9A06&quot;&gt;pip&lt;/font&gt; install "a&amp;lt;2"\n&lt;b&gt;Done&amp;apos;&lt;/b&gt;';

describe("a terminal session that is escaped HTML", () => {
  it.each([
    ["in a <pre>", (code: string) => `<pre>${code}</pre>`],
    [
      "in a highlighter's table",
      (code: string) => `<div><table><tr><td>1</td><td><pre>${code}</pre></td></tr></table></div>`,
    ],
  ])("is displayed as its script does: %s", (_, around) => {
    const html = `<div class="dark termy">${around(`<code><span>$ </span>${EXPORTED}</code>`)}</div>`;
    expect(convert(html).text).toContain('$ pip install "a<2"\nDone\'');
  });

  it("keeps its line breaks and its language, and doesn't show hidden text", () => {
    const code = '<code class="language-console">$ &lt;b&gt;x&lt;/b&gt;<br>two<span hidden>three</span></code>';
    const { markdown } = convert(`<div class="termy"><pre><button hidden>Copy</button>${code}</pre></div>`);
    expect(markdown).toBe("```console\n$ x\ntwo\n```");
  });
});

it.each([
  ["in other elements", `<pre><code>${EXPORTED}</code></pre>`, '<font color="#4E9A06">pip</font>'],
  [
    "without markup",
    '<div class="termy"><code>cat a &amp;amp; b &lt; &lt;file&gt;</code></div>',
    "cat a &amp; b < <file>",
  ],
])("code %s doesn't change", (_, html, expected) => {
  expect(convert(html).text).toContain(expected);
});
