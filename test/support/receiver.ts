// A webhook receiver over HTTPS on loopback. The path selects its behavior. It logs all requests.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { Certificate } from "./certificate.ts";
import { listen } from "./loopback.ts";
import { readBody } from "./read-body.ts";

/** A logged request. */
export interface Post {
  /** Unix ms. */
  at: number;
  method: string;
  headers: Record<string, string>;
  /** The raw body in base64. */
  body: string;
}

export interface Receiver {
  origin: string;
  /** host:port in the format of ALLOWED_PRIVATE_HOSTS. */
  host: string;
  /** host:port of the same server under another host. */
  otherHost: string;
  posts: (path: string) => Post[];
  close: () => void;
}

export async function startReceiver({ key, cert }: Certificate): Promise<Receiver> {
  const log = new Map<string, Post[]>();
  const server = createServer({ key, cert }, async (request, response) => {
    const url = new URL(request.url ?? "/", "https://receiver");
    const body = await readBody(request);
    if (body === null) return;
    const posts = log.get(url.pathname) ?? [];
    log.set(url.pathname, posts);
    posts.push({
      at: Date.now(),
      method: request.method ?? "",
      headers: request.headers as Record<string, string>,
      body: body.toString("base64"),
    });
    respond(url, posts.length, request, response);
  });
  const { port, close } = await listen(server);
  const host = `localhost:${port}`;
  return {
    origin: `https://${host}`,
    host,
    otherHost: `127.0.0.1:${port}`,
    posts: (path) => log.get(path) ?? [],
    close,
  };
}

/** Responds with the behavior in the path `/{id}/{behavior}`. The id is unique to a test. */
function respond(url: URL, count: number, request: IncomingMessage, response: ServerResponse): void {
  const [, , behavior = ""] = url.pathname.split("/");
  switch (behavior) {
    case "ok":
      return void response.writeHead(204).end();
    case "fail":
      response.writeHead(count <= Number(url.searchParams.get("times") ?? Infinity) ? 500 : 200);
      return void response.end(`response ${count}`);
    case "redirect":
      return void response.writeHead(301, { location: url.pathname.replace("redirect", "ok") }).end();
    case "gone":
      return void response.writeHead(410).end();
    case "hangup":
      return void request.socket.destroy();
    case "never":
      return;
    case "drip-head": {
      // Sends a byte every 2 seconds, so that the status line isn't complete before the timeout.
      const bytes = [..."HTTP/1.1 200 OK\r\n\r\n"];
      const timer = setInterval(() => {
        const byte = bytes.shift();
        if (byte === undefined || request.socket.destroyed) clearInterval(timer);
        else request.socket.write(byte);
      }, 2_000);
      return;
    }
    case "drip-body": {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 200);
      response.on("close", () => clearInterval(timer));
      return;
    }
    case "binary":
      return void response.writeHead(200).end(Buffer.alloc(4_096, 0xff));
    case "echo-head":
      response.writeHead(
        201,
        "Made",
        [
          ["X-Seen", request.headers["x-sent"] ?? "nothing"],
          ["Set-Cookie", "a=1"],
          ["Set-Cookie", "b=2"],
        ].flat(),
      );
      return void response.end(`${request.method} ${request.url}`);
    case "large":
      return void response.writeHead(200).end(Buffer.alloc(Number(url.searchParams.get("bytes")), "0123456789abcdef"));
    case "endless": {
      response.writeHead(200);
      const chunk = "0123456789abcdef".repeat(4_096);
      const pump = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", pump);
      };
      pump();
      return;
    }
    default:
      return void response.writeHead(404).end();
  }
}
