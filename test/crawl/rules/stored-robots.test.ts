import { describe, expect, it } from "vitest";
import { fromStoredRobots, toStoredRobots } from "../../../src/crawl/hosts";
import { isAllowed, parseRobots } from "../../../src/site/robots";

const URL_OF_FILE = "https://example.com/robots.txt";
/** The part of a robots.txt that is read. */
const MAX_ROBOTS_BYTES = 500 * 1024;
/** The maximum size of a row of a Durable Object. */
const MAX_ROW_BYTES = 2_000_000;

/** Returns a robots.txt with the maximum size. */
function fill(toLine: (i: number) => string | Uint8Array): Uint8Array {
  const file = [Buffer.from("User-agent: *\n")];
  for (let i = 0, bytes = 0; bytes < MAX_ROBOTS_BYTES; i++) {
    const line = Buffer.from(toLine(i));
    bytes += line.byteLength;
    file.push(line);
  }
  return Buffer.concat(file).subarray(0, MAX_ROBOTS_BYTES);
}

const toSize = (file: Uint8Array) => Buffer.byteLength(toStoredRobots(parseRobots(file, URL_OF_FILE)));

describe("the stored form of a robots.txt", () => {
  it.each<[name: string, toLine: (i: number) => string | Uint8Array]>([
    ["short rules", (i) => `allow /${i.toString(36)}\n`],
    ["characters outside of ASCII", (i) => `allow /中${i.toString(36)}\n`],
    ["long lines outside of ASCII", (i) => `allow /${"中".repeat(1_900)}${i}\n`],
    ["bytes that aren't UTF-8", () => Buffer.from(`allow /${"\xff".repeat(1_900)}\n`, "latin1")],
    ["sitemaps", (i) => `Sitemap: /${"中".repeat(150)}${i}\n`],
  ])("fits into a row if the file is full of %s", (_, toLine) => {
    expect(toSize(fill(toLine))).toBeLessThan(MAX_ROW_BYTES);
  });

  it("has the content signals, which older rows don't have", () => {
    const file = Buffer.from("User-agent: *\nContent-Signal: ai-train=no\n");
    expect(fromStoredRobots(toStoredRobots(parseRobots(file, URL_OF_FILE))).signals).toEqual({ ai_train: false });
    expect(fromStoredRobots('{"rules": [], "sitemaps": []}').signals).toBeUndefined();
  });

  it("has the rules for this service and the sitemaps", () => {
    const lines = [
      "User-agent: *\nDisallow: /",
      "User-agent: WebDataExtraction\nDisallow: /a\nAllow: /a/b$",
      "User-agent: other\nUser-agent: webdataextraction\nDisallow: /c",
      "Sitemap: /map.xml",
    ];
    const stored = fromStoredRobots(toStoredRobots(parseRobots(Buffer.from(lines.join("\n")), URL_OF_FILE)));
    expect(stored.sitemaps).toEqual(["https://example.com/map.xml"]);
    const allowed = ["/", "/a", "/a/b", "/a/bc", "/c"].filter((path) =>
      isAllowed(stored, `https://example.com${path}`),
    );
    expect(allowed).toEqual(["/", "/a/b"]);
  });
});
