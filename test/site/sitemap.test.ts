import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_SITEMAP_BYTES, readSitemap } from "../../src/site/sitemap";

const URL_ = "https://example.com/maps/sitemap.xml";
const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string, maxEntries?: number) =>
  readSitemap([encode(text)], { url: URL_, ...(maxEntries !== undefined && { maxEntries }) });
const toUrls = (sitemap: Awaited<ReturnType<typeof read>>) => sitemap?.entries.map(({ url }) => url);

describe("an XML sitemap", () => {
  it("has URLs, dates and the titles of news", async () => {
    const sitemap = await read(`\ufeff<?xml version="1.0" encoding="UTF-8"?>
      <!-- <url><loc>https://example.com/comment</loc></url> -->
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="n" xmlns:image="i">
      <url><loc> https://example.com/?a=1&amp;b=2 </loc><lastmod>2026-11-23</lastmod><priority>1</priority></url>
      <url><image:image><image:loc>https://example.com/i.png</image:loc><image:title>No</image:title></image:image>
        <loc><![CDATA[https://example.com/c?a=1&b=2]]></loc><lastmod>2026-11-23T10:00:00+02:00</lastmod></url>
      <url><loc>https://example.com/news</loc><news:news><news:publication><news:name>Paper</news:name></news:publication>
        <news:publication_date>2026-01-02</news:publication_date><news:title>Dogs &amp; &#x63;ats</news:title></news:news></url>
      <url><loc>/relative</loc><lastmod>yesterday</lastmod></url>
      <url><loc>mailto:a@b.example</loc></url><url><loc/></url><url></url>
      </urlset>`);
    expect(sitemap).toEqual({
      kind: "urls",
      isTruncated: false,
      entries: [
        { url: "https://example.com/?a=1&b=2", title: null, lastModified: "2026-11-23" },
        { url: "https://example.com/c?a=1&b=2", title: null, lastModified: "2026-11-23T08:00:00.000Z" },
        { url: "https://example.com/news", title: "Dogs & cats", lastModified: "2026-01-02" },
        { url: "https://example.com/relative", title: null, lastModified: null },
      ],
    });
  });

  it("can have namespace prefixes and no XML declaration", async () => {
    const text = `\n\n <sm:urlset xmlns:sm="s"><sm:url><sm:loc>https://example.com/a</sm:loc></sm:url></sm:urlset>`;
    expect(toUrls(await read(text))).toEqual(["https://example.com/a"]);
  });

  it("can be an index", async () => {
    const text = `<sitemapindex><sitemap><loc>https://example.com/1.xml.gz</loc><lastmod>2026-01-01</lastmod></sitemap></sitemapindex>`;
    expect(await read(text)).toMatchObject({ kind: "index", entries: [{ url: "https://example.com/1.xml.gz" }] });
  });

  it("can be in UTF-16 or in the encoding that it declares", async () => {
    const text = `<?xml version="1.0" encoding="ENC"?><rss><channel><item><link>https://example.com/a</link><title>é</title></item></channel></rss>`;
    const wide = new Uint8Array(Uint16Array.from(`\ufeff${text}`, (char) => char.charCodeAt(0)).buffer);
    expect(await readSitemap([wide], { url: URL_ })).toMatchObject({ entries: [{ title: "é" }] });
    const latin = Uint8Array.from(text.replace("ENC", "ISO-8859-1"), (char) => char.charCodeAt(0));
    expect(await readSitemap([latin], { url: URL_ })).toMatchObject({ entries: [{ title: "é" }] });
    expect(await read(text.replace("ENC", "utf-16"))).toMatchObject({ entries: [{ title: "é" }] });
    expect(await read(text.replace("ENC", "klingon"))).toMatchObject({ entries: [{ title: "é" }] });
  });

  it("that is cut off has the entries before the cut", async () => {
    const text = "<urlset><url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b";
    expect(await read(text)).toMatchObject({ isTruncated: true, entries: [{ url: "https://example.com/a" }] });
  });

  it("doesn't expand its own entities", async () => {
    const text = `<!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>https://example.com/&b;</loc></url></urlset>`;
    expect(toUrls(await read(text))).toEqual(["https://example.com/&b;"]);
  });

  it("is read up to the maximum number of entries", async () => {
    const text = `<urlset>${"<url><loc>https://example.com/a</loc></url>".repeat(5)}</urlset>`;
    expect(await read(text, 3)).toMatchObject({ isTruncated: true, entries: { length: 3 } });
    expect(await read(text, 5)).toMatchObject({ isTruncated: false, entries: { length: 5 } });
  });
});

