import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decode } from "../../src/net/content-encoding";
import { readBody } from "../../src/net/response";
import { createClient, page, read } from "../support/client";

interface Encoded {
  declared: string;
  as: string;
  words?: number | "endless";
  cut?: number;
  code?: number;
  members?: number;
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
  ["gzip, gzip", "gzip,gzip"],
];

describe.each(ENCODINGS)("a page declared as %s and encoded as %s", (declared, as) => {
  it("is read", async () => {
    const { data } = await scrape({ declared, as, words: 10_000 });
    expect(data.text).toMatch(/^Encoded\n\n(word ){9999}word$/);
  });

  it("is connection_failed when it is cut off", async () => {
    const { error } = await scrape({ declared, as, cut: 6 });
    expect(error.code).toBe("connection_failed");
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ sent a body that isn't (gzip|x-gzip|br|brotli|deflate|zstd)\.$/);
  });

  it("is target_too_large when it is endless", async () => {
    const { error } = await scrape({ declared, as, words: "endless" });
    expect(error.code).toBe("target_too_large");
  });
});

it.each(["gzip", "br", "deflate", "zstd"])(
  "a page that is declared as %s but isn't encoded is connection_failed",
  async (declared) => {
    const { error } = await scrape({ declared, as: "identity" });
    expect(error).toMatchObject({ code: "connection_failed", message: expect.stringContaining("a body that isn't") });
  },
);

it.each(["utf-8", "identity", "none", ""])("the unknown encoding %j is ignored", async (declared) => {
  const { data } = await scrape({ declared, as: "identity" });
  expect(data.text).toContain("word word");
});

it("the body of an error status may be encoded", async () => {
  const { error } = await scrape({ declared: "zstd", as: "zstd", code: 404 });
  expect(error).toMatchObject({ code: "target_http_error", message: expect.stringContaining("404") });
});

describe("a compression bomb", () => {
  const MEGABYTE = 1024 * 1024;

  it.each([
    ["gzip, gzip, gzip", "gzip,gzip,gzip", 3],
    ["br, identity, gzip, zstd, br", "br,gzip,zstd,br", 4],
  ])("with too many encodings is unsupported_content: %s", async (declared, as, count) => {
    const { error } = await scrape({ declared, as, words: 80 });
    expect(error).toMatchObject({
      code: "unsupported_content",
      message: `The page has ${count} content encodings. At most 2 are supported.`,
    });
  });

  it("is target_too_large if one layer is too large, even if it decodes to nothing", async () => {
    const { error } = await scrape({ declared: "gzip, gzip", as: "gzip", members: 500_000 });
    expect(error).toMatchObject({
      code: "target_too_large",
      message: "The decompressed page exceeds 5242880 bytes.",
    });
  });

  it("is only decoded up to the limit of a layer", async () => {
    let decoded = 0;
    const bomb = gzipSync(gzipSync(Buffer.alloc(20 * MEGABYTE)));
    const layers = decode(toBody(bomb), ["gzip", "gzip"], 1_000);
    const reading = (async () => {
      for await (const { byteLength } of layers) decoded += byteLength;
    })();
    await expect(reading).rejects.toMatchObject({ code: "target_too_large" });
    expect(decoded).toBeLessThan(MEGABYTE);
  });

  it("doesn't block other work in the isolate", async () => {
    let tasks = 0;
    let isDone = false;
    const others = (async () => {
      for (; !isDone; tasks++) await new Promise((resolve) => setTimeout(resolve));
    })();
    for await (const _ of decode(toBody(gzipSync(Buffer.alloc(20 * MEGABYTE))), ["gzip"]));
    isDone = true;
    const meanwhile = tasks;
    await others;
    expect(meanwhile).toBeGreaterThanOrEqual(10);
  });

  it("is canceled at the reader's limit", async () => {
    let pulled = 0;
    let isCanceled = false;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled += 1_000;
          controller.enqueue(new Uint8Array(1_000));
        },
        cancel: () => {
          isCanceled = true;
        },
      },
      { highWaterMark: 0 },
    );
    await expect(readBody(new Response(endless), 10_000)).rejects.toMatchObject({ code: "target_too_large" });
    expect([pulled, isCanceled]).toEqual([11_000, true]);
  });
});

function toBody(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream();
}
