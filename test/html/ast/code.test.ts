import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../writers";

function markdownOf(html: string): string {
  return toMarkdown(parseDocument(html), { baseUrl: "https://a.example/" });
}

describe("the language of code", () => {
  it.each([
    ["is in data-language", '<pre data-language="go">a</pre>', "go"],
    ["is in data-lang", '<pre><code data-lang="go">a</code></pre>', "go"],
    ["is a SyntaxHighlighter brush", '<pre class="brush: java; gutter: false">a</pre>', "java"],
    ["is next to the class of highlight.js", '<pre><code class="rust hljs">a</code></pre>', "rust"],
    ["is next to the class of pandoc", '<pre class="sourceCode python">a</pre>', "python"],
    ["is empty for plain text", '<div class="language-js"><pre class="language-plaintext">a</pre></div>', ""],
    ["is on an element around it", '<div class="language-js"><div><pre>a</pre></div></div>', "js"],
    [
      "is on an element around it, at a distance of three levels",
      '<div class="language-js"><div><div><pre>a</pre></div></div></div>',
      "js",
    ],
    [
      "isn't on an element at a distance of four levels",
      '<div class="language-js"><div><div><div><pre>a</pre></div></div></div></div>',
      "",
    ],
    ["isn't on the body", '<body class="language-js"><pre>a</pre></body>', ""],
    ["follows lang-", '<pre class="lang-c++">a</pre>', "c++"],
    ["follows highlight-source-", '<div class="highlight-source-c#"><pre>a</pre></div>', "c#"],
    ["follows highlight-text-", '<div class="highlight-text-html"><pre>a</pre></div>', "html"],
    ["follows highlight-", '<div class="highlight-python3"><pre>a</pre></div>', "python3"],
    ["is after the class of highlight.js", '<pre><code class="hljs rust">a</code></pre>', "rust"],
    [
      "is on the code rather than around it",
      '<div class="language-a"><pre><code class="language-b">a</code></pre></div>',
      "b",
    ],
    ["is in any case", '<pre class="Language-JS">a</pre>', "JS"],
    ["is empty if data-lang isn't a name", '<pre data-lang="en, de">a</pre>', ""],
  ])("%s", (_, html, language) => {
    expect(markdownOf(html)).toBe(`\`\`\`${language}\na\n\`\`\``);
  });

  it("isn't taken from an element with much more text", () => {
    const html = `<div class="language-en"><p>${"word ".repeat(40)}</p><pre>a</pre></div>`;
    expect(markdownOf(html)).toMatch(/\n\n```\na\n```$/);
  });
});

describe("code in a table", () => {
  it.each([
    [
      "keeps a listing of numbers in one cell, next to another cell",
      "<table><tr><td>a</td><td><pre>1\n2</pre></td></tr><tr><td>b</td><td>c</td></tr></table>",
      "|  |  |\n| --- | --- |\n| a | `1`<br>`2` |\n| b | c |",
    ],
    [
      "isn't a listing in a table with several rows",
      '<table><tr><td class="gutter">1</td><td><pre>a</pre></td></tr><tr><td class="gutter">2</td><td>b</td></tr></table>',
      "|  |  |\n| --- | --- |\n| 1 | `a` |\n| 2 | b |",
    ],
    [
      "has one line for each row of a GitHub listing",
      '<table class="lang-go"><tr><td class="blob-num">1</td><td class="blob-code">a</td></tr><tr><td class="blob-num">2</td><td class="blob-code">b</td></tr></table>',
      "```go\na\nb\n```",
    ],
    [
      "isn't a listing if the table contains another table",
      '<table><tr><td class="gutter">1</td><td><pre>a</pre><table><tr><th>b</th><th>c</th></tr></table></td></tr></table>',
      "1\n\n```\na\n```\n\n| b | c |\n| --- | --- |",
    ],
    [
      "is a listing without its empty gutter",
      '<table><tr><td class="linenos"></td><td><pre>a</pre></td></tr></table>',
      "```\na\n```",
    ],
    [
      "is a listing next to a cell of numbers in a <pre>",
      "<table><tr><td><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>",
      "```\na\nb\n```",
    ],
    [
      "is a listing next to numbers in a cell with the class of a gutter",
      '<table><tr><td class="gutter">1 2</td><td><pre>a\nb</pre></td></tr></table>',
      "```\na\nb\n```",
    ],
    [
      "isn't a listing if only the code has the class of a gutter",
      '<table><tr><td><div><span class="lineno">1</span></div><pre>a</pre></td></tr></table>',
      "1\n\n```\na\n```",
    ],
    [
      "isn't a listing next to other code",
      "<table><tr><td><pre>a</pre></td><td><pre>b</pre></td></tr></table>",
      "```\na\n```\n\n```\nb\n```",
    ],
    ["isn't a listing in a row without a gutter", "<table><tr><td><pre>1</pre></td></tr></table>", "```\n1\n```"],
  ])("%s", (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });
});

describe("the text of code", () => {
  it.each([
    ["has ordinary spaces", "<pre>a&nbsp;b</pre>", "a b"],
    ["keeps the indentation of its first line", "<pre>\n\n  a\n b</pre>", "  a\n b"],
    ["has no white space at its end", "<pre>a\n\n  </pre>", "a"],
    ["has the cells of a table row on one line", "<pre><table><tr><td>a</td><td>b</td></tr></table></pre>", "ab"],
    ["has no line numbers", '<pre><span class="lineno">1</span>a\n<span class="lineno">2</span>b</pre>', "a\nb"],
    ["keeps a <code> that the class line-numbers marks", '<pre><code class="line-numbers">a</code></pre>', "a"],
    ["has no scripts and styles", "<pre>a<style>b</style><script>c</script></pre>", "a"],
    ["has line breaks only between blocks", "<pre><div>a\n</div><div>b</div></pre>", "a\nb"],
    ["has only line feeds", "<pre>a\r\nb\rc</pre>", "a\nb\nc"],
  ])("%s", (_, html, code) => {
    expect(markdownOf(html)).toBe(`\`\`\`\n${code}\n\`\`\``);
  });
});