describe("a feed", () => {
  it("can be RSS", async () => {
    const sitemap =
      await read(`<rss version="2.0" xmlns:media="m"><channel><title>Blog</title><link>https://example.com/</link>
      <item><title><![CDATA[<b>One</b>  two]]></title><link>https://example.com/1</link><media:title>x</media:title>
        <pubDate>Mon, 23 Nov 2026 10:00:00 GMT</pubDate></item>
      <item><guid>https://example.com/2</guid><dc:date>2026-01-02</dc:date></item>
      <item><guid isPermaLink="false">https://example.com/3</guid></item>
      <item><title>Without a link</title></item></channel></rss>`);
    expect(sitemap).toEqual({
      kind: "feed",
      isTruncated: false,
      entries: [
        { url: "https://example.com/1", title: "One two", lastModified: "2026-11-23T10:00:00.000Z" },
        { url: "https://example.com/2", title: null, lastModified: "2026-01-02" },
      ],
    });
  });

  it("can be Atom or RSS 1.0", async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/self" rel="self"/><entry><title>A</title>
      <link rel="enclosure" href="/a.mp3"/><link href="/a"/><updated>2026-11-23T10:00:00Z</updated><published>2020-01-01T00:00:00Z</published></entry></feed>`;
    expect(await read(atom)).toMatchObject({
      kind: "feed",
      entries: [{ url: "https://example.com/a", title: "A", lastModified: "2026-11-23T10:00:00.000Z" }],
    });
    const rdf = `<rdf:RDF><channel><title>C</title></channel><item><title>R</title><link>https://example.com/r</link></item></rdf:RDF>`;
    expect(await read(rdf)).toMatchObject({ kind: "feed", entries: [{ url: "https://example.com/r", title: "R" }] });
  });
});

describe("a text sitemap", () => {
  it("has one URL per line", async () => {
    expect(
      await read("\ufeffhttps://example.com/a\r\n\r\n  https://example.com/b  \nhttps://example.com/c"),
    ).toMatchObject({
      kind: "text",
      entries: [{ url: "https://example.com/a" }, { url: "https://example.com/b" }, { url: "https://example.com/c" }],
    });
  });

  it("isn't ordinary text", async () => {
    expect(await read("Not found")).toBeNull();
    expect(await read(`https://example.com/\n${"words\n".repeat(20)}`)).toBeNull();
  });
});

it.each([
  ["an empty file", ""],
  ["white space", " \n "],
  ["an HTML page", "<!doctype html><html><head><title>404</title></head><body><a href='/x'>x</a></body></html>"],
  ["other XML", "<svg><url><loc>https://example.com/</loc></url></svg>"],
  ["JSON", `{"urls":["https://example.com/"]}`],
])("doesn't take %s for a sitemap", async (_, text) => {
  expect(await read(text)).toBeNull();
});

it("gives the same entries wherever the file is split", async () => {
  const bytes = encode("\ufeff<urlset><url><loc>https://example.com/é</loc><title>x &amp; y</title></url></urlset>");
  const whole = await readSitemap([bytes], { url: URL_ });
  for (let at = 1; at < bytes.length; at++)
    expect(await readSitemap([bytes.subarray(0, at), bytes.subarray(at)], { url: URL_ })).toEqual(whole);
});

it("stops at the maximum size of a sitemap", async () => {
  let sent = 0;
  async function* endless() {
    yield encode("<urlset><url><loc>https://example.com/a</loc></url>");
    const filler = encode(" ".repeat(1024 * 1024));
    for (;;) {
      sent += filler.byteLength;
      yield filler;
    }
  }
  expect(await readSitemap(endless(), { url: URL_ })).toMatchObject({ isTruncated: true, entries: { length: 1 } });
  expect(sent).toBeLessThan(MAX_SITEMAP_BYTES + 2 * 1024 * 1024);
});

it("ends for deep, long and endless parts", async () => {
  expect(await read(`<urlset>${"<a>".repeat(500_000)}`)).toMatchObject({ entries: [] });
  expect(
    await read(`<urlset><url><loc>https://example.com/${"a".repeat(3_000_000)}</loc></url></urlset>`),
  ).toMatchObject({
    entries: [],
  });
  expect(await read(`<urlset><url ${"a='1' ".repeat(300_000)}>`)).toMatchObject({ entries: [] });
  expect(await read(`<rss><channel><item><title>${"<".repeat(100_000)}</title></item>`)).toMatchObject({ entries: [] });
  expect(await read("x".repeat(3_000_000))).toBeNull();
});

it("stops when the signal is aborted", async () => {
  const signal = AbortSignal.abort(new Error("over"));
  await expect(readSitemap([encode("<urlset>")], { url: URL_, signal })).rejects.toThrow("over");
});

it("reads any bytes", async () => {
  const tag = fc.constantFrom(
    ..."<urlset> <url> <loc> </loc> </url> <![CDATA[ ]]> <!-- --> & &#0; &#x110000; <item> <link/> <feed> https://a.example/ \0".split(
      " ",
    ),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tag).map((tags) => encode(tags.join(""))),
    fc.array(tag).map((tags) => encode(`<urlset>${tags.join("")}`)),
    fc.uint8Array({ maxLength: 50 }).map((part) => gzipSync(part)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (file) => {
      const sitemap = await readSitemap([file], { url: URL_ });
      for (const { url } of sitemap?.entries ?? []) expect(URL.canParse(url)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
