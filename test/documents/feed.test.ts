import { describe, expect, it } from "vitest";
import { toFeedPage } from "../../src/documents/feed";
import { convertHtml } from "../../src/html/convert";

const URL_OF_FEED = "https://tides.example/feed";

/** Converts a feed to a page and returns its parts, or null if it isn't a feed. */
async function read(source: string, root: string | null) {
  const html = await toFeedPage(source, root, new AbortController().signal);
  const options = {
    url: URL_OF_FEED,
    markdown: true,
    text: false,
    links: true,
    metadata: true,
    onlyMainContent: false,
  };
  return html === null ? null : convertHtml(html, options);
}

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:media="m" xmlns:atom="a"><channel>
  <title>Tides &amp; currents</title><link>https://tides.example/</link><atom:link rel="self" href="/feed"/>
  <item><title>High &lt;water&gt;</title><link>https://tides.example/1</link><pubDate>Mon, 23 Nov 2026 08:00:00 GMT</pubDate>
    <description>Short</description><media:content url="a.jpg"/>
    <content:encoded><![CDATA[<p>It rose by <b>two</b> metres, see <a href="/log">the log</a>.</p><p hidden>Secret</p>]]></content:encoded></item>
  <item><link>https://tides.example/2</link><description>Only text</description></item></channel></rss>`;

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Tides &amp; currents</title><entry><title>High &lt;water&gt;</title>
  <link rel="edit" href="/edit/1"/><link href="https://tides.example/1"/><updated>2026-11-23T08:00:00Z</updated>
  <content type="html">&lt;p>It rose by &lt;b>two&lt;/b> metres, see &lt;a href="/log">the log&lt;/a>.&lt;/p></content></entry>
  <entry><link href="https://tides.example/2"/><content type="xhtml"><div>Only text</div></content></entry></feed>`;

const JSON_FEED = JSON.stringify({
  version: "https://jsonfeed.org/version/1.1",
  title: "Tides & currents",
  items: [
    {
      url: "https://tides.example/1",
      title: "High <water>",
      date_published: "2026-11-23T08:00:00Z",
      content_html: '<p>It rose by <b>two</b> metres, see <a href="/log">the log</a>.</p>',
    },
    { url: "https://tides.example/2", content_text: "Only text" },
  ],
});

const RSS_1 = `<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel rdf:about="a"><title>Tides</title><link>/</link></channel>
  <item><title>High</title><link>/1</link></item></rdf:RDF>`;

const ATOM_TYPES = `<feed><title type="html">Tides &amp;#38; currents</title><entry><link href="/1"/>
  <title type="html"><![CDATA[It&#8217;s <b>high</b>]]></title><summary>The tag &lt;b&gt;</summary></entry>
  <entry><link href="/2"/><title type="xhtml"><div>Ebb &amp; flow</div></title>
  <content type="xhtml"><div><p>One<br/>line</p><p>Two, see <a href="/log">the log</a></p></div></content></entry></feed>`;

const CUT_OFF = `<rss><channel><item><link>/1</link><description>&lt;p>See &lt;iframe src="/a"/></description></item>
  <item><link>/2</link><title>Second</title></item></channel></rss>`;

const HOSTILE_JSON = JSON.stringify({
  version: "https://jsonfeed.org/version/1.1",
  title: null,
  items: [null, { url: { toString: 1 }, title: 5 }, { url: "/1", content_text: "All <b>", summary: "Short" }],
});

describe("a feed", () => {
  it.each([
    ["RSS", RSS, "rss"],
    ["Atom", ATOM, "feed"],
    ["JSON", JSON_FEED, null],
  ])("of the format %s has its title and its entries with link, date and text", async (_, source, root) => {
    const found = await read(source, root);
    expect(found?.metadata?.title).toBe("Tides & currents");
    expect(found?.markdown).toContain("# Tides & currents");
    expect(found?.markdown).toMatch(
      /## \[High .?<water.?>\]\(https:\/\/tides\.example\/1\)\n\n.*2026.*\n\nIt rose by \*\*two\*\*/,
    );
    expect(found?.markdown).toContain("[https://tides.example/2](https://tides.example/2)");
    expect(found?.markdown).toContain("Only text");
    expect(found?.markdown).not.toContain("Secret");
    const urls = found?.links?.map(({ url }) => url);
    expect(urls).toEqual(["https://tides.example/1", "https://tides.example/log", "https://tides.example/2"]);
  });

  it.each<[name: string, source: string, root: string | null, markdown: string[]]>([
    ["RSS 1.0", RSS_1, "rdf:rdf", ["# Tides\n\n## [High](https://tides.example/1)"]],
    [
      "HTML and XHTML in Atom",
      ATOM_TYPES,
      "feed",
      ["# Tides & currents", "[It’s high](https://tides.example/1)", "[Ebb & flow]", "The tag \\<b>"],
    ],
    ["paragraphs of XHTML", ATOM_TYPES, "feed", ["\n\nTwo, see [the log](https://tides.example/log)"]],
    ["an entry that is cut off", CUT_OFF, "rss", ["## [Second](https://tides.example/2)"]],
    ["members of a wrong type", HOSTILE_JSON, null, ["[/1](https://tides.example/1)\n\nAll \\<b>"]],
  ])("is read with %s", async (_, source, root, markdown) => {
    const found = await read(source, root);
    for (const part of markdown) expect(found?.markdown).toContain(part);
    expect(found?.markdown).not.toMatch(/null|Short/);
  });

  it("is read in parts, so that reading stops when the run is aborted", async () => {
    const run = new AbortController();
    const reading = toFeedPage(
      `<rss><channel>${"<item><link>/1</link></item>".repeat(5_000)}</channel></rss>`,
      "rss",
      run.signal,
    );
    run.abort(new Error("aborted"));
    await expect(reading).rejects.toThrow("aborted");
  });

  it.each([
    ["a text about feeds", "The element <rss> has items; see https://jsonfeed.org/version/1.1", null],
    ["another JSON", '{"see": "https://jsonfeed.org/version/1.1"}', null],
    ["another JSON with items", '{"see": "https://jsonfeed.org/version/1.1", "items": [{"price": 5}]}', null],
    [
      "a feed that grows when it is escaped",
      JSON.stringify({ version: "https://jsonfeed.org/version/1", items: [{ url: "&".repeat(200_000) }] }),
      null,
    ],
    ["a feed with too many entries", `<rss><channel>${"<item/>".repeat(20_001)}</channel></rss>`, "rss"],
    ["a feed without entries", "<rss><channel><title>A</title></channel></rss>", "rss"],
    ["a feed that is too complex", `<rss><channel><item>${"<a/>".repeat(250_000)}</item></channel></rss>`, "rss"],
    [
      "a feed that defines entities",
      '<!DOCTYPE rss [<!ENTITY a "b">]><rss><item><title>&a;</title></item></rss>',
      "rss",
    ],
    ["other XML", "<urlset><entry><title>A</title></entry></urlset>", "urlset"],
  ])("isn't %s", async (_, source, root) => {
    expect(await read(source, root)).toBeNull();
  });
});
