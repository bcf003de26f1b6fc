import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type ScrapeFormat, ScrapeRequest } from "../../../src/contract/scrape";
import { mockScrape } from "../../../src/endpoints/scrape/mock";
import type { Outcome } from "../../../src/model/job";

const ALL: ScrapeFormat[] = ["html", "markdown", "text", "screenshot", "images", "raw_html", "clean_html"];

function scrape(url: string, formats: ScrapeFormat[], { large = false, only_main_content = true } = {}) {
  return mockScrape({ ...ScrapeRequest.parse({ url, formats, only_main_content }), url }, { large, outcome: "ok" });
}

it.each(ALL)("returns only the requested format: %s", (format) => {
  const { data, screenshot } = scrape("https://example.com/", [format]);
  expect(Object.keys(data)).toEqual(format === "screenshot" ? [] : [format]);
  expect(screenshot === null).toBe(format !== "screenshot");
});

it("shows the same page in every format", () => {
  const { html, markdown, text } = scrape("https://shop.example/a?b=1", ALL).data;
  expect(html).toContain("<h1>Mock page of shop.example</h1>");
  expect(markdown).toMatch(/^# Mock page of shop\.example$/m);
  expect(text).toMatch(/^Mock page of shop\.example$/m);
  expect(markdown).toContain("[link to another page](https://shop.example/about)");
  expect(markdown).toContain("| Apples | 1.20 |");
  expect(markdown).toContain('```sh\ncurl --data "fruit=apples" https://shop.example/about\n```');
  for (const format of [html, markdown, text]) {
    expect(format).toContain("https://shop.example/a?b=1");
    expect(format).toContain("Plums from the garden behind the house");
  }
});

it("omits navigation and footer, unless the whole page is requested", () => {
  expect(scrape("https://example.com/", ["text"]).data.text).not.toContain("The footer");
  expect(scrape("https://example.com/", ["text"], { only_main_content: false }).data.text).toContain("The footer");
});

it("is the same for the same request, and different for another URL", () => {
  expect(scrape("https://example.com/a", ALL)).toEqual(scrape("https://example.com/a", ALL));
  for (const format of ["html", "markdown", "text"] as const) {
    expect(scrape("https://example.com/a", ALL).data[format]).not.toBe(
      scrape("https://example.com/b", ALL).data[format],
    );
  }
});

it.each([
  'https://example.com/"><script>alert(1)</script>',
  "https://example.com/?q=<img src=x onerror=alert(1)>&amp;'`",
  "https://example.com/#](javascript:alert(1))",
  "https://example.com/?a=`</code></pre><h1>",
])("escapes %s", (url) => {
  const { html = "", markdown = "", text } = scrape(url, ALL).data;
  expect(html.match(/<(script|img)|<h1/gi)).toEqual(["<h1", "<img"]);
  expect(markdown.match(/(?<!\\)\]\([^)\s]*/g)?.[0]).toContain("](https://example.com/");
  expect(text).toContain(new URL(url).href);
});

it("has text for any URL", () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      const { markdown, text } = scrape(url, ["markdown", "text"]).data;
      expect(markdown).toContain("# Mock page of");
      expect(text).toContain(new URL(url).href);
    }),
    { numRuns: 30 },
  );
});

it.each(["html", "markdown", "text"] as const)("is larger than 1 MB as %s if a large result is requested", (format) => {
  const { data } = scrape("https://large.test/", [format], { large: true });
  expect(JSON.stringify(data).length).toBeGreaterThan(1024 * 1024);
  expect(data[format]).toContain("Mock page of large.test");
});

it("has metadata and links", () => {
  const { metadata, links } = scrape("https://example.com/a", ["metadata", "links"]).data;
  expect(metadata).toMatchObject({
    title: "Mock page of example.com",
    language: "en",
    url: "https://example.com/a",
    status_code: 200,
  });
  expect(links?.map(({ url }) => url)).toEqual([
    "https://example.com/",
    "https://example.com/a",
    "https://example.com/about",
  ]);
});

it("returns a screenshot that is a valid PNG of 1280 × 800", async () => {
  const { screenshot } = scrape("https://example.com/", ["screenshot"]);
  const png = screenshot ?? new Uint8Array();
  expect(png.byteLength).toBeLessThan(4_000);
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

  const chunks = toChunks(png);
  expect(chunks.map(({ type }) => type)).toEqual(["IHDR", "PLTE", "IDAT", "IEND"]);
  for (const { type, data, crc } of chunks) {
    expect(crc32(new Uint8Array([...new TextEncoder().encode(type), ...data]))).toBe(crc);
  }
  const [header, palette, pixels] = chunks.map(({ data }) => data);
  // The fields of IHDR: width, height, bit depth 2, palette colors, and the default methods.
  expect([...(header ?? [])]).toEqual([0, 0, 5, 0, 0, 0, 3, 32, 2, 3, 0, 0, 0]);
  expect(palette?.length).toBe(4 * 3);
  const rows = await inflate(pixels ?? new Uint8Array());
  expect(rows.length).toBe(800 * (1 + 1280 / 4));
  expect(rows.every((byte, at) => at % 321 !== 0 || byte <= 4)).toBe(true);
});

it("has no summary if the page has no content, because no model would be called", () => {
  const request = { ...ScrapeRequest.parse({ url: "https://example.com/", formats: ["text", "summary"] }) };
  const formatsOf = (outcome: Outcome) =>
    Object.keys(mockScrape({ ...request, url: "https://example.com/" }, { large: false, outcome }).data);
  expect([formatsOf("ok"), formatsOf("login")]).toEqual([["text", "summary"], ["text"]]);
});

it("returns a separate copy of the screenshot to each caller", () => {
  const first = scrape("https://example.com/", ["screenshot"]).screenshot;
  first?.fill(0);
  expect(scrape("https://example.com/", ["screenshot"]).screenshot?.[0]).toBe(0x89);
});

function toChunks(png: Uint8Array): { type: string; data: Uint8Array; crc: number }[] {
  const view = new DataView(png.buffer);
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    const type = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length), crc: view.getUint32(at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
