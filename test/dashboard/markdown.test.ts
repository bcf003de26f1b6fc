import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../src/dashboard/result-view/markdown";

describe("rendered markdown", () => {
  const render = async (markdown: string) => {
    const { content, isCut } = await renderMarkdown(markdown);
    return { html: String(content), isCut };
  };

  it.each([
    ["# One *two*", '<h3 class="md-1">One <em>two</em></h3>'],
    ["###### Six", '<h6 class="md-4">Six</h6>'],
    ["a &amp; b &lt; &#x41; &bogus;", "<p>a &amp; b &lt; A &amp;bogus;</p>"],
    ["`<b>` **x** ~~y~~", "<p><code>&lt;b&gt;</code> <strong>x</strong> <del>y</del></p>"],
    ["H<sub>2</sub>O<br>x", "<p>H<sub>2</sub>O<br/>x</p>"],
    ["a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>"],
    ["<script>alert(1)</script>", '<p class="md-raw">&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    [
      "[a](https://b.example/?c&d)",
      '<p><a href="https://b.example/?c&amp;d" rel="noopener noreferrer nofollow">a</a></p>',
    ],
    ["[a](javascript:alert(1))", "<p>a</p>"],
    ["[a](/relative)", "<p>a</p>"],
    ["```js\na < b\n```", '<pre class="code" tabindex="0"><code>a &lt; b</code></pre>'],
    ["> quoted", "<blockquote><p>quoted</p></blockquote>"],
    ["3. c\n4. d", '<ol start="3"><li>c</li><li>d</li></ol>'],
    ["Word[^1].\n\n[^1]: https://note.example", "[^1]: <a href"],
  ])("renders %j as HTML elements", async (markdown, html) => {
    expect((await render(markdown)).html).toContain(html);
  });

  it("has the direction of its text", async () => {
    expect((await render("# سجل المنارة")).html).toMatch(/^<div class="md" dir="auto">/);
  });

  it("has tables and tasks, and links instead of images", async () => {
    const { html } = await render(
      "| a | b |\n| --- | --: |\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n![A view](https://i.example/x.png)",
    );
    expect(html).toContain('<th scope="col" class="number">b</th>');
    expect(html).toContain('<td class="number">2</td>');
    expect(html).toMatch(/checked="" disabled="" aria-label="done"\/>\s*done/);
    expect(html).toContain('<a href="https://i.example/x.png" rel="noopener noreferrer nofollow">A view</a>');
    expect(html).not.toContain("<img");
  });

  it.each([
    "[",
    "*",
    ">",
    "> ",
    "- ",
    "1. ",
    "*_a",
    "`",
    "![",
    "<",
    "[a](",
    "> - ",
    "_a@",
    "a**b",
    "a\n-\n",
    "a|b\n-|\n",
    "- x\n#",
    "- x\n~~+```",
    "> a\n",
    "<!--",
    "[a]: b\n",
  ])("renders 300 KB of %j in time", async (piece) => {
    const { html, isCut } = await render(piece.repeat(300_000 / piece.length));
    expect(isCut).toBe(true);
    expect(html.length).toBeGreaterThan(0);
  });
});
