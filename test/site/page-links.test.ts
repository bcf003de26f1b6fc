import { describe, expect, it } from "vitest";
import { parseDocument } from "../../src/html/parse/document";
import { readPageLinks } from "../../src/site/page-links";

const PAGE = "https://example.com/a/b";
const read = (html: string, robotsTag: string | null = null) =>
  readPageLinks(parseDocument(html), { url: PAGE, robotsTag });

describe("readPageLinks", () => {
  it("returns each page once, resolved against the base, with its text", () => {
    const html = `<base href="/docs/"><title> The  docs </title>
      <a href="one#x"></a><a href="one#y">One</a><a href="?p=2" rel="ugc nofollow">Two</a>
      <a href="mailto:a@b.example">m</a><a href="javascript:x()">j</a><map><area href="//cdn.example/m" alt="Map"></map>`;
    expect(read(html)).toMatchObject({
      title: "The docs",
      links: [
        { url: "https://example.com/docs/one", text: "One", nofollow: false },
        { url: "https://example.com/docs/?p=2", text: "Two", nofollow: true },
        { url: "https://cdn.example/m", text: "Map", nofollow: false },
      ],
    });
  });

  it("follows a URL if one of its links may be followed", () => {
    expect(read(`<a href="/x" rel=nofollow>1</a><a href="/x#y">2</a>`).links).toMatchObject([{ nofollow: false }]);
  });

  it("returns the feeds and the canonical URL", () => {
    const html = `<link rel="alternate" type="application/rss+xml" href="feed.xml"><link rel="Alternate" type="application/atom+xml;charset=utf-8" href="/atom">
      <link rel="alternate" hreflang="de" href="/de"><link rel="canonical" href="/own"><link rel="canonical" href="/other">`;
    expect(read(html)).toMatchObject({
      feeds: ["https://example.com/a/feed.xml", "https://example.com/atom"],
      canonical: "https://example.com/own",
    });
  });

  it.each<[html: string, tag: string | null, noindex: boolean, nofollow: boolean]>([
    ["", null, false, false],
    [`<meta name=robots content="NoIndex, follow">`, null, true, false],
    [`<meta name=robots content=none>`, null, true, true],
    [`<meta name=robots content=noindex><meta name=ROBOTS content=nofollow>`, null, true, true],
    ["", "noindex, nofollow", true, true],
    ["", "otherbot: noindex", false, false],
  ])("reads the directives of %j and %j", (html, tag, noindex, nofollow) => {
    expect(read(html, tag).directives).toEqual({ noindex, nofollow });
  });
});
