import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

const PROSE =
  "The ferry leaves from the old pier each morning, whatever the weather, and it carries forty people and their dogs. ";
const TEXT = `<p>${PROSE.repeat(3)}</p>`;

function markdownOf(html: string): string {
  const options = { url: "https://www.coast.example/ferry.html", markdown: true, text: false, onlyMainContent: true };
  return convertHtml(html, options).markdown ?? "";
}

/** Returns the markdown of `html` when it's between paragraphs of text. */
function between(html: string, head = ""): string {
  const markdown = markdownOf(`<head>${head}</head><main><h1>Harbours</h1>${TEXT}${html}${TEXT}</main>`);
  return markdown.replaceAll(PROSE.repeat(3).trim(), "").replace("# Harbours", "").trim();
}

const links = (...urls: string[]) =>
  `<ul>${urls.map((url, at) => `<li><a href="${url}">The story number ${at}</a></li>`).join("")}</ul>`;

describe("drops from an article", () => {
  it.each([
    ["an invitation that ends with a colon", '<p>Related: <a href="/a">The winter of the great ice</a></p>'],
    [
      "links around blocks",
      ["one", "two", "three"].map((word) => `<a href="/${word}"><div>The story number ${word}</div></a>`).join(""),
    ],
    ["an invitation to read more", "<p>Read more about the winter</p>"],
    ["a single word that invites readers", "<p>Subscribe</p>"],
    ["information about the text", "<p>Filed under harbours</p>"],
    ["an image credit", "<p>The pier in winter / Getty Images</p>"],
    ["the label of an advertisement", "<p>Advertisement</p>"],
    ["an invitation to a social network", "<p>Now follow the harbour office on Facebook</p>"],
    ["an invitation to like a page", "<p>Like us on Facebook and Instagram</p>"],
    ["a linked heading", '<h3><a href="/old">The winter of the great ice</a></h3>'],
    ["links to the same site", links("/a", "/b")],
    ["links to the same site without www", links("https://coast.example/a", "https://coast.example/b")],
    ["links to the same site without a scheme", links("//coast.example/a", "//www.coast.example/b")],
    ["links to social networks", links("https://www.facebook.com/a", "https://t.me/b")],
    [
      "a sentence with a link that starts like an invitation",
      '<p>Read more books about harbours, he told the crowd, and they laughed, because they <a href="/a">came for the ferry and not for him</a>.</p>',
    ],
    ["a repeated headline", "<p>Harbours</p>"],
    ["a list of links below an invitation", `<p>Read more: </p>${links("/a", "/b")}`],
  ])("%s", (_, html) => {
    expect(between(`${html}<h2>Prices</h2>`)).toBe("## Prices");
  });

  it("a few lists of links with paragraphs above them", () => {
    const list = `<p>The prices of this winter:</p>${links("/a", "/b")}`;
    expect(between(list.repeat(4))).not.toContain("The story number");
  });

  it("a list of links between other lists", () => {
    const list = "<p>The prices of this winter:</p><ul><li>Low</li><li>High</li></ul>";
    expect(between(`${list.repeat(3)}<p>The stories:</p>${links("/a", "/b")}${list.repeat(3)}`)).not.toContain(
      "The story",
    );
  });

  it("lists of links below invitations", () => {
    const list = `<p>Read more: </p>${links("/a", "/b")}`;
    expect(between(list.repeat(6))).not.toContain("The story number");
  });

  it("an invitation, but not code with the same words", () => {
    expect(between("<p>Read more about the winter</p><pre>Read more about the winter</pre>")).toBe(
      "```\nRead more about the winter\n```",
    );
  });

  it("links below a short label", () => {
    expect(between(`<p>Also:</p>${links("/a", "/b")}`)).toBe("");
  });

  it("headings and links after the text", () => {
    const markdown = markdownOf(`<main><h1>Harbours</h1>${TEXT}${TEXT}<h2>Old stories</h2>${links("/a", "/b")}</main>`);
    expect(markdown).not.toMatch(/Old stories|story number/);
  });

  it("links to the site of og:url", () => {
    const list = links("https://news.example/a", "https://news.example/b");
    expect(between(list)).toContain("The story number 1");
    expect(between(list, '<meta property="og:url" content="https://www.news.example/c">')).toBe("");
  });

  it.each(["<p>By Anna Keel</p>", "<p>3 May 2024, 10:30</p>"])("the line %s before the text", (line) => {
    expect(markdownOf(`<main><h1>Harbours</h1>${line}${TEXT}${TEXT}</main>`)).toMatch(/^# Harbours\n\nThe ferry/);
  });

  it("a standfirst that is marked as a heading", () => {
    const header = `<header><h1>Harbours</h1><h2>Nobody knows how many people take the boats</h2></header>`;
    const markdown = markdownOf(`<article>${header}${TEXT}${TEXT}</article>`);
    expect(markdown).toMatch(/^# Harbours\n\nThe ferry/);
  });

  it("a repeated title", () => {
    expect(between("<p>All boats</p>")).toBe("All boats");
    const head = '<meta property="og:title" content="All boats">';
    expect(between("<p>All boats</p>", head)).toBe("");
    expect(markdownOf(`<main><h1>Harbours</h1>${TEXT}<h2>Harbours</h2>${TEXT}</main>`)).toContain(
      "\n\n## Harbours\n\n",
    );
  });

  it("a standfirst next to the headline in a heading group", () => {
    const group = "<hgroup><h1>Harbours</h1><h2>Nobody knows how many people take the boats</h2></hgroup>";
    expect(markdownOf(`<article>${group}${TEXT}${TEXT}</article>`)).toMatch(/^# Harbours\n\nThe ferry/);
  });

  it("short lines before the headline", () => {
    const markdown = markdownOf(`<main><p>All about boats</p><h1>Harbours</h1>${TEXT}${TEXT}</main>`);
    expect(markdown).not.toContain("All about boats");
  });

  it("headings at its end, but not above subheadings with text", () => {
    const markdown = markdownOf(
      `<main><h1>Harbours</h1>${TEXT}${TEXT}<h2>Costs</h2><h3>Wood</h3><p>Four tons were used.</p><h2>Sources</h2></main>`,
    );
    expect(markdown).toMatch(/## Costs\n\n### Wood\n\nFour tons were used\.$/);
  });
});

describe("keeps in an article", () => {
  it.each([
    ["a sentence with a word that starts like an invitation", "<p>Advertisements paid for the pier</p>", "Advertise"],
    [
      "a heading that starts like information about the text",
      "<h2>Photos: how to take them</h2><p>Wait.</p>",
      "Photos",
    ],
    [
      "a short heading that is a standfirst elsewhere",
      "<header><h2>Costs and prices</h2></header><p>Low.</p>",
      "## Costs",
    ],
    ["links to files", '<p><a href="/a.pdf?x=1">The yearly report</a></p>', "The yearly report"],
    ["links to other sites in lists", links("https://b.example/", "https://c.example/"), "The story number 1"],
    ["terms of a definition list", '<dl><dt><a href="/a">The bow</a></dt><dd>The front.</dd></dl>', "The bow"],
    [
      "a list with one link",
      '<ul><li><a href="/a">The great ice</a></li><li>The wreck of 1931</li><li>The new pier</li></ul>',
      "The great ice",
    ],
    [
      "the lists of links in a guide",
      `<p>The prices of each winter:</p>${links("/a", "/b")}`.repeat(5),
      "The story number 1",
    ],
    [
      "links that a sentence announces",
      `<p>${"These are the stories of the harbour that our readers liked best in all those years, one for each decade:"}</p>${links("/a", "/b")}`,
      "The story number 1",
    ],
    [
      "a long sentence about a social network",
      `<p>${"In the winter of the great ice many people began to ".repeat(4)}follow the harbour office on Facebook.</p>`,
      "Facebook",
    ],
    ["a sentence about networks", "<p>The crews post on networks like Facebook and Instagram.</p>", "networks like"],
    ["a comparison with a network", "<p>It looked like the old Facebook page.</p>", "It looked"],
    [
      "a list of which half of the items are links",
      '<ul><li><a href="/a">The great ice</a></li><li>The wreck of 1931</li></ul>',
      "The great ice",
    ],
    ["a quoted sentence with an agency", "<p>“She left Reuters in 2010.”</p>", "She left Reuters"],
    [
      "a heading with more than 15 words, even without text below it",
      "<h2>All boats that leave the old pier of the town on the day after the great storm</h2><h2>Costs</h2>",
      "## All boats",
    ],
    ["linked headings above text", '<h2><a href="/a">The Gull</a></h2><h3>Crew</h3>', "### Crew"],
  ])("%s", (_, html, expected) => {
    expect(between(html)).toContain(expected);
  });

  it("a heading before the text that starts like a byline", () => {
    expect(markdownOf(`<main><h1>Harbours</h1><h2>By boat</h2>${TEXT}${TEXT}</main>`)).toContain("## By boat");
  });

  it("a standfirst that is a paragraph", () => {
    const header = "<header><h1>Harbours</h1><p>Nobody knows how many people take the boats</p></header>";
    expect(markdownOf(`<article>${header}${TEXT}${TEXT}</article>`)).toContain("Nobody knows");
  });

  it("a long text with a date before the first sentence", () => {
    const line = `<p>Tickets 2024: ${"pier, boat, bus, ".repeat(12)}</p>`;
    expect(markdownOf(`<main><h1>Harbours</h1>${line}${TEXT}${TEXT}</main>`)).toContain("Tickets 2024");
  });

  it("a long region in front of the headline", () => {
    const markdown = markdownOf(`<main>${TEXT}<h1>Harbours</h1>${TEXT}</main>`);
    expect(markdown.match(/The ferry leaves/g)).toHaveLength(6);
  });
});
