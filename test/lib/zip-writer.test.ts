import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Zip } from "../../src/documents/zip";
import { ZipWriter } from "../../src/lib/zip-writer";

async function write(files: readonly [name: string, content: Uint8Array][]): Promise<Uint8Array> {
  const zip = new ZipWriter(Date.UTC(2026, 0, 2, 3, 4, 6));
  const parts: Uint8Array[] = [];
  for (const [name, content] of files) parts.push(await zip.add(name, content));
  parts.push(zip.end());
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
        const zip = new Zip(await write(given));
        for (const [name, content] of given) expect(await read(zip, name)).toEqual(content);
      }),
      { numRuns: 50 },
    );
  });

  it("writes the time of the files, their checksums and UTF-8 names", async () => {
    const view = new DataView((await write([["é.md", new TextEncoder().encode("123456789")]])).buffer);
    expect(view.getUint16(6, true)).toBe(0x800);
    expect(view.getUint16(10, true)).toBe((3 << 11) | (4 << 5) | 3);
    expect(view.getUint16(12, true)).toBe((46 << 9) | (1 << 5) | 2);
    // The expected checksum of CRC-32.
    expect(view.getUint32(14, true)).toBe(0xcbf43926);
  });

  it("writes a valid file without entries", async () => {
    expect(new Zip(await write([])).find(/./)).toBeNull();
  });

  it("says whether a file still fits", () => {
    const zip = new ZipWriter(0);
    expect([zip.hasRoomFor(1_000_000), zip.hasRoomFor(4_294_967_295)]).toEqual([true, false]);
  });
});
