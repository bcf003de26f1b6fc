import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

/** A sentence of 20 words. */
const SENTENCE =
  "The ferry leaves from the old pier each morning, whatever the weather, and carries forty people and their small dogs. ";
const TEXT = `<p>${SENTENCE.repeat(3)}</p>`;
const ARTICLE = '<meta property="og:type" content="article">';

function markdownOf(html: string, head = ""): string {
  const options = { url: "https://coast.example/ferry.html", markdown: true, text: false, onlyMainContent: true };
  return convertHtml(`<head>${head}</head><main><h1>Harbours</h1>${html}</main>`, options).markdown ?? "";
}

/** Returns a paragraph with this many words. */
function words(count: number, word = "word"): string {
  return `<p>${`${word}, `.repeat(count - 1)}end.</p>`;
}

describe("links with most of the words", () => {
  const links = Array.from(
    { length: 36 },
    (_, at) => `<p><a href="/${at}">The old story of the boat ${at}</a></p>`,
  ).join("");

  it("are kept", () => {
    expect(markdownOf(TEXT + links + TEXT)).toContain("boat 1]");
  });

  it("are dropped if the page declares an article", () => {
    expect(markdownOf(TEXT + links + TEXT, ARTICLE)).not.toContain("boat 1]");
  });
});

describe("a part whose class names it boilerplate", () => {
  const promo = (content: string) => `<div class="promo">${content}</div>`;

  it.each([
    ["is dropped with 100 words in a long text", 10, 100, false],
    ["is kept with more than 250 words", 20, 260, true],
    ["is kept with more than 40% of the words", 0, 50, true],
  ])("%s", (_, texts, count, isKept) => {
    expect(markdownOf(TEXT.repeat(texts) + promo(words(count)) + TEXT).includes("word, word")).toBe(isKept);
  });

  it("is kept if the parts before it have most of the words", () => {
    const parts = ["one", "two", "three", "four"].map((word) => promo(words(60, word))).join("");
    const markdown = markdownOf(TEXT + parts);
    expect(markdown).not.toMatch(/one, one|two, two|three, three/);
    expect(markdown).toContain("four, four");
  });

  it("is kept if the headline is in it", () => {
    const options = { url: "https://coast.example/ferry.html", markdown: true, text: false, onlyMainContent: true };
    const html = `<main>${promo("<h1>Harbours</h1><p>Boats of the north.</p>")}${TEXT}${TEXT}</main>`;
    expect(convertHtml(html, options).markdown).toContain("Boats of the north.");
  });
});

describe("replies", () => {
  const reply = (content: string) => `<div class="reply"><div class="reply-body">${content}</div></div>`;

  it("are kept if they have more than 40% of the words", () => {
    expect(markdownOf(TEXT + reply(words(30)) + reply(words(30)))).toContain("word, word");
  });

  it("are dropped if they have fewer words, which are counted once", () => {
    expect(markdownOf(TEXT + reply(words(15)) + reply(words(15)))).not.toContain("word, word");
  });
});

describe("teasers in the text", () => {
  const teasers = (count: number) =>
    ["a", "b", "c"]
      .map((name) => `<div class="x"><p><a href="/${name}">The story ${name}</a></p>${words(count)}</div>`)
      .join("");

  it("are dropped if they have less than half of the words", () => {
    expect(markdownOf(TEXT + teasers(10) + TEXT)).not.toContain("The story a");
  });

  it("are kept if they have more, unless the page declares an article", () => {
    expect(markdownOf(TEXT + teasers(50) + TEXT)).toContain("word, word");
    expect(markdownOf(TEXT + teasers(50) + TEXT, ARTICLE)).not.toContain("word, word");
  });

  it("are kept on a page without an article", () => {
    expect(markdownOf(`<p>${"Boats, ".repeat(30)}</p>${teasers(3)}`)).toContain("The story a");
  });

  it("have at most 80 words each", () => {
    const big = (count: number) =>
      ["a", "b", "c"].map((name) => `<div class="x"><p><a href="/${name}">The story</a></p>${words(count)}</div>`);
    const long = TEXT.repeat(15);
    expect(markdownOf(long + big(77).join("") + long, ARTICLE)).not.toContain("word, word");
    expect(markdownOf(long + big(85).join("") + long, ARTICLE)).toContain("word, word");
  });

  it("are at least three", () => {
    const two = teasers(10).split("</div>").slice(0, 2).join("</div>");
    expect(markdownOf(`${TEXT}${two}</div>${TEXT}`)).toContain("word, word");
  });
});

describe("text in a part whose class names a picture", () => {
  const picture = (content: string) => `<div class="photo">${content}</div>`;

  it.each([
    ["is dropped", words(20), false],
    ["is kept with 60 words", words(60), true],
    ["is kept in more than five blocks", words(5).repeat(6), true],
  ])("%s", (_, content, isKept) => {
    expect(markdownOf(TEXT.repeat(2) + picture(content) + TEXT).includes("word, word")).toBe(isKept);
  });
});
