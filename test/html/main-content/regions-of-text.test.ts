import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

const PROSE =
  "The ferry leaves from the old pier each morning, whatever the weather, and it carries forty people and their dogs. ";
const TEXT = `<p>${PROSE.repeat(3)}</p>`;

function markdownOf(html: string): string {
  const options = { url: "https://coast.example/ferry.html", markdown: true, text: false, onlyMainContent: true };
  return convertHtml(html, options).markdown ?? "";
}

/** Returns the markdown of `html` when it's between paragraphs of text. */
function between(html: string): string {
  const markdown = markdownOf(`<article><h1>Harbours</h1>${TEXT}${html}${TEXT}</article>`);
  return markdown.replaceAll(PROSE.repeat(3).trim(), "").replace("# Harbours", "").trim();
}

const cards = (count: number, words = "") =>
  Array.from(
    { length: count },
    (_, at) => `<div class="card c${at}"><h3><a href="/${at}">The old story ${at}</a></h3><p>Short ${words}</p></div>`,
  ).join("");

describe("drops from an article", () => {
  it.each([
    ["share buttons", '<div class="share"><p>Tell your friends</p></div>'],
    ["the author", '<div id="author"><p>Anna Keel lives here</p></div>'],
    ["a custom element with a telling name", "<newsletter-box><p>News by email</p></newsletter-box>"],
    ["an aside", "<aside><p>Old news</p></aside>"],
    ["navigation", "<nav>Boats</nav>"],
    ["a tab list", '<div role="tablist">Boats Piers</div>'],
    ["an element that is hidden from screen readers", '<div aria-hidden="true">Boats</div>'],
    ["teasers", cards(3)],
    ["teasers between the paragraphs", cards(3).replaceAll('<div class="card', `${TEXT}<div class="card`)],
    [
      "advertisements with the same heading",
      [1, 2, 3]
        .map(
          (at) => `${TEXT}<div class="box"><h3>Deal of the day</h3><a href="/${at}">Ice skates from $${at}</a></div>`,
        )
        .join(""),
    ],
    ["teasers with headings", cards(3).replaceAll(/<h3>(.*?)<\/h3>/g, "<h3>News</h3><p>$1</p>")],
    ["text that only screen readers read", '<p class="sr-only">Skip to content</p>'],
    [
      "lines of code that books for programmers hide",
      '<pre><code><span class="boring">fn main() {</span></code></pre>',
    ],
    ["links that only screen readers read", '<p><a class="sr-only" href="/a" title="Permalink">Permalink</a></p>'],
    ["hidden tooltips", '<span class="tooltip">Copied</span>'],
  ])("%s", (_, html) => {
    expect(between(html)).toBe("");
  });
});

describe("keeps in an article", () => {
  it.each([
    [
      "a linked heading with a name of page headers",
      '<h2 class="header-anchor"><a href="/a">Costs</a> #</h2><p>Low.</p>',
      "## [Costs]",
    ],
    ["a marked word with a tooltip", '<p>Run <span class="tooltip-word" title="A pod">pods</span>.</p>', "Run pods."],
    ["a word with a tooltip", '<p>Run <a class="glossary-tooltip">pods</a> now.</p>', "Run pods now."],
    ["text with the class of hidden code", '<p class="boring">A boring machine.</p>', "A boring machine."],
    ["two boxes with links", `<div>${cards(2, "words of the day")}</div>`, "Short words of the day"],
    ["three boxes with long texts", cards(3, "and long words about boats ".repeat(20)), "long words about boats"],
    [
      "the boxes above the sections of a comparison",
      [1, 2, 3]
        .map((at) => `<div class="box"><h3>Boat ${at}</h3><a href="/${at}">Read the review</a></div>${TEXT}`)
        .join(""),
      "### Boat 2",
    ],
    ["a note", '<aside class="warning"><p>Mind the gap.</p></aside>', "Mind the gap."],
    ["an element with a class of its category", '<div class="category-newsletter"><p>A line.</p></div>', "A line."],
    ["an embedded post", '<div class="embed social"><p>We are open!</p></div>', "We are open!"],
    ["a header of a section", "<section><header>Costs of wood</header></section>", "Costs of wood"],
    ["an element that screen readers read", '<div aria-hidden="false">A line.</div>', "A line."],
    [
      "a long region with a name of boilerplate",
      `<div class="author"><p>${"He is old and wise. ".repeat(60)}</p></div>`,
      "He is old",
    ],
    ["a heading with a button", "<h2><button>Costs</button></h2><p>Low.</p>", "## Costs"],
  ])("%s", (_, html, expected) => {
    expect(between(html)).toContain(expected);
  });

  it.each([
    ["the image with a caption", '<div class="caption"><img src="/a.jpg" alt="a">The pier</div>'],
    [
      "the image in a region with its text",
      '<div class="photo"><img src="/a.jpg" alt="a"><p>The pier in May</p></div>',
    ],
  ])("%s, without the text", (_, html) => {
    expect(between(html)).toBe("![a](https://coast.example/a.jpg)");
  });

  it("the caption of a figure as the title of its image", () => {
    const figure = '<figure><img src="/a.jpg" alt="a"><figcaption>The pier in May</figcaption></figure>';
    expect(between(figure)).toBe('![a](https://coast.example/a.jpg "The pier in May")');
  });

  it("no captions of a gallery as titles of its images", () => {
    const item = '<li><figure><img src="/a.jpg" alt="a"><figcaption>The pier</figcaption></figure></li>';
    expect(between(`<ul>${item}${item}</ul>`)).not.toContain('"The pier"');
  });

  it("the text of its headline that readers see", () => {
    const headline = '<h1>Harbours<span class="sr-only"> of the world</span></h1>';
    expect(markdownOf(`<article>${headline}${TEXT}${TEXT}</article>`)).toMatch(/^# Harbours\n\nThe ferry/);
  });
});

describe("a short page", () => {
  it("is reduced to the element with the role main", () => {
    expect(markdownOf('<p>Call us.</p><div role="main"><p>Closed on Monday.</p></div>')).toBe("Closed on Monday.");
  });

  it("keeps a section in which most words are in links", () => {
    expect(markdownOf('<div><p>Boats</p><p><a href="/a">Gull</a></p></div>')).toContain("Gull");
  });
});

describe("a page without prose", () => {
  it("is kept as a whole", () => {
    const rows = Array.from({ length: 30 }, (_, at) => `<li><a href="/${at}">Harbour number ${at}</a></li>`).join("");
    const markdown = markdownOf(`<div><h1>Harbours</h1><ul>${rows}</ul></div><div><p>Updated each day</p></div>`);
    expect(markdown).toContain("Harbour number 29");
    expect(markdown).toContain("Updated each day");
  });
});
