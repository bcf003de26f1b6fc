import { describe, expect, it } from "vitest";
import { visiblePage } from "../../../src/html/main-content/main-content";
import { parsePage } from "../../../src/html/parse/document";
import { findHiddenNodes } from "../../../src/html/visibility/hidden-nodes";
import { toMarkdown } from "../writers";

function visible(html: string): string {
  const page = parsePage(html);
  return toMarkdown(visiblePage(page.document, findHiddenNodes(page)), { baseUrl: "https://a.example/" });
}

describe("a style hides text", () => {
  it.each([
    "content-visibility: hidden",
    "font-size: 0.3pt",
    "font-size: 0.04em",
    "font-size: 4%",
    "max-height: 0; overflow: hidden",
    "max-block-size: 0; overflow: hidden",
    "max-inline-size: 0; overflow: hidden",
    "inline-size: 1px; overflow: hidden",
    "width: 1%; overflow-y: hidden",
    "height: 0; overflow: hidden; min-height: auto",
    "height: 0; overflow: hidden; padding: 0 5px",
    "position: absolute; clip: rect(0 10px 1px 0)",
    "position: fixed; clip: rect(0 1px 10px 0)",
    "clip-path: inset(0 50%)",
    "clip-path: inset(60% 0 40%)",
    "clip-path: ellipse(0px 10px)",
    "-webkit-clip-path: inset(100%)",
    "position: absolute; right: -2000px",
    "position: absolute; bottom: -300vh",
    "position: absolute; left: -200rem",
    "position: absolute; left: -60cm",
    "position: absolute; left: -20in",
    "position: sticky; top: -6000px",
    "position: absolute; inset-inline-end: -2000px",
    "position: absolute; inset-block-start: -2000px",
    "margin-right: -6000px",
    "margin-top: -6000px",
    "margin: -6000px 0 0",
    "margin-inline-start: -6000px",
    "margin-block-start: -6000px",
    "text-indent: -1600px",
    "text-indent: -999em",
    "transform: scaleX(0)",
    "transform: scale3d(0, 1, 1)",
    "-webkit-transform: scale(0)",
    "zoom: 5%",
    "scale: 0 1",
    "color: black; background: #000",
    "color: #808080; background: gray",
    "color: green; background: #008000",
    "color: yellow; background: rgb(255 255 0)",
    "color: #ffffff00",
    "color: #fff0",
    "color: rgb(0 0 0 / 1%)",
    "color: hsl(120 100% 25%); background: green",
    "-webkit-text-fill-color: transparent",
    "color: transparent; -webkit-text-stroke: 0px #000; text-shadow: none",
    "display:none !  important",
    "display:/* block */none",
  ])("%s", (style) => {
    expect(visible(`<p>before</p><div style="${style}">secret</div>`)).toBe("before");
  });
});

describe("a style doesn't hide text", () => {
  it.each([
    "content-visibility: auto",
    "font-size: 5px",
    "font-size: 10%",
    "font: italic bold small a",
    "opacity: 10%",
    "height: 0; overflow: hidden; padding-top: 5px",
    "height: 20px; overflow: hidden",
    "width: 20%; overflow: hidden",
    "max-width: 20px; overflow: hidden",
    "clip: rect(0, 0, 0, 0)",
    "position: absolute; clip: rect(0, 10px, 10px, 0)",
    "clip-path: inset(10%)",
    "clip-path: polygon(0 0, 100% 0, 0 100%)",
    "clip-path: circle(50%)",
    "position: relative; left: -2000px",
    "left: -9999px",
    "position: absolute; left: -50vw",
    "margin-left: -2000px",
    "text-indent: -20px",
    "transform: scale(0.5)",
    "color: #666; background: #888",
    "color: red; background: yellow",
    "color: #fff; background: #f00",
    "color: #f00; background: #fff",
    "color: rgb(0 0 0 / 50%)",
    "color: #00000080",
    "color: rgba(0, 0, 0, .1)",
    "color: hsl(120 100% 75%); background: green",
    "display: none; display: block",
    `display: none${" ".repeat(300)}`,
    "margin: calc(-9999px + 100%)",
    "color: white; background: url(a.png)",
    "color: white; background: transparent",
    "color: transparent; text-shadow: 0 0 2px #000",
    "color: transparent; -webkit-text-stroke: 1px #000",
    "background-clip: text; -webkit-text-fill-color: transparent",
    "opacity: 0; transition-property: opacity; transition-duration: 0.7s",
    "opacity: 0; animation-name: appear",
  ])("%s", (style) => {
    expect(visible(`<div style="${style}">words</div>`)).toBe("words");
  });
});

