import { describe, expect, it } from "vitest";
import { parseDocument } from "../../../src/html/parse/document";
import { baseUrl } from "../../../src/html/parse/urls";
import { toMarkdown } from "../writers";

function markdownOf(html: string): string {
  const document = parseDocument(html);
  return toMarkdown(document, { baseUrl: baseUrl(document, "https://a.example/b/c") });
}

function check(cases: [string, string, string][]): void {
  it.each(cases)("%s", (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });
}

describe("headings", () => {
  check([
    ["have the ATX form at all levels", "<h1>A</h1><h3>B</h3><h6>C</h6>", "# A\n\n### B\n\n###### C"],
    ["are on one line, even with blocks inside", "<h2><div>A</div>B<br>C</h2>", "## A B C"],
    ["lose their permalink", '<h2>A <a href="#a">¶</a></h2>', "## A"],
    ["lose a permalink with words", '<h2>A <a href="#a"><span>Link to this heading</span></a></h2>', "## A"],
    ["lose a permalink with an image", '<h2>A <a href="#a"><img src="/i.png" alt="Link"></a></h2>', "## A"],
    ["lose a button that copies the address", "<h2>A <button>Copy link</button></h2>", "## A"],
    ["aren't links to themselves", '<h2 id="a"><a href="#a">Link building</a></h2>', "## Link building"],
    [
      "of terms lose their permalink",
      '<dl><dt id="a">A<a class="headerlink" href="#a">¶</a></dt><dd>b</dd></dl>',
      "A\n: b",
    ],
    ["keep numbers and punctuation", "<h2>1. A</h2><h2>C #</h2>", "## 1. A\n\n## C \\#"],
    ["are dropped when empty", "<h2> </h2><p>a</p>", "a"],
    ["keep the text of a button", "<h3><button>Open</button></h3>", "### Open"],
  ]);
});

describe("code", () => {
  check([
    [
      "keeps a block with the class line-numbers",
      '<pre class="line-numbers lang-js"><code>a</code></pre>',
      "```js\na\n```",
    ],
    ["takes the language from <code>", '<pre><code class="language-sh">ls</code></pre>', "```sh\nls\n```"],
    ["takes the language from lang-x on <pre>", '<pre class="prettyprint lang-js">a</pre>', "```js\na\n```"],
    [
      "takes the language from the wrapper",
      '<div class="highlight highlight-source-c++"><pre>a</pre></div>',
      "```c++\na\n```",
    ],
    ["needs no <code> element", "<pre>$ ls\ntotal 8</pre>", "```\n$ ls\ntotal 8\n```"],
    [
      "keeps white space and punctuation",
      "<pre><code>a  *b*\n\n\n\t_c_ \nd</code></pre>",
      "```\na  *b*\n\n\n\t_c_ \nd\n```",
    ],
    ["breaks lines at <br> and at blocks", "<pre>a<br>b<div>c</div><div>d</div></pre>", "```\na\nb\nc\nd\n```"],
    ["gets a longer fence if it contains a fence", "<pre>```js\na\n```</pre>", "````\n```js\na\n```\n````"],
    ["gets a longer fence if it contains a long fence", "<pre>````\na\n````</pre>", "`````\n````\na\n````\n`````"],
    [
      "loses line numbers",
      '<table><tr><td class="gutter"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
      "```\na\nb\n```",
    ],
    [
      "loses line numbers without a class",
      "<table><tr><td><pre>1\n2\n</pre></td><td><pre><code class='language-c'>a\nb</code></pre></td></tr></table>",
      "```c\na\nb\n```",
    ],
    [
      "is extracted from a table with one row per line",
      '<table class="highlight"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">a</td></tr><tr><td class="blob-num"></td><td class="blob-code">\n</td></tr><tr><td class="blob-num"></td><td class="blob-code">  b</td></tr></table>',
      "```\na\n\n  b\n```",
    ],
    [
      "is extracted from a highlight.js table with line numbers",
      '<pre><code class="hljs js"><table class="hljs-ln"><tr><td class="hljs-ln-numbers">1</td><td class="hljs-ln-code">a</td></tr><tr><td class="hljs-ln-numbers">2</td><td class="hljs-ln-code">  b</td></tr></table></code></pre>',
      "```js\na\n  b\n```",
    ],
    [
      "is extracted from Shiki, which puts lines in spans",
      '<pre class="shiki"><code class="language-ts"><span class="line"><span>a</span></span>\n<span class="line"></span>\n<span class="line">  b</span></code></pre>',
      "```ts\na\n\n  b\n```",
    ],
    [
      "loses Prism's line numbers",
      '<pre class="language-css line-numbers"><code>a\nb<span class="line-numbers-rows"><span></span></span></code></pre>',
      "```css\na\nb\n```",
    ],
    [
      "is separate from text and other code",
      "<p>a</p><pre>b</pre><pre>c</pre>d",
      "a\n\n```\nb\n```\n\n```\nc\n```\n\nd",
    ],
    ["is indented in lists", "<ol><li>a<pre>b\n\n  c</pre></li></ol>", "1. a\n\n   ```\n   b\n\n     c\n   ```"],
    [
      "uses more backticks than it contains if inline",
      "<p><code>a `b` c</code> <code>`d</code></p>",
      "``a `b` c`` `` `d ``",
    ],
    ["isn't escaped if inline", "<code>*a*_b_&lt;br&gt;</code>", "`*a*_b_<br>`"],
    ["is also written for kbd, samp and tt", "<kbd>A</kbd> <samp>B</samp> <tt>C</tt>", "`A` `B` `C`"],
    ["is written inside a link that it contains", '<code><a href="/f">f()</a></code>', "[`f()`](https://a.example/f)"],
  ]);
});

