import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { pipeline, Readable, type Transform } from "node:stream";
import {
  constants,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  createZstdCompress,
  gzipSync,
} from "node:zlib";

const ENCODERS: Record<string, () => Transform> = {
  gzip: createGzip,
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zlib: createDeflate,
  raw: createDeflateRaw,
  zstd: createZstdCompress,
};

/**
 * Serves a compressed page. Query parameters: `words` is the number of words, or `endless`. `as` lists the encodings to
 * apply. `declared` is the Content-Encoding header. `cut` is the number of bytes to remove from the end. With
 * `members`, the body has this many empty gzip members and no page.
 */
export async function encoded(query: URLSearchParams, response: ServerResponse): Promise<void> {
  response.writeHead(Number(query.get("code") ?? 200), {
    "content-type": "text/html",
    "content-encoding": query.get("declared") ?? "",
  });
  const words = query.get("words") ?? "80";
  const members = Number(query.get("members") ?? 0);
  if (members > 0) return void response.end(encodeMembers(members, query.get("as") ?? ""));
  const page = Readable.from(words === "endless" ? endless() : [`${BEGINNING}${"word ".repeat(Number(words))}`]);
  const encoders = (query.get("as") ?? "").split(",").flatMap((name) => ENCODERS[name]?.() ?? []);
  const stream = encoders.reduce<Readable>((from, to) => from.pipe(to), page);
  if (words === "endless") return void pipeline(stream, response, () => {});
  const body = Buffer.concat(await stream.map((chunk) => Buffer.from(chunk)).toArray());
  response.end(body.subarray(0, body.length - Number(query.get("cut") ?? 0)));
}

function encodeMembers(count: number, as: string): Buffer {
  const members = Buffer.concat(Array<Buffer>(count).fill(gzipSync("")));
  return as.split(",").reduce((body) => gzipSync(body), members);
}

const BEGINNING = "<article><h1>Encoded</h1><p>";

function* endless(): Generator<string> {
  yield BEGINNING;
  // Random bytes keep the encoder from buffering the whole text.
  for (;;) yield `${randomBytes(1_000).toString("hex")} ${"word ".repeat(20_000)}`;
}
