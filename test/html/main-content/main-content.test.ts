/// <reference path="../raw.d.ts" />
import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";
import article from "../../fixtures/html/article.html?raw";
import forum from "../../fixtures/html/forum.html?raw";
import listing from "../../fixtures/html/listing.html?raw";
import manual from "../../fixtures/html/manual.html?raw";
import product from "../../fixtures/html/product.html?raw";
import sections from "../../fixtures/html/sections.html?raw";

function markdownOf(html: string, options: { include?: string[]; exclude?: string[]; whole?: boolean } = {}): string {
  const { include = [], exclude = [], whole = false } = options;
  const { markdown = "" } = convertHtml(html, {
    url: "https://coast.example/news/pier.html",
    markdown: true,
    text: false,
    onlyMainContent: !whole,
    includeSelectors: include,
    excludeSelectors: exclude,
  });
  return markdown;
}

describe("an article", () => {
  const markdown = markdownOf(article);

  it("starts with the headline, the standfirst and the text", () => {
    expect(markdown).toMatch(/^# The old pier opens again\n\nAfter nine years of repairs/);
    expect(markdown).toContain("The first visitors came at dawn");
    expect(markdown).toContain("The last nail was driven in on Friday");
  });

  it.each([
    ["navigation", "Harbour guide"],
    ["breadcrumbs", "Home › News"],
    ["the date", "3 May 2024"],
    ["the byline", "By Anna Keel"],
    ["share buttons", "Share on"],
    ["a consent box", "We value your privacy"],
    ["links to other articles between paragraphs", "Lighthouse keeper retires"],
    ["the label of an advertisement", "Advertisement"],
    ["an invitation to subscribe", "Subscribe to our newsletter"],
    ["an image credit", "Getty Images"],
    ["the heading of related stories", "You may also like"],
    ["teasers", "Seals return"],
    ["the author's biography", "has written about harbours"],
    ["comments", "I was there"],
    ["the legal notice", "Coast Media Ltd"],
    ["hidden elements", "Skip to content"],
  ])("leaves out %s", (_, words) => {
    expect(markdown).not.toContain(words);
    expect(markdownOf(article, { whole: true })).toContain(words);
  });

  it("keeps subheadings, an embedded post, a list with one link, and an image with its caption as title", () => {
    expect(markdown).toContain("## What it cost");
    expect(markdown).toContain("Finally! The pier is ours again.");
    expect(markdown).toContain("- Wood: 40 tons");
    expect(markdown).toContain("- [Steel](https://coast.example/steel): 12 tons");
    expect(markdown).toContain('![The pier](https://coast.example/pier.jpg "Visitors on the pier on Saturday")');
    expect(markdown).not.toMatch(/^Visitors on the pier on Saturday/m);
  });
});

describe("keeps all content of pages that aren't articles", () => {
  it("every entry of a listing, without the menu", () => {
    const markdown = markdownOf(listing);
    expect(markdown).toMatch(/^# Boats for sale/);
    for (let boat = 1; boat <= 6; boat++)
      expect(markdown).toContain(`[Boat ${boat}](https://coast.example/boats/${boat})`);
    expect(markdown).toContain("12,500 €");
    expect(markdown).not.toMatch(/Sign in|Coast Media/);
  });

  it("every post of a forum, even if its class names it a comment", () => {
    const markdown = markdownOf(forum);
    expect(markdown).toMatch(/^# Which rope for a mooring\?/);
    for (const words of ["I need a new mooring line", "Polyamide stretches", "Mine lasted ten years", "Thanks, both"])
      expect(markdown).toContain(words);
    expect(markdown).not.toMatch(/Log in to reply|Coast Media/);
  });

  it("the description, the price and the data table of a product", () => {
    const markdown = markdownOf(product);
    expect(markdown).toMatch(/^# Storm lantern/);
    expect(markdown).toContain("49.90 €");
    expect(markdown).toContain("It burns for thirty hours");
    expect(markdown).toContain("| Height | 32 cm |");
    expect(markdown).not.toMatch(/Add to basket|Customers also bought|Accept all/);
  });

  it("the headings, code, notes and tables of a manual", () => {
    const markdown = markdownOf(manual);
    expect(markdown).toMatch(/^# Configuration/);
    expect(markdown).toContain("```sh\ntide --config tide.toml\n```");
    expect(markdown).toContain("Restart the daemon after each change.");
    expect(markdown).toContain("| port | 8080 |");
    expect(markdown).not.toMatch(/Getting started|Edit this page|On this page/);
  });

  it("all sections of a long text", () => {
    const markdown = markdownOf(sections);
    for (const part of ["first", "second", "third", "fourth"])
      expect(markdown).toContain(`The ${part} part of the story`);
  });
});

const PROSE =
  "The ferry leaves from the old pier each morning, whatever the weather, and it carries forty people and their dogs. ";
const TEXT = `<p>${PROSE.repeat(3)}</p>`;

describe("finds the text", () => {
  it.each([
    [
      "next to a longer consent box",
      `<div class="cookie-consent-box">${`<p>${"We use cookies, and so do our partners, to show you what you like. ".repeat(4)}</p>`.repeat(6)}</div><div>${TEXT}</div>`,
    ],
    [
      "above longer comments",
      `<div class="story">${TEXT}${TEXT}</div><div id="comments">${`<div class="comment"><p>${"I disagree, and I have my reasons for it, as you know. ".repeat(4)}</p></div>`.repeat(9)}</div>`,
    ],
    [
      "next to a longer sidebar",
      `<div class="text">${TEXT}${TEXT}</div><aside>${`<p>${"An old story from the archive, told again for those who missed it. ".repeat(4)}</p>`.repeat(5)}</aside>`,
    ],
    [
      "inside a class that names a sidebar or footer",
      `<body class="no-sidebar"><div class="footer-wrapper"><h1>Ferry</h1>${TEXT}</div>`,
    ],
    ["after stray end tags", `<div id="content"><div><span><div>${TEXT}</span></div></div><div>${TEXT}</div></div>`],
    ["inside an unclosed link", `<article><a href="/x">${TEXT}${TEXT}</article>`],
    ["in table cells", `<table><tr><td><a href="/">Home</a></td><td>${TEXT}${TEXT}</td></tr></table>`],
    ["in lines that end with <br>", `<div>${`${PROSE}<br><br>`.repeat(4)}</div>`],
    [
      "in a section among shorter ones",
      `<div><section><p>We use cookies, and so do our partners, to show you what you like.</p></section><section>${TEXT}${TEXT}${TEXT}</section></div>`,
    ],
    ["in Chinese", `<div><p>${"渡轮每天早晨从旧码头出发，无论天气如何，可载四十人。".repeat(6)}</p></div>`],
  ])("%s", (_, html) => {
    const markdown = markdownOf(html);
    expect(markdown).toMatch(/The ferry leaves|渡轮每天/);
    expect(markdown).not.toMatch(/We use cookies|I disagree|An old story/);
  });
});

describe("links in the text", () => {
  it("are kept in lists of other sites and in data tables", () => {
    const markdown = markdownOf(`<article><h1>Harbours</h1>${TEXT}${TEXT}
      <ul><li><a href="https://leba.example/">The harbour of Leba</a></li><li><a href="https://ustka.example/">The harbour of Ustka</a></li></ul>
      <table><tr><th>Port</th><td><a href="/leba">Leba</a></td></tr><tr><th>Since</th><td>1899</td></tr><tr><th>Depth</th><td>3 m</td></tr></table>
      ${TEXT}</article>`);
    expect(markdown).toContain("- [The harbour of Ustka](https://ustka.example/)");
    expect(markdown).toContain("| Port | [Leba](https://coast.example/leba) |");
  });

  it("are dropped in lists of pages on the same site", () => {
    const markdown = markdownOf(`<article><h1>Harbours</h1>${TEXT}${TEXT}
      <ul><li><a href="/old/1">The winter of the great ice</a></li><li><a href="/old/2">Seven men in a boat</a></li></ul>${TEXT}</article>`);
    expect(markdown).not.toMatch(/great ice|Seven men/);
  });
});

describe("selectors", () => {
  const page =
    '<nav>Menu</nav><main><h1>A</h1><p class="x">One</p><div class="ad">Buy <p class="x">Two</p></div><p>Three</p></main>';

  it.each([
    ["include returns only the matches, in document order", { include: [".x"] }, "One\n\nTwo"],
    [
      "an element needs to match only one of several include selectors",
      { include: ["p:last-child", "h1"] },
      "# A\n\nTwo\n\nThree",
    ],
    ["a match inside another match isn't repeated", { include: [".ad", ".x"] }, "One\n\nBuy\n\nTwo"],
    ["include can select boilerplate", { include: ["nav"] }, "Menu"],
    ["include without a match returns an empty string", { include: [".none"] }, ""],
    ["exclude removes the matches", { exclude: [".ad", "nav"] }, "# A\n\nOne\n\nThree"],
    ["exclude takes precedence over include", { include: [".x"], exclude: [".ad"] }, "One"],
    ["excluding the body returns an empty string", { exclude: ["body"] }, ""],
    ["exclude also applies to the whole page", { exclude: ["main"], whole: true }, "Menu"],
  ])("%s", (_, options, expected) => {
    expect(markdownOf(page, options)).toBe(expected);
  });
});

it.each([
  [
    "a class of 160 KB",
    `<main><h1>Pier</h1><p class="${"tooltip-".repeat(20_000)}!">The ferry leaves at nine.</p></main>`,
  ],
  [
    "150,000 titles",
    `<head>${Array.from({ length: 150_000 }, (_, at) => `<meta property="og:title" content="Title ${at}">`).join("")}</head><h1>Pier</h1><p>The ferry leaves at nine.</p>`,
  ],
])("extracts the main content despite %s", { timeout: 60_000 }, (_, html) => {
  const options = { url: "https://coast.example/", markdown: true, text: false, onlyMainContent: true };
  expect(convertHtml(html, options).markdown).toBe("# Pier\n\nThe ferry leaves at nine.");
});

describe("a short page", () => {
  it("is reduced to its main element", () => {
    expect(markdownOf("<body><p>Call us.</p><main><p>Closed on Monday.</p></main></body>")).toBe("Closed on Monday.");
  });

  it("is kept as a whole if it has several main elements", () => {
    const html = "<body><main><p>Closed on Monday.</p></main><main><p>Open on Tuesday.</p></main></body>";
    expect(markdownOf(html)).toBe("Closed on Monday.\n\nOpen on Tuesday.");
  });
});
