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

  it("begins with its headline, then its standfirst and its text", () => {
    expect(markdown).toMatch(/^# The old pier opens again\n\nAfter nine years of repairs/);
    expect(markdown).toContain("The first visitors came at dawn");
    expect(markdown).toContain("The last nail was driven in on Friday");
  });

  it.each([
    ["navigation", "Harbour guide"],
    ["breadcrumbs", "Home › News"],
    ["the date line", "3 May 2024"],
    ["the author's line", "By Anna Keel"],
    ["share buttons", "Share on"],
    ["a consent box", "We value your privacy"],
    ["links to other articles inside of the text", "Lighthouse keeper retires"],
    ["an advertisement's label", "Advertisement"],
    ["an invitation to subscribe", "Subscribe to our newsletter"],
    ["a picture's credit", "Getty Images"],
    ["a heading over related stories", "You may also like"],
    ["teasers", "Seals return"],
    ["the author's life", "has written about harbours"],
    ["comments", "I was there"],
    ["the imprint", "Coast Media Ltd"],
    ["what is hidden", "Skip to content"],
  ])("comes without %s", (_, words) => {
    expect(markdown).not.toContain(words);
    expect(markdownOf(article, { whole: true })).toContain(words);
  });

  it("keeps what stands in the text: subheadings, a quoted post, a list with one link, the picture with its caption as title", () => {
    expect(markdown).toContain("## What it cost");
    expect(markdown).toContain("Finally! The pier is ours again.");
    expect(markdown).toContain("- Wood: 40 tons");
    expect(markdown).toContain("- [Steel](https://coast.example/steel): 12 tons");
    expect(markdown).toContain('![The pier](https://coast.example/pier.jpg "Visitors on the pier on Saturday")');
    expect(markdown).not.toMatch(/^Visitors on the pier on Saturday/m);
  });
});

