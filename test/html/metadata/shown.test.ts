import { describe, expect, it } from "vitest";
import { readMetadata } from "../../../src/html/metadata/metadata";
import { parseDocument } from "../../../src/html/parse/document";

const URL = "https://gazette.example/story";

function metadataOf(html: string, { language = "en", url = URL } = {}) {
  return readMetadata(parseDocument(`<html lang="${language}">${html}`), { baseUrl: url });
}

const TEXT = `<p>${"The bridge was built in three years, and it was a surprise. ".repeat(4)}</p>`;

describe("the author in the text", () => {
  it.each([
    ["follows a label", "<p>By Ada Stone</p>", "Ada Stone"],
    ["can be in the next element", "<div>Written by</div><div><a href='/x'>Ada Stone</a></div>", "Ada Stone"],
    ["can be in capitals", "<p>BY ADA STONE</p>", "ADA STONE"],
    ["is named without a date", "<p>Posted by Ada Stone on May 17, 2024</p>", "Ada Stone"],
    ["can follow the date", "<p>Updated on May 17, 2024 by Ada Stone</p>", "Ada Stone"],
    ["is named without other facts", "<p>By Ada Stone | 5 min read</p>", "Ada Stone"],
    ["is named without roles and degrees", "<p>By Ada Stone, PhD, Senior Editor</p>", "Ada Stone"],
    ["is named without an email address", "<p>By Ada Stone ada@gazette.example</p>", "Ada Stone"],
    ["can be several people", "<p>By Ada Stone, Ben Hill and Cleo Ray</p>", "Ada Stone, Ben Hill, Cleo Ray"],
    [
      "can be several people in several elements",
      "<p>By <a>Ada Stone</a> and <a>Ben Hill</a></p><p>Cleo Ray</p>",
      "Ada Stone, Ben Hill",
    ],
    ["can be identified by a class", "<span class='post-author-name'>Ada Stone</span>", "Ada Stone"],
    ["can be identified by a class in camel case", "<div class='PostUser'><b class='authorName'>ada</b></div>", "ada"],
    ["can be identified by rel", "<a rel='author' href='/x'>Ada Stone</a>", "Ada Stone"],
    ["can be in parentheses", "<a rel='author' href='/x'>(Ada Stone)</a>", "(Ada Stone)"],
    ["can be identified by the link to a profile", "<a href='/authors/ada-stone'>Ada Stone</a>", "Ada Stone"],
  ])("%s", (_, byline, author) => {
    expect(metadataOf(`<h1>A bridge</h1>${byline}${TEXT}`).author).toBe(author);
    expect(metadataOf(`<header>${byline}<h1>A bridge</h1></header>${TEXT}`).author).toBe(author);
  });

  it.each([
    ["de", "Von Max Müller", "Max Müller"],
    ["fr", "Par Zoé Petit", "Zoé Petit"],
    ["es", "Por Ana Gil", "Ana Gil"],
    ["it", "Di Ugo Neri", "Ugo Neri"],
    ["nl", "Door Jan Vos", "Jan Vos"],
    ["ru", "Автор: Анна Ким", "Анна Ким"],
    ["ja", "文／山田太郎", "山田太郎"],
    ["de", "<i class='author'>Von</i> <a href='/x'>Max Müller</a>", "Max Müller"],
    ["de", "<span class='author'>Ein Beitrag von</span> <b>Max Müller</b>", "Max Müller"],
    ["de", "<span class='author'>Interview: Max Müller</span>", "Max Müller"],
    ["fr", "<span class='byline'>Par <b>Zoé Petit</b></span>", "Zoé Petit"],
  ])("follows a label in the page's language: %s", (language, byline, author) => {
    expect(metadataOf(`<h1>A bridge</h1><p>${byline}</p>${TEXT}`, { language }).author).toBe(author);
  });

  it("can be in a box below the text of an article", () => {
    const date = '<meta property="article:published_time" content="2024-05-17">';
    const box = '<div class="author-box"><h4 class="author-name">Ada Stone</h4><p>Ada writes about bridges.</p></div>';
    expect(metadataOf(`${date}<h1>A bridge</h1>${TEXT.repeat(4)}${box}`).author).toBe("Ada Stone");
    const other = box.replace("Ada Stone", "Ben Hill");
    expect(metadataOf(`${date}<h1>A bridge</h1>${TEXT.repeat(4)}${box}${other}`).author).toBeUndefined();
  });

  it.each([
    ["a sentence", "<p>By using this site, you accept cookies.</p>"],
    ["a photographer", "<p><span>Photo</span> <span>by Ada Stone</span></p>"],
    ["the author of a comment", "<div class='comments'><p class='comment-author'>By Ada Stone</p></div>"],
    ["the author of a quotation", "<blockquote><p>By Ada Stone</p></blockquote>"],
    ["an author of another article", "<div class='related'><p>By Ada Stone</p></div>"],
    ["a link to another page of the author", "<p class='author-link'><a href='/x'>Read more</a></p>"],
    ["the name of an account without a person", "<p class='author'>admin</p>"],
    ["a hidden name", "<p hidden>By Ada Stone</p>"],
    ["a role", "<p class='author-role role'>Bridge Builder</p>"],
    ["a role without a name", "<p class='author'>Staff Writer</p>"],
    ["a label without a name", "<p class='author'>Autor</p>"],
    ["the time of the day", "<p class='author'>2:30 pm</p>"],
    ["a field of a form", "<p class='login-username'>Username or E-mail</p>"],
  ])("isn't %s", (_, byline) => {
    expect(metadataOf(`<h1>A bridge</h1>${byline}${TEXT}`).author).toBeUndefined();
  });

  it("isn't in the words of the headline", () => {
    expect(metadataOf("<h1>Von Brücken und Bergen</h1><p>Ein Text.</p>", { language: "de" }).author).toBeUndefined();
  });

  it("is ignored in a long list of other texts", () => {
    const cards = "<h2>The story of another bridge</h2><p>A story.</p>".repeat(5);
    expect(metadataOf(`<h1>Stories</h1>${cards}<p>By Ada Stone</p>`).author).toBeUndefined();
  });
});