describe("tables", () => {
  const head = "<tr><th>A</th><th>B</th></tr>";
  check([
    [
      "have their header row",
      `<table>${head}<tr><td>1</td><td>2</td></tr></table>`,
      "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "get an empty header if they have none",
      "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
      "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
    ],
    [
      "keep line breaks, pipes and emphasis in cells",
      `<table>${head}<tr><td>1<br>2<p>3</p></td><td><code>x||y</code> <b>z</b></td></tr></table>`,
      "| A | B |\n| --- | --- |\n| 1<br>2<br>3 | `x\\|\\|y` **z** |",
    ],
    [
      "keep a backslash before a pipe in code",
      `<table>${head}<tr><td><code>x\\|y</code></td><td>z</td></tr></table>`,
      "| A | B |\n| --- | --- |\n| <code>x\\\\\\|y</code> | z |",
    ],
    [
      "keep lists and code in cells",
      `<table>${head}<tr><td><ul><li>1</li><li>2</li></ul></td><td><pre>a\nb</pre></td></tr></table>`,
      "| A | B |\n| --- | --- |\n| 1<br>2 | `a`<br>`b` |",
    ],
    [
      "repeat cells that span several rows or columns",
      `<table>${head}<tr><td rowspan=2>1</td><td>2</td></tr><tr><td>3</td></tr><tr><td colspan=2>4</td></tr></table>`,
      "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |\n| 4 | 4 |",
    ],
    [
      "repeat a cell in the last column that spans several rows",
      `<table>${head}<tr><td>1</td><td rowspan=2>2</td></tr><tr><td>3</td></tr></table>`,
      "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 2 |",
    ],
    [
      "have their alignment and caption",
      '<table><caption>C</caption><tr><th>A</th><th>B</th></tr><tr><td align="right">1</td><td style="text-align: center">2</td></tr></table>',
      "C\n\n| A | B |\n| ---: | :---: |\n| 1 | 2 |",
    ],
    ["become blocks if they have one row and no header", "<table><tr><td>1</td><td>2</td></tr></table>", "1\n\n2"],
    [
      "become blocks if they are used for layout",
      "<table><tr><td><p>1</p></td></tr><tr><td><p>2</p></td></tr></table>",
      "1\n\n2",
    ],
    [
      "are kept inside a layout table",
      `<table><tr><td>1</td><td><table>${head}<tr><td>2</td><td>3</td></tr></table></td></tr></table>`,
      "1\n\n| A | B |\n| --- | --- |\n| 2 | 3 |",
    ],
  ]);
});