describe("text inside hidden text", () => {
  it.each([
    ["is visible again", "visibility: hidden", "visibility: visible", "words"],
    ["isn't visible with an inherited value", "visibility: hidden", "visibility: inherit", ""],
    ["isn't visible with an unset value", "visibility: hidden", "visibility: unset", ""],
    ["is visible with another indent", "text-indent: -9999px", "text-indent: 0", "words"],
    ["is visible with another color", "color: transparent", "color: black", "words"],
    ["is visible with another background", "color: white; background: white", "background: black", "words"],
    ["isn't visible in a smaller font", "font-size: 1px", "font-size: 120%", ""],
    ["is never visible without display", "display: none", "display: block", ""],
  ])("%s", (_, outer, inner, expected) => {
    expect(visible(`<div style="${outer}"><p style="${inner}">words</p></div>`)).toBe(expected);
  });

  it("has no images", () => {
    const image = '<img src="/a" alt="a">';
    expect(visible(`<p style="visibility:hidden">${image}</p>`)).toBe("");
    expect(visible(`<p style="text-indent:-9999px">${image}</p>`)).toBe("![a](https://a.example/a)");
  });
});

describe("a selector matches", () => {
  it.each([
    ["a prefix before a hyphen", '[lang|="en"]'],
    ["a whole value with a hyphen", '[lang|="en-US"]'],
    ["the end of an attribute", '[data-z$="23"]'],
    ["one of several words", '[data-w~="two"]'],
    ["several attributes", '[lang][data-z="123"]'],
    ["a tag in capitals", "P.x"],
    ["an element in :matches()", ":matches(.x)"],
    ["the second alternative of :is()", ":is(.q, .x)"],
    ["a distant ancestor", "section .x"],
    ["all elements", "*"],
    ["an element with an attribute, with more weight than its class", 'html .x[data-z="123"]'],
    ["a comma in an attribute", '.q[title="a,b"], .x'],
  ])("%s", (_, selector) => {
    const html = `<style>.x{display:block}${selector}{display:none}</style><section><div><p class="x" lang="en-US" data-z="123" data-w="one two">secret</p></div></section>`;
    expect(visible(html)).toBe("");
  });

  it.each([
    ["a part of a word", '[data-w~="tw"]'],
    ["the beginning as the end", '[data-z$="12"]'],
    ["another tag", "div.x"],
    ["the child of a grandparent", "section > .x"],
    ["a value in other letters", '[lang="en-us" i].q'],
    ["an element in :not()", "p:not(.q, .x)"],
    ["another attribute", '[data-q="123"]'],
    ["less than another rule, with :where()", ":where(#i.x)"],
    ["less than another rule, although it has many classes", ".x.x.x.x.x.x.x.x.x.x.x"],
    ["the empty beginning of an attribute", '[lang^=""]'],
  ])("not %s", (_, selector) => {
    const html = `<style>p#i{display:block}${selector}{display:none}</style><section><div><p id="i" class="x" lang="en-US" data-z="123" data-w="one two">words</p></div></section>`;
    expect(visible(html)).toBe("words");
  });
});

