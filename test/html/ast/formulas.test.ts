import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../writers";

function markdownOf(html: string): string {
  return toMarkdown(parseDocument(html), { baseUrl: "https://a.example/" });
}

function check(cases: [string, string, string][]): void {
  it.each(cases)("%s", (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });
}

describe("formulas", () => {
  check(
    (
      [
        ["mroot", "<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt[3]{x}"],
        ["msqrt", "<msqrt><mi>x</mi><mo>+</mo><mn>3</mn></msqrt>", "\\sqrt{x+3}"],
        ["msubsup", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"],
        ["munderover", "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", "\\sum_{i}^{n}"],
        ["msup around several letters", "<msup><mi>ab</mi><mn>2</mn></msup>", "{ab}^{2}"],
        ["msub", "<msub><mi>x</mi><mn>2</mn></msub>", "x_{2}"],
        ["mfenced", '<mfenced open="["><mi>x</mi><mi>y</mi></mfenced>', "[x, y)"],
        ["mover", "<mover><mi>x</mi><mo>¯</mo></mover>", "\\overline{x}"],
        ["mover without an accent", "<mover><mi>x</mi><mi>y</mi></mover>", "x^{y}"],
        [
          "mtable",
          "<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd></mtr></mtable>",
          "\\begin{matrix}1 & 2 \\\\ 3\\end{matrix}",
        ],
        ["msub around a symbol", "<msub><mo>∑</mo><mi>i</mi></msub>", "\\sum_{i}"],
        [
          "msub around a symbol and a letter",
          "<msub><mrow><mo>∂</mo><mi>x</mi></mrow><mi>i</mi></msub>",
          "{\\partial x}_{i}",
        ],
        ["munder", "<munder><mi>lim</mi><mi>n</mi></munder>", "{lim}_{n}"],
        ["mfrac", "<mfrac><mi>x</mi><mn>3</mn></mfrac>", "\\frac{x}{3}"],
        ["mspace", "<mi>x</mi><mspace/><mi>y</mi>", "x y"],
        ["mfenced without fences", "<mfenced><mi>x</mi></mfenced>", "(x)"],
        ["mtext", "<mtext>if x</mtext>", "\\text{if x}"],
        ["annotation-xml", "<semantics><mi>x</mi><annotation-xml><mi>y</mi></annotation-xml></semantics>", "x"],
        [
          "TeX in the textstyle of Wikipedia",
          '<semantics><mi>x</mi><annotation encoding="application/x-tex">{\\textstyle y}</annotation></semantics>',
          "y",
        ],
        ["nested rows", `${"<mrow>".repeat(20)}<mi>x</mi>${"</mrow>".repeat(20)}`, "x"],
      ] as const
    ).map(([name, html, tex]) => [`can have ${name}`, `a <math>${html}</math>`, `a $${tex}$`]),
  );

  it.each([
    ["∑", "\\sum"],
    ["∏", "\\prod"],
    ["∫", "\\int"],
    ["∂", "\\partial"],
    ["∞", "\\infty"],
    ["∇", "\\nabla"],
    ["×", "\\times"],
    ["⋅", "\\cdot"],
    ["±", "\\pm"],
    ["≤", "\\le"],
    ["≥", "\\ge"],
    ["≠", "\\ne"],
    ["→", "\\to"],
    ["∈", "\\in"],
    ["…", "\\dots"],
    ["−", "-"],
    ["%", "\\%"],
    ["#", "\\#"],
    ["&amp;", "\\&"],
  ])("write the symbol %s as %s", (symbol, tex) => {
    expect(markdownOf(`a <math><mi>x</mi><mo> ${symbol} </mo></math>`)).toBe(`a $x ${tex}$`);
  });

  it.each([
    ["→", "\\vec"],
    ["˙", "\\dot"],
    ["¯", "\\overline"],
    ["^", "\\hat"],
    ["~", "\\tilde"],
  ])("write the accent %s as %s", (accent, tex) => {
    expect(markdownOf(`a <math><mover><mi>x</mi><mo>${accent}</mo></mover></math>`)).toBe(`a $${tex}{x}$`);
  });

  const nested = (levels: number) =>
    `a <math>${"<mrow>".repeat(levels)}<mi>x</mi>${"</mrow>".repeat(levels)}<mi>y</mi></math>`;
  check([
    ["can have 60 levels", nested(60), "a $x y$"],
    ["of KaTeX are inline otherwise", 'a <span class="katex"><math><mi>x</mi></math></span>', "a $x$"],
    ["of Wikipedia are inline", 'a <span class="mwe-math-element"><math><mi>x</mi></math></span>', "a $x$"],
    ["of MathJax 2 can be inline", 'a <span class="x MathJax"><math><mi>x</mi></math></span>', "a $x$"],
    [
      "of MathJax 2 can have other classes",
      '<div class="x MathJax_Display"><math><mi>x</mi></math></div>',
      "$$\nx\n$$",
    ],
    ["in scripts can be inline", 'a <script type="math/tex">x</script>', "a $x$"],
    [
      "of MathJax 2 aren't repeated before their script",
      'a <span class="MathJax"><math><mi>y</mi></math></span> <script type="math/tex">x</script>',
      "a $x$",
    ],
    [
      "of MathJax 2 are kept before another script",
      'a <span class="MathJax"><math><mi>y</mi></math></span><script type="text/plain">x</script>',
      "a $y$",
    ],
    [
      "of MathJax 2 are kept if the next script is far away",
      'a <span class="MathJax"><math><mi>y</mi></math></span><i>b</i> <i>c</i> <i>d</i><script type="math/tex">x</script>',
      "a $y$ _b_ _c_ _d_$x$",
    ],
    [
      "have the TeX of an annotation",
      '<math><semantics><mi>x</mi><annotation encoding="text/plain">z</annotation><annotation encoding="application/x-TeX"> a\n b </annotation></semantics></math>',
      "$a b$",
    ],
    ["prefer alttext", '<math alttext="x^2"><mi>z</mi></math>', "$x^2$"],
    [
      "of KaTeX are blocks if MathML says so",
      '<span class="katex"><math display="block"><mi>x</mi></math></span>',
      "$$\nx\n$$",
    ],
    [
      "of KaTeX are blocks in katex-display",
      '<span class="katex-display"><span class="katex"><math><mi>x</mi></math></span></span>',
      "$$\nx\n$$",
    ],
    [
      "of MathJax 3 can be blocks",
      '<mjx-container display="true"><math><mi>x</mi></math></mjx-container>',
      "$$\nx\n$$",
    ],
    ["of MathJax 3 can be inline", "a <mjx-container><math><mi>x</mi></math></mjx-container>", "a $x$"],
    ["of MathJax 2 can be blocks", '<div class="MathJax_Display"><math><mi>x</mi></math></div>', "$$\nx\n$$"],
    ["in scripts can be blocks", '<script type="math/tex; mode=display">x</script>', "$$\nx\n$$"],
    ["in scripts are left out if they're empty", 'a<script type="math/tex"> </script>', "a"],
    ["are blocks if their mode is display", '<math mode="display"><mi>x</mi></math>', "$$\nx\n$$"],
    ["are inline in headings", '<h2>A <math display="block"><mi>x</mi></math></h2>', "## A $x$"],
  ]);
});