describe("lists", () => {
  check([
    [
      "nest by indentation",
      "<ol><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ol>",
      "1. a\n   - b\n     - c\n2. d",
    ],
    ["nest if a list is between items", "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"],
    ["start at their start number", '<ol start="9"><li>a</li><li>b<p>c</p></li></ol>', "9. a\n\n10. b\n\n    c"],
    [
      "can have tasks",
      "<ul><li><input type=checkbox checked> a</li><li><label><input type=checkbox>b</label></li></ul>",
      "- [x] a\n- [ ] b",
    ],
    ["have no negative numbers", '<ol reversed start="1"><li>a<li>b<li>c</ol>', "1. a\n0. b\n0. c"],
    ["limit numbers to nine digits", '<ol start="1000000000000"><li>a</ol>', "999999999. a"],
    ["stay separate if they are adjacent", "<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b"],
    ["lose empty items, but keep text between items", "<ul><li> </li>a<li>b</li></ul>", "- a\n- b"],
    ["are allowed in quotes", "<blockquote>a<ul><li>b</li></ul></blockquote>", "> a\n>\n> - b"],
  ]);
});

describe("links and images", () => {
  check([
    [
      "are kept around a block with an image",
      '<a href="/x"><div><img src="/i.png" alt="a"></div></a>',
      "[![a](https://a.example/i.png)](https://a.example/x)",
    ],
    [
      "don't become images after an exclamation mark",
      '<p>a!<a href="/x">b</a> c!</p>',
      "a\\![b](https://a.example/x) c!",
    ],
    [
      "are absolute",
      '<a href="d?e#f">g</a> <img src="//x.example/i.png" alt="j">',
      "[g](https://a.example/b/d?e#f) ![j](https://x.example/i.png)",
    ],
    ["are resolved against <base>", '<base href="/z/"><a href="d">g</a>', "[g](https://a.example/z/d)"],
    [
      "lose a script URL but keep the text",
      '<a href=" JavaScript:x()">a</a> <a href="java\nscript:x">b</a> <a href="vbscript:x">c</a>',
      "a b c",
    ],
    ["lose an invalid URL but keep the text", '<a href="http://[">a</a> <a>b</a>', "a b"],
    ["are dropped if they have no text", '<p>a<a href="/x"></a><a href="/y"> </a>b</p>', "a b"],
    [
      "are kept around an image",
      '<a href="/x"><img src="/i.png" alt=""></a>',
      "[![](https://a.example/i.png)](https://a.example/x)",
    ],
    [
      "are kept around an image with brackets in its alternative text",
      '<a href="/x"><img src="/i.png" alt="a]b"></a>',
      "[![a&#93;b](https://a.example/i.png)](https://a.example/x)",
    ],
    [
      "move to the heading if they contain blocks",
      '<a href="/x"><div><h3>a</h3><p>b</p></div></a>',
      "### [a](https://a.example/x)\n\nb",
    ],
    ["can contain brackets and parentheses", '<a href="/x_(y)">a [b] c</a>', "[a \\[b\\] c](https://a.example/x_(y))"],
    [
      "use the URL from lazy-loading attributes",
      '<img src="data:image/gif;base64,R0" data-src="/i.png" alt="a">',
      "![a](https://a.example/i.png)",
    ],
    [
      "use the largest URL of a source set",
      '<picture><source srcset="/w,1.webp 1x, /x 2x"><img alt="a"></picture>',
      "![a](https://a.example/x)",
    ],
    [
      "use the image from <noscript> once",
      '<p><img src="data:,x"><noscript><img src="/i.png"></noscript></p>',
      "![](https://a.example/i.png)",
    ],
    [
      "use the caption as title",
      '<figure><img src="/i.png" alt="a"><figcaption>b <b>"c"</b></figcaption></figure>',
      '![a](https://a.example/i.png "b \\"c\\"")',
    ],
    ["are dropped if they are tracking pixels", '<p>a<img src="/p.gif" width="1" height="1"></p>', "a"],
    [
      "replace a placeholder before <noscript>",
      '<p><img src="/blank.gif" alt="b"><noscript><img src="/i.png" alt="a"></noscript></p>',
      "![a](https://a.example/i.png)",
    ],
    ...[
      ['<img src="/blur.jpg?w=20" data-srcset="/i.png 400w">', "a preview by its source set"],
      ['<img src="/i.png?w=20"><noscript><img src="/i.png"></noscript>', "a preview by the image in <noscript>"],
      ['<noscript><img src="/i.png"></noscript><img src="data:," data-src="/i.png">', "an image after <noscript>"],
      ['<img src="/img/loader.gif" data-hero-image="/i.png">', "an attribute with a name of the site's own"],
      ['<span><img src="/1x1.gif"></span><noscript><img src="/i.png"></noscript>', "an image in a box"],
    ].map(([html, form]): [string, string, string] => [
      `have their address once: ${form}`,
      `<p>${html}</p>`,
      "![](https://a.example/i.png)",
    ]),
    ...[
      ['<img class="emoji" src="/x.png" alt="👋">', "👋"],
      ['<img src="https://e.example/wave.png" alt=":wave:" width="20">', ":wave:"],
      ['<img class="wp-smiley" src="/smile.png" alt=":)">', ":)"],
      ['<img class="emoji" src="https://e.example/72x72/1f44b-1f3fd.svg" alt="">', "👋🏽"],
      ['<g-emoji class="g-emoji" alias="wave">👋</g-emoji>', "👋"],
    ].map(([html = "", text]): [string, string, string] => [
      `are text if they are an emoji: ${text}`,
      `<p>a ${html} b</p>`,
      `a ${text} b`,
    ]),
    ["are dropped if they have no valid URL", '<p>a <img src="data:image/gif;base64,R0" alt="b"></p>', "a"],
  ]);
});