describe("a nested rule", () => {
  const html = (css: string) =>
    `<style>${css}</style><div class="a"><p class="x">first</p></div><p class="x">second</p><p class="b">third</p>`;

  it.each([
    ["applies only inside the outer rule's elements", ".a { .x { display: none } }", "second\n\nthird"],
    ["applies to the element of &", ".b { color: red; &.b { display: none } }", "first\n\nsecond"],
    ["applies inside the elements of each outer selector", ".q, .a { .x { display: none } }", "second\n\nthird"],
    ["applies to each of its selectors", ".a { .q, .x { display: none } }", "second\n\nthird"],
    ["leaves later declarations to the outer rule", ".b { .q { color: red } display: none }", "first\n\nsecond"],
    ["may be in an at-rule", ".a { @media screen { .x { display: none } } }", "second\n\nthird"],
    ["is ignored for print", ".a { @media print { .x { display: none } } }", "first\n\nsecond\n\nthird"],
    ["applies inside any element of :is()", ":is(.a, .q) { .x { display: none } }", "second\n\nthird"],
    ["may be in a layer", "@layer base { .a { .x { display: none } } }", "second\n\nthird"],
    [
      "is ignored in a container query",
      "@container (width > 1px) { .x { display: none } }",
      "first\n\nsecond\n\nthird",
    ],
    [
      "is ignored for print after several declarations",
      "@media print { .a { color: red; color: blue } .x { display: none } }",
      "first\n\nsecond\n\nthird",
    ],
    [
      "may have long selectors",
      `${".a, ".repeat(30)}.a { ${".x, ".repeat(30)}.x { display: none } }`,
      "second\n\nthird",
    ],
    [
      "can match although the outer rule can't",
      ".missing { .q { color: red } :is(&, .b) { display: none } }",
      "first\n\nsecond",
    ],
    ["may be an at-rule with declarations", ".b { @media screen { display: none } }", "first\n\nsecond"],
  ])("%s", (_, css, expected) => {
    expect(visible(html(css))).toBe(expected);
  });
});

describe("style sheets", () => {
  const last = "<style>.last{display:none}</style><p class='last'>words</p>";

  it.each(["i.last", ".other", "#other .last, p.other"])("apply after 30,000 rules for %s", (selector) => {
    expect(visible(`<style>${`${selector}{display:none}`.repeat(30_000)}</style>${last}`)).toBe("");
  });

  it.each([
    ".other, .last",
    ".last:not(.other)",
    '.last[class="last"]',
    ".last:not([title='.other,'])",
    ".l\\61st",
    "body>.last:nth-child(2)",
    "*+.last",
    "p:not([class$=.other]).last",
  ])("apply a rule for %s", (selector) => {
    expect(visible(`<style>${selector}{display:none}</style><p>shown</p><p class='last'>words</p>`)).toBe("shown");
  });

  it.each([
    ["in a formula", "<math><style>.last{display:none}</style></math>"],
    ["with a character reference in a formula", '<math><style>p{content:"&quot;"}.last{display:none}</style></math>'],
    ["as CDATA in a formula", "<math><style><![CDATA[.last{display:none}]]></style></math>"],
    ["in a template", "<template><style>.last{display:none}</style></template>"],
  ])("don't apply %s", (_, style) => {
    expect(visible(`${style}<p class='last'>words</p>`)).toBe("words");
  });

  it("apply after three million characters", () => {
    expect(visible(`<style>/*${"a".repeat(3_000_000)}*/</style>${last}`)).toBe("");
  });
});

describe("a panel", () => {
  it("opens at a tab that links to it", () => {
    const html = '<a role="tab" href="#a">Facts</a><div id="a" hidden>one kilogram</div>';
    expect(visible(html)).toContain("one kilogram");
  });

  it.each([
    ["a header", '<header id="a" hidden>secret</header>'],
    ["a footer", '<footer id="a" hidden>secret</footer>'],
    ["a listbox", '<div id="a" role="listbox" hidden>secret</div>'],
    ["a modal box", '<div id="a" aria-modal="true" hidden>secret</div>'],
  ])("doesn't open if it's %s", (_, panel) => {
    const button = '<button aria-expanded="false" aria-controls="a">Facts</button>';
    expect(visible(`${button}${panel}`)).not.toContain("secret");
  });

  it("doesn't open at a button that is expanded already", () => {
    const button = '<button aria-expanded="true" aria-controls="a">Facts</button>';
    expect(visible(`${button}<div id="a" hidden>secret</div>`)).not.toContain("secret");
  });
});

it.each([
  ["an element that can't have one", '<ul><template shadowrootmode="open"><li>words</ul>'],
  ["an unknown mode", '<template shadowrootmode="x">words</template>'],
])("hides the shadow root of %s", (_, html) => {
  expect(visible(`<div>${html}</div>`)).not.toContain("words");
});

it.each([
  ["a shadow root", '<template shadowrootmode="open">words</template>'],
  [
    "the MathML of Wikipedia",
    '<span class="mwe-math-element"><span style="display:none"><math alttext="x"><mi>x</mi></math></span></span>words',
  ],
])("shows %s", (_, html) => {
  expect(visible(`<div>${html}</div>`)).toContain("words");
});
