import type { Socket } from "node:net";
import { ARTICLE } from "./article.ts";
import type { Behaviors } from "./visit.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const HTML = "Content-Type: text/html\r\nConnection: close\r\n";

/** Raw responses that no HTTP library would send. */
const rawResponses: Record<string, string> = {
  "not-http": "SSH-2.0-OpenSSH_9.6\r\n",
  "no-status-line": `<html>${ARTICLE}`,
  "status-word": `HTTP/1.1 fine OK\r\n${HTML}\r\n${ARTICLE}`,
  "status-huge": `HTTP/1.1 99999 OK\r\n${HTML}\r\n${ARTICLE}`,
  "status-unknown": `HTTP/1.1 799 What\r\n${HTML}\r\n${ARTICLE}`,
  "version-unknown": `HTTP/7.3 200 OK\r\n${HTML}\r\n${ARTICLE}`,
  "reason-missing": `HTTP/1.1 200\r\n${HTML}\r\n${ARTICLE}`,
  "bare-newlines": `${OK}${HTML}\r\n${ARTICLE}`.replaceAll("\r\n", "\n"),
  "head-cut": `${OK}Content-Ty`,
  "header-huge": `${OK}${HTML}X-Bomb: ${"b".repeat(2_000_000)}\r\n\r\n${ARTICLE}`,
  "headers-many": `${OK}${HTML}${Array.from({ length: 20_000 }, (_, i) => `X-Bomb-${i}: b\r\n`).join("")}\r\n${ARTICLE}`,
  "cookies-many": `${OK}${HTML}${Array.from({ length: 300 }, (_, i) => `Set-Cookie: c${i}=${"c".repeat(100)}\r\n`).join("")}\r\n${ARTICLE}`,
  "header-nul": `${OK}${HTML}X-Nul: a\0b\r\n\r\n${ARTICLE}`,
  "header-no-colon": `${OK}${HTML}what is this\r\n\r\n${ARTICLE}`,
  "header-latin1": `${OK}${HTML}X-Nom: d\xe9j\xe0 vu\r\n\r\n${ARTICLE}`,
  "types-two": `${OK}Content-Type: image/png\r\n${HTML}\r\n${ARTICLE}`,
  "lengths-two": `${OK}${HTML}Content-Length: 5\r\nContent-Length: ${ARTICLE.length}\r\n\r\n${ARTICLE}`,
  "length-negative": `${OK}${HTML}Content-Length: -5\r\n\r\n${ARTICLE}`,
  "length-long": `${OK}${HTML}Content-Length: ${ARTICLE.length + 1_000}\r\n\r\n${ARTICLE}`,
  "length-short": `${OK}${HTML}Content-Length: ${ARTICLE.indexOf("</article>")}\r\n\r\n${ARTICLE}`,
  "length-and-chunks": `${OK}${HTML}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(ARTICLE)}0\r\n\r\n`,
  "chunk-invalid": `${OK}${HTML}Transfer-Encoding: chunked\r\n\r\nwhat\r\n${ARTICLE}\r\n0\r\n\r\n`,
  "chunk-negative": `${OK}${HTML}Transfer-Encoding: chunked\r\n\r\n-1\r\n${ARTICLE}\r\n0\r\n\r\n`,
  "chunk-huge": `${OK}${HTML}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${ARTICLE}\r\n0\r\n\r\n`,
  "chunk-cut": `${OK}${HTML}Transfer-Encoding: chunked\r\n\r\n${chunk(ARTICLE)}`,
  "informed-often": `${"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n".repeat(20)}${OK}${HTML}\r\n${ARTICLE}`,
  "switching-protocols": "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello",
  "locations-two": `HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: article\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n`,
};

export const wire: Behaviors = {
  ...Object.fromEntries(
    Object.entries(rawResponses).map(([name, text]) => [
      name,
      ({ request }) => writeWire(request.socket, Buffer.from(text, "latin1")),
    ]),
  ),
  silent: ({ request }) => void request.socket.end(),
  reset: ({ request }) => void request.socket.resetAndDestroy(),
  "reset-in-body": ({ request }) =>
    void request.socket.write(`${OK}${HTML}Content-Length: 100000\r\n\r\n${ARTICLE}`, () =>
      request.socket.resetAndDestroy(),
    ),
};

/** Sends the bytes and closes the connection. */
export function writeWire(socket: Socket, bytes: Buffer): void {
  socket.on("error", () => {});
  socket.end(bytes);
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