describe("text in markdown", () => {
  check([
    ...["$x_1 * y_2$", "$$a_1 * b_1$$", "\\(a_1 \\times b_2\\)", "\\[ \\sum_{i=1}^n a_i * b_i \\]", "$\\{a\\}$"].map(
      (tex): [string, string, string] => [`keeps the TeX ${tex}`, `<p>Let ${tex} be.</p>`, `Let ${tex} be.`],
    ),
    [
      "has prices in dollars",
      "<p>from $5 *a* to $6 *b* or US$7_c_$8</p>",
      "from $5 \\*a\\* to $6 \\*b\\* or US$7_c\\_$8",
    ],
    ["isn't TeX in other words", "<p>use \\( and \\)</p>", "use \\\\( and \\\\)"],
    ["has no glyphs of icon fonts", "<p><i>\uf015</i> a\ue801 b</p>", "a b"],
    [
      "includes shadow roots",
      "<x-a><template shadowrootmode=open><p>a</p></template></x-a><template>b</template>",
      "a",
    ],
    ["can have emphasis, even within words", "<b>a</b> <i>b</i> c<em>d</em>e <del>f</del>", "**a** _b_ c*d*e ~~f~~"],
    [
      "gets spaces where CommonMark needs them for emphasis",
      "<p><b>a:</b>b <i>“c”</i>d これは<b>重要。</b>です</p>",
      "**a:** b *“c”* d これは**重要。** です",
    ],
    ["has no spaces at the edges of emphasis", "<p>a<b> b </b>c</p>", "a **b** c"],
    ["has emphasis in each block of an element", "<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"],
    ["doesn't repeat nested emphasis", "<b><strong>a</strong> <b><p>b</p></b></b>", "**a**\n\n**b**"],
    [
      "uses different delimiters for adjacent emphasis",
      "<b>a</b><strong>b</strong> <i>c</i><em>d</em>",
      "**a**__b__ _c_*d*",
    ],
    ["joins adjacent emphasis if no other delimiter is possible", "<b>a</b><strong>b</strong>c", "**ab**c"],
    ["has line breaks, but not at the end", "<p>a<br>b<br></p>", "a\\\nb"],
    ["starts a paragraph at two line breaks", "<p>a<br><br>b</p>", "a\n\nb"],
    [
      "is escaped if it would have a meaning in markdown",
      "<p># a</p><p>1. b</p><p>*c* [d](e) &lt;f&gt; `g`</p>",
      "\\# a\n\n1\\. b\n\n\\*c\\* [d\\](e) \\<f> \\`g\\`",
    ],
    [
      "isn't escaped unnecessarily",
      "<p>snake_case 2 * 3 a &lt; b [1] C:\\dir R&amp;D</p>",
      "snake_case 2 * 3 a < b [1] C:\\dir R&D",
    ],
    ["has quotes within quotes", "<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
    ["has rules", "a<hr>b", "a\n\n---\n\nb"],
    ["has one rule for several in a row", "a<hr><div><hr> </div><hr>b", "a\n\n---\n\nb"],
    [
      "has one blank line between blocks",
      "<div>a</div><div><div></div><br><br><p>b</p></div><details><summary>c</summary>d</details>",
      "a\n\nb\n\nc\n\nd",
    ],
    ["has no invisible characters", "<p>a\u00adb\u200bc&nbsp;d</p>", "abc d"],
    ["includes elements named like object properties", "<p>a <constructor>b</constructor> c</p>", "a b c"],
  ]);

  check([
    ["has formulas from MathML", `<p>a <math><mfrac><mi>x</mi><mn>2</mn></mfrac></math> b</p>`, "a $\\frac{x}{2}$ b"],
    [
      "has formulas from KaTeX",
      '<p>a <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span> b</p>',
      "a $x_1$ b",
    ],
    [
      "has formulas from MathJax 2 only once",
      '<p>a <span class="MathJax_Preview">x</span><span class="MathJax"><nobr>x²</nobr></span><script type="math/tex">x^2</script></p>',
      "a $x^2$",
    ],
    ["has block formulas", '<p>a</p><math display="block"><mi>x</mi></math>', "a\n\n$$\nx\n$$"],
    [
      "has terms with their definitions",
      "<dl><dt>a</dt><dd>b</dd><dd><p>c</p><p>d</p></dd><dt>e</dt><dd>f</dd></dl>",
      "a\n: b\n: c\n\nd\n\ne\n: f",
    ],
    [
      "has code and lists in definitions without a marker",
      "<dl><dt>a</dt><dd><pre>b\n\nc</pre></dd><dt>d</dt><dd><ul><li>e</ul></dd><dd>f</dd></dl><h2>g</h2>",
      "a\n\n```\nb\n\nc\n```\n\nd\n\n- e\n\n: f\n\n## g",
    ],
    [
      "has code and tables after the text of definitions",
      "<dl><dt>a</dt><dd><p>b</p><pre>c</pre><table><tr><th>d</th><th>e</th></tr></table></dd><dd>f</dd></dl>",
      "a\n: b\n\n```\nc\n```\n\n| d | e |\n| --- | --- |\n\n: f",
    ],
    [
      "has superscripts and subscripts",
      "H<sub>2</sub>O x<sup>2</sup> 1<sup>st</sup>",
      "H<sub>2</sub>O x<sup>2</sup> 1st",
    ],
    [
      "has the footnotes that the page declares",
      '<p>a<sup><a href="#fn1" role="doc-noteref">1</a></sup></p><section class="footnotes"><ol><li id="fn1"><p>b <a href="#r" class="footnote-back">↩</a></p></li></ol></section>',
      "a[^1]\n\n[^1]: b",
    ],
    ["has ruby in parentheses", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"],
    ["doesn't escape bare URLs", "<p>see http://a.example/b_c/__d__/e.</p>", "see http://a.example/b_c/__d__/e."],
  ]);

  it("has no white space at the ends of lines outside of code", () => {
    expect(markdownOf("<p>a </p><ul><li>b <p> c </p></li></ul><blockquote><p>d</p><p>e</p></blockquote>")).not.toMatch(
      /[ \t]$/m,
    );
  });
});
