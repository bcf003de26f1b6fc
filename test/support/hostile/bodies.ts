import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { ARTICLE, WORDS } from "./article.ts";
import type { Behaviors, Visit } from "./visit.ts";

const encoders: Record<string, (body: Uint8Array) => Uint8Array> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  "deflate-raw": zlib.deflateRawSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
};
const HTML = { "content-type": "text/html; charset=utf-8" };
const MEGABYTE = Buffer.alloc(1024 * 1024, " ");

/** Serves compressed, endless and slow bodies, and pages that overload a parser. */
export const bodies: Behaviors = {
  article: ({ response }) => void response.writeHead(200, HTML).end(ARTICLE),
  encoded: (visit) => sendEncoded(visit, (body) => body),
  "encoded-cut": (visit) => sendEncoded(visit, (body) => body.subarray(0, body.length / 2)),
  "encoded-not": ({ url, response }) =>
    void response.writeHead(200, { ...HTML, "content-encoding": url.searchParams.get("encoding") ?? "" }).end(ARTICLE),
  "encoded-empty": ({ response }) => void response.writeHead(200, { ...HTML, "content-encoding": "gzip" }).end(),
  bomb: ({ url, response }) => {
    const encoding = url.searchParams.get("encoding") === "br" ? "br" : "gzip";
    const encoder =
      encoding === "br"
        ? zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })
        : zlib.createGzip();
    response.writeHead(200, { ...HTML, "content-encoding": encoding });
    pipeline(Readable.from(forever(MEGABYTE)), encoder, response).catch(() => {}); // The client closed the connection.
  },
  endless: ({ response }) => {
    response.writeHead(200, HTML);
    pipeline(Readable.from(forever(MEGABYTE)), response).catch(() => {});
  },
  declared: ({ response }) => {
    response.writeHead(200, { ...HTML, "content-length": String(2 ** 40) });
    response.write(ARTICLE);
  },
  "slow-head": ({ request }) => drip(request.socket, `HTTP/1.1 200 OK\r\nx-slow: ${"1".repeat(1_000)}`),
  "slow-body": ({ response }) => {
    response.writeHead(200, HTML);
    drip(response, `<p>${WORDS}</p>${" ".repeat(1_000)}`);
  },
  never: () => {},
  empty: ({ response }) => void response.writeHead(200, HTML).end(),
  blank: ({ response }) => void response.writeHead(200, HTML).end(" \n\t\r\n "),
  nested: ({ url, response }) =>
    void response.writeHead(200, HTML).end(`${"<div>".repeat(Number(url.searchParams.get("deep")))}<p>${WORDS}</p>`),
  "nested-tables": ({ response }) =>
    void response.writeHead(200, HTML).end(`${"<table><tr><td>".repeat(20_000)}<p>${WORDS}</p>`),
  enormous: ({ url, response }) =>
    void response
      .writeHead(200, HTML)
      .end(`<article><p>${WORDS}</p></article>${"<i>x</i>".repeat(Number(url.searchParams.get("wide")))}`),
  attribute: ({ response }) =>
    void response.writeHead(200, HTML).end(`<p title="${"a ".repeat(2 ** 21)}" ${"b ".repeat(10_000)}>${WORDS}</p>`),
  unclosed: ({ response }) =>
    void response.writeHead(200, HTML).end(`<p>${WORDS}</p>${"<!--<a href='".repeat(50_000)}`),
  "script-heavy": ({ response }) =>
    void response
      .writeHead(200, HTML)
      .end(
        `<script>${"var a = '<p>x</p>';".repeat(100_000)}</script><svg>${"<g>".repeat(100_000)}</svg><p>${WORDS}</p>`,
      ),
  zeros: ({ response }) => void response.writeHead(200, HTML).end(`<p>${WORDS}</p>${"\0".repeat(100_000)}`),
  bytes: ({ response }) => {
    const noise = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * i * 31 + i * 7) % 256));
    response.writeHead(200, HTML).end(noise);
  },
};

function sendEncoded({ url, response }: Visit, change: (body: Uint8Array) => Uint8Array): void {
  const names = (url.searchParams.get("encoding") ?? "").split(",");
  const body = names.reduce<Uint8Array>((coded, name) => encoders[name]?.(coded) ?? coded, Buffer.from(ARTICLE));
  response.writeHead(200, { ...HTML, "content-encoding": names.join(", ").replace("-raw", "") }).end(change(body));
}

function* forever(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk;
}

/** Sends one character every 200 ms, so that no idle timeout fires. */
function drip(to: NodeJS.WritableStream & { destroyed?: boolean }, text: string): void {
  const characters = [...text];
  const timer = setInterval(() => {
    const next = characters.shift();
    if (next === undefined || to.destroyed) clearInterval(timer);
    else to.write(next);
  }, 200);
}