describe("pages that are no article come back whole", () => {
  it("a listing: every entry, without the menu", () => {
    const markdown = markdownOf(listing);
    expect(markdown).toMatch(/^# Boats for sale/);
    for (let boat = 1; boat <= 6; boat++)
      expect(markdown).toContain(`[Boat ${boat}](https://coast.example/boats/${boat})`);
    expect(markdown).toContain("12,500 €");
    expect(markdown).not.toMatch(/Sign in|Coast Media/);
  });

  it("a forum: every post, although they are named comments", () => {
    const markdown = markdownOf(forum);
    expect(markdown).toMatch(/^# Which rope for a mooring\?/);
    for (const words of ["I need a new mooring line", "Polyamide stretches", "Mine lasted ten years", "Thanks, both"])
      expect(markdown).toContain(words);
    expect(markdown).not.toMatch(/Log in to reply|Coast Media/);
  });

  it("a product: description, price and the table of its data", () => {
    const markdown = markdownOf(product);
    expect(markdown).toMatch(/^# Storm lantern/);
    expect(markdown).toContain("49.90 €");
    expect(markdown).toContain("It burns for thirty hours");
    expect(markdown).toContain("| Height | 32 cm |");
    expect(markdown).not.toMatch(/Add to basket|Customers also bought|Accept all/);
  });

  it("a manual: headings, code, notes and tables", () => {
    const markdown = markdownOf(manual);
    expect(markdown).toMatch(/^# Configuration/);
    expect(markdown).toContain("```sh\ntide --config tide.toml\n```");
    expect(markdown).toContain("Restart the daemon after each change.");
    expect(markdown).toContain("| port | 8080 |");
    expect(markdown).not.toMatch(/Getting started|Edit this page|On this page/);
  });

  it("a text in many sections: all of them", () => {
    const markdown = markdownOf(sections);
    for (const part of ["first", "second", "third", "fourth"])
      expect(markdown).toContain(`The ${part} part of the story`);
  });
});

const PROSE =
  "The ferry leaves from the old pier each morning, whatever the weather, and it carries forty people and their dogs. ";
const TEXT = `<p>${PROSE.repeat(3)}</p>`;

describe("the text is found", () => {
  it.each([
    [
      "beside a longer consent text",
      `<div class="cookie-consent-box">${`<p>${"We use cookies, and so do our partners, to show you what you like. ".repeat(4)}</p>`.repeat(6)}</div><div>${TEXT}</div>`,
    ],
    [
      "above longer comments",
      `<div class="story">${TEXT}${TEXT}</div><div id="comments">${`<div class="comment"><p>${"I disagree, and I have my reasons for it, as you know. ".repeat(4)}</p></div>`.repeat(9)}</div>`,
    ],
    [
      "beside a longer side box",
      `<div class="text">${TEXT}${TEXT}</div><aside>${`<p>${"An old story from the archive, told again for those who missed it. ".repeat(4)}</p>`.repeat(5)}</aside>`,
    ],
    [
      "under a class that sounds like a side box",
      `<body class="no-sidebar"><div class="footer-wrapper"><h1>Ferry</h1>${TEXT}</div>`,
    ],
    ["behind stray end tags", `<div id="content"><div><span><div>${TEXT}</span></div></div><div>${TEXT}</div></div>`],
    ["inside of a link that never ends", `<article><a href="/x">${TEXT}${TEXT}</article>`],
    ["in table cells", `<table><tr><td><a href="/">Home</a></td><td>${TEXT}${TEXT}</td></tr></table>`],
    ["in lines that <br> ends", `<div>${`${PROSE}<br><br>`.repeat(4)}</div>`],
    ["in Chinese", `<div><p>${"渡轮每天早晨从旧码头出发，无论天气如何，可载四十人。".repeat(6)}</p></div>`],
  ])("%s", (_, html) => {
    const markdown = markdownOf(html);
    expect(markdown).toMatch(/The ferry leaves|渡轮每天/);
    expect(markdown).not.toMatch(/We use cookies|I disagree|An old story/);
  });
});

describe("links in the text", () => {
  it("stay in lists of other sites, and in tables of data", () => {
    const markdown = markdownOf(`<article><h1>Harbours</h1>${TEXT}${TEXT}
      <ul><li><a href="https://leba.example/">The harbour of Leba</a></li><li><a href="https://ustka.example/">The harbour of Ustka</a></li></ul>
      <table><tr><th>Port</th><td><a href="/leba">Leba</a></td></tr><tr><th>Since</th><td>1899</td></tr><tr><th>Depth</th><td>3 m</td></tr></table>
      ${TEXT}</article>`);
    expect(markdown).toContain("- [The harbour of Ustka](https://ustka.example/)");
    expect(markdown).toContain("| Port | [Leba](https://coast.example/leba) |");
  });

  it("go where they lead to more of the same site", () => {
    const markdown = markdownOf(`<article><h1>Harbours</h1>${TEXT}${TEXT}
      <ul><li><a href="/old/1">The winter of the great ice</a></li><li><a href="/old/2">Seven men in a boat</a></li></ul>${TEXT}</article>`);
    expect(markdown).not.toMatch(/great ice|Seven men/);
  });
});

describe("selectors", () => {
  const page =
    '<nav>Menu</nav><main><h1>A</h1><p class="x">One</p><div class="ad">Buy <p class="x">Two</p></div><p>Three</p></main>';

  it.each([
    ["include restricts the page to the matches, in their order", { include: [".x"] }, "One\n\nTwo"],
    ["several include selectors mean any of them", { include: ["p:last-child", "h1"] }, "# A\n\nTwo\n\nThree"],
    ["what is inside of a match isn't given twice", { include: [".ad", ".x"] }, "One\n\nBuy\n\nTwo"],
    ["include reaches what main content leaves out", { include: ["nav"] }, "Menu"],
    ["include without a match gives nothing", { include: [".none"] }, ""],
    ["exclude removes", { exclude: [".ad", "nav"] }, "# A\n\nOne\n\nThree"],
    ["exclude wins over include", { include: [".x"], exclude: [".ad"] }, "One"],
    ["exclude of all leaves nothing", { exclude: ["body"] }, ""],
    ["exclude works on the whole page", { exclude: ["main"], whole: true }, "Menu"],
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
])("%s doesn't keep the page from being read", { timeout: 10_000 }, (_, html) => {
  const options = { url: "https://coast.example/", markdown: true, text: false, onlyMainContent: true };
  expect(convertHtml(html, options).markdown).toBe("# Pier\n\nThe ferry leaves at nine.");
});