describe("a declared author", () => {
  const article = (author: unknown) =>
    `<script type="application/ld+json">${JSON.stringify({ "@type": "NewsArticle", headline: "A bridge", author })}</script>`;

  it.each([
    ["is used before the text", article({ name: "Ada Stone" }), "Ada Stone"],
    ["gives way to a name near the headline if it is the site", article("Gazette"), "Ben Hill"],
    [
      "gives way to a name near the headline if it is an organization",
      article({ "@type": "Organization", name: "Gazette Media" }),
      "Ben Hill",
    ],
    ["gives way to a name near the headline if it is a placeholder", article("admin"), "Ben Hill"],
    ["gives way to a name near the headline if a template failed", article("page.meta.author"), "Ben Hill"],
    ["is used without its label", '<meta name="author" content="By Ada Stone">', "Ada Stone"],
    ["can have a first and a last name", article({ givenName: "Ada", familyName: "Stone" }), "Ada Stone"],
    ["can be in a list", article({ "@list": [{ name: "Ada Stone" }, "Cleo Ray"] }), "Ada Stone, Cleo Ray"],
  ])("%s", (_, head, author) => {
    expect(metadataOf(`${head}<h1>A bridge</h1><p>By Ben Hill</p>${TEXT}`).author).toBe(author);
  });

  it("is the organization if no person is named", () => {
    expect(metadataOf(`${article("Gazette")}<h1>A bridge</h1>${TEXT}`).author).toBe("Gazette");
  });

  it("isn't the name of the site on a page that isn't an article", () => {
    expect(metadataOf('<meta name="author" content="Gazette"><h1>Prices</h1>').author).toBeUndefined();
  });

  it.each([
    ["microdata", '<div itemscope itemtype="https://schema.org/Review"><b itemprop="author">Ada</b></div>'],
    ["JSON-LD", '<script type="application/ld+json">{"@type": "Review", "author": {"name": "Ada"}}</script>'],
  ])("isn't the author of a review in %s", (_, review) => {
    expect(metadataOf(`<h1>A lamp</h1>${review}`).author).toBeUndefined();
  });
});

