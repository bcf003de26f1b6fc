import { describe, expect, it } from "vitest";
import { createClient, page, read } from "../support/client";

interface Encoded {
  declared: string;
  as: string;
  words?: number | "endless";
  cut?: number;
  code?: number;
}

async function scrape(encoded: Encoded) {
  const { scrape } = await createClient();
  const query = new URLSearchParams(Object.entries(encoded).map(([name, value]) => [name, String(value)]));
  return await read(await scrape({ url: `${page("encoded")}?${query}`, formats: ["text"] }));
}

const ENCODINGS: [declared: string, as: string][] = [
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["GZIP", "gzip"],
  ["br", "br"],
  ["deflate", "zlib"],
  ["deflate", "raw"],
  ["zstd", "zstd"],
  ["identity, gzip", "gzip"],
  ["gzip, br", "gzip,br"],
  ["zstd, gzip", "zstd,gzip"],
];

describe.each(ENCODINGS)("a page declared as %s and encoded as %s", (declared, as) => {
  it("is read", async () => {
    const { data } = await scrape({ declared, as, words: 10_000 });
    expect(data.text).toMatch(/^Encoded\n\n(word ){9999}word$/);
  });

  it("is connection_failed when it breaks off", async () => {
    const { error } = await scrape({ declared, as, cut: 6 });
    expect(error.code).toBe("connection_failed");
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ sent a body that isn't (gzip|x-gzip|br|brotli|deflate|zstd)\.$/);
  });

  it("ends at the limit, though it never does itself", async () => {
    const { error } = await scrape({ declared, as, words: "endless" });
    expect(error.code).toBe("target_too_large");
  });
});

it.each(["gzip", "br", "deflate", "zstd"])(
  "a page that isn't the %s it is declared as is connection_failed",
  async (declared) => {
    const { error } = await scrape({ declared, as: "identity" });
    expect(error).toMatchObject({ code: "connection_failed", message: expect.stringContaining("a body that isn't") });
  },
);

it.each(["utf-8", "identity", "none", ""])("an encoding that is none, %j, changes nothing", async (declared) => {
  const { data } = await scrape({ declared, as: "identity" });
  expect(data.text).toContain("word word");
});

it("an error's page may be encoded as well", async () => {
  const { error } = await scrape({ declared: "zstd", as: "zstd", code: 404 });
  expect(error).toMatchObject({ code: "target_http_error", message: expect.stringContaining("404") });
});
