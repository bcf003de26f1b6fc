import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

const PROSE = "The ferry leaves from the old pier each morning, whatever the weather, and it carries forty people.";
const TEXT = `<p>${PROSE.repeat(3)}</p>`;

function markdownOf(html: string): string {
  const options = { url: "https://coast.example/ferry", markdown: true, text: false, onlyMainContent: true };
  return convertHtml(`<title>Regatta</title><main>${html}</main>`, options).markdown ?? "";
}

describe("below the headline", () => {
  const below = (html: string) =>
    markdownOf(`<div class="hero"><h1>Regatta</h1>${html}</div><div>${TEXT}${TEXT}</div>`);

  it.each([
    [
      "a list",
      '<ul class="event-meta"><li>Saturday, 12 June 2027</li><li>Gate 4</li><li>From 18 EUR</li></ul>',
      "12 June",
    ],
    [
      "definitions",
      '<dl class="job-meta"><dt>Place</dt><dd>Harborton</dd><dt>Apply by</dt><dd>1 May 2027</dd></dl>',
      "Harborton",
    ],
    [
      "a table",
      "<table><tr><th>Date</th><td>1 May 2027</td></tr><tr><th>Price</th><td>18 EUR</td></tr></table>",
      "1 May",
    ],
    ["a labeled line", "<p>Deadline: 1 May 2027</p>", "1 May"],
    ["the head of an email", "<div>Date: Wed, 8 Apr 2026</div><div>From: The harbor office</div>", "From: The"],
    ["pairs", "<div><div><b>Price</b><p>3 EUR</p></div><div><b>Rooms</b><p>5</p></div></div>", "5"],
    [
      "definitions with links",
      '<dl><dt>DOI</dt><dd><a href="/d">10.10</a></dd><dt>In</dt><dd>Ice 12</dd></dl>',
      "10.10",
    ],
    ["a period", "<p>4 May 1931 – 11 January 2027</p>", "1931"],
    ["a version", "<p>Version 3.2 (3 March 2026)</p>", "3.2"],
  ])("facts in %s stay", (_, html, expected) => {
    expect(below(html)).toContain(expected);
  });

  it.each([
    [
      "a list",
      '<ul class="post-meta"><li>By Anna Keel</li><li>12 June 2026</li><li>5 min read</li><li>3 comments</li></ul>',
    ],
    ["definitions", "<dl><dt>Published</dt><dd>12 June 2026</dd><dt>Author</dt><dd>Anna Keel</dd></dl>"],
    ["a line", '<div class="meta">By Anna Keel, <time>June 12, 2026, 10:30 am</time></div>'],
  ])("facts about the text in %s are left out", (_, html) => {
    expect(below(html)).not.toMatch(/Anna Keel|June/);
  });
});

describe("between two paragraphs", () => {
  const between = (html: string) => markdownOf(`<h1>Regatta</h1>${TEXT}${html}${TEXT}`);

  it.each([
    ["another site", '<p><a href="https://b.example/a?x=1&amp;y=2">The harbors of Leba</a></p>', "a?x=1&y=2"],
    ["an address", '<p><a href="mailto:office@coast.example">Write to us</a></p>', "mailto:office"],
    ["several pages", '<p><a href="/a">North pier</a>, <a href="/b">South pier</a></p>', "/b"],
    ["a source", '<p>Source: <a href="/archive">Harbor archive</a></p>', "/archive"],
    ["a page, as a button", '<p><a class="btn" href="/plan">Get the plan</a></p>', "/plan"],
    ["a page, as a card", '<a href="/card"><h3>The pier</h3><p>How to reach it on foot.</p></a>', "reach it on foot"],
  ])("a link to %s stays", (_, html, expected) => {
    expect(between(html)).toContain(expected);
  });

  it("a link to another text of the site is left out", () => {
    expect(between('<p><a href="/a">The winter of the great ice</a></p>')).not.toContain("great ice");
  });
});

it("leaves out the articles that a script appended below the page's article", () => {
  const article = (title: string, day: number, tag = "h1") =>
    `<article class="story"><${tag}>${title}</${tag}><p>By Anna Keel, ${day} May 2026</p>${TEXT}${TEXT}${TEXT}</article>`;
  const others = article("Another day", 2) + article("Third day", 1);
  for (const html of [others, `<div class="more">${others}</div>`])
    expect(markdownOf(article("Regatta", 3) + html)).not.toMatch(/Another day|Third day/);
  // On a page with a title that none of them has, they are a list of articles.
  expect(markdownOf(`<h1>Regatta</h1>${article("Another day", 2, "h2")}${article("Third day", 1, "h2")}`)).toMatch(
    /Another day[\s\S]*Third day/,
  );
});
