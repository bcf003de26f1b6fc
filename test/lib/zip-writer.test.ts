import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Zip } from "../../src/documents/zip";
import { ZipWriter } from "../../src/lib/zip-writer";

function write(files: readonly [name: string, content: Uint8Array][]): Uint8Array {
  const zip = new ZipWriter(Date.UTC(2026, 0, 2, 3, 4, 6));
  const parts: Uint8Array[] = [];
  for (const [name, content] of files) parts.push(...zip.add(name, content));
  parts.push(...zip.end());
  return new Uint8Array(Buffer.concat(parts));
}

async function read(zip: Zip, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.read(name)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

describe("ZipWriter", () => {
  it("writes files that a reader of zip files finds unchanged", async () => {
    const names = fc.stringMatching(/^[\p{L}\p{N}._-]{1,40}$/u);
    const files = fc.uniqueArray(fc.tuple(names, fc.uint8Array({ maxLength: 5_000 })), {
      selector: ([name]) => name,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const zip = new Zip(write(given));
        for (const [name, content] of given) expect(await read(zip, name)).toEqual(content);
      }),
      { numRuns: 50 },
    );
  });

  it("writes a valid file without entries", () => {
    expect(new Zip(write([])).find(/./)).toBeNull();
  });

  it("says whether a file still fits", () => {
    const zip = new ZipWriter(0);
    expect([zip.hasRoomFor(1_000_000), zip.hasRoomFor(4_294_967_295)]).toEqual([true, false]);
  });
});