describe("the dates in the text", () => {
  it.each([
    ["a date", "<p>May 17, 2024</p>", { published_time: "2024-05-17" }],
    ["a date next to the author", "<p>By Ada Stone • May 17, 2024 • 5 min read</p>", { published_time: "2024-05-17" }],
    [
      "the time of a <time> element",
      '<time datetime="2024-05-17T08:00:00Z">last week</time>',
      { published_time: "2024-05-17T08:00:00.000Z" },
    ],
    [
      "the time of another element",
      '<relative-time datetime="2024-05-17">last week</relative-time>',
      { published_time: "2024-05-17" },
    ],
    ["a date of a change", "<p>Last updated: May 17, 2024</p>", { modified_time: "2024-05-17" }],
    [
      "a date of a change after a label in another element",
      "<div>Last updated</div><div>May 17, 2024</div>",
      { modified_time: "2024-05-17" },
    ],
    [
      "both dates",
      "<p><span>Published May 16, 2024</span> <span>Updated May 17, 2024</span></p>",
      { published_time: "2024-05-16", modified_time: "2024-05-17" },
    ],
    ["no date of membership", "<p>Joined: May 17, 2024</p>", {}],
    ["no date in a sentence", `<p>On May 17, 2024, ${"the workers came to the river to build ".repeat(3)}</p>`, {}],
    ["no date of a comment", "<div class='comment'><time datetime='2024-05-17'>May 17</time></div>", {}],
  ])("include %s", (_, html, expected) => {
    const { published_time, modified_time } = metadataOf(`<h1>A bridge</h1>${html}`);
    expect({ published_time, modified_time }).toEqual({
      published_time: undefined,
      modified_time: undefined,
      ...expected,
    });
  });

  it("can be in front of the headline", () => {
    expect(metadataOf("<p>17 May 2024</p><h1>A bridge</h1>").published_time).toBe("2024-05-17");
  });

  it("can be the only time of the page", () => {
    const late = `${TEXT.repeat(4)}<p>Built on <time datetime="2024-05-17">17 May</time></p>`;
    expect(metadataOf(`<h1>A bridge</h1>${late}`).published_time).toBe("2024-05-17");
    const other = '<time datetime="2024-05-18">18 May</time>';
    expect(metadataOf(`<h1>A bridge</h1>${late}${other}`).published_time).toBeUndefined();
  });

  it("give way to a declared date", () => {
    const head = '<meta name="citation_publication_date" content="2023/1/22">';
    expect(metadataOf(`${head}<h1>A bridge</h1><p>May 17, 2024</p>`).published_time).toBe("2023-01-22");
  });

  it("are replaced by the date in the URL if there are none", () => {
    const url = "https://gazette.example/2024/05/17/a-bridge";
    expect(metadataOf("<h1>A bridge</h1>", { url }).published_time).toBe("2024-05-17");
    expect(metadataOf("<h1>A bridge</h1><p>May 18, 2024</p>", { url }).published_time).toBe("2024-05-18");
  });
});

it("reads nothing in the text if only declared metadata is wanted", () => {
  const html = "<title>A bridge | Gazette</title><h1>The old bridge</h1><p>By Ada Stone, May 17, 2024</p>";
  const metadata = readMetadata(parseDocument(html), { baseUrl: URL, shown: false });
  expect(metadata).toEqual({ title: "A bridge" });
});
