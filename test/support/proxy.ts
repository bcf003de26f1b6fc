// A forward proxy for CONNECT and absolute-form requests on loopback, over TCP and TLS. The user name selects the
// behavior: `{behavior}-{id}`, where the id is unique to a test. The password is "secret". With `{behavior}-{country}-{id}`,
// the proxy connects from the country's address in shop.ts.
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Certificate } from "./certificate.ts";
import { listen } from "./loopback.ts";
import { ADDRESSES } from "./shop.ts";

/**
 * The log of one user: the request lines with their headers, and the current and the largest number of open
 * connections.
 */
export interface ProxyLog {
  requests: { line: string; headers: Record<string, string> }[];
  open: number;
  mostOpen: number;
}

export interface ProxyServer {
  /** host:port of the proxy without TLS. */
  host: string;
  /** host:port of the proxy that expects TLS. */
  secureHost: string;
  log: (user: string) => ProxyLog;
  close: () => void;
}

/**
 * The behavior for a user, and the address from which the proxy connects. If it is undefined, the system chooses the
 * address.
 */
interface User {
  behavior: string;
  localAddress: string | undefined;
}

// This limit is high, because test URLs contain the bytes of the target's response.
const MAX_HEADER_BYTES = 1024 * 1024;

export async function startProxy(certificate: Certificate): Promise<ProxyServer> {
  const logs = new Map<string, ProxyLog>();
  const sockets = new Set<Duplex>();

  function logOf(user: string): ProxyLog {
    const log = logs.get(user) ?? { requests: [], open: 0, mostOpen: 0 };
    logs.set(user, log);
    return log;
  }

  /**
   * Checks the credentials and logs the request. Returns the parts of the user's name, or undefined if the password is
   * wrong.
   */
  function logIn(request: IncomingMessage): User | undefined {
    const [, encoded = ""] = /^Basic (.+)$/.exec(request.headers["proxy-authorization"] ?? "") ?? [];
    const [user = "", password] = Buffer.from(encoded, "base64").toString().split(":");
    if (password !== "secret") {
      request.socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
      return undefined;
    }
    const log = logOf(user);
    log.requests.push({ line: `${request.method} ${request.url}`, headers: request.headers as Record<string, string> });
    log.mostOpen = Math.max(log.mostOpen, ++log.open);
    request.socket.once("close", () => log.open--);
    const [behavior = "", country = ""] = user.split("-");
    return { behavior, localAddress: ADDRESSES[country] };
  }

  const onRequest: RequestListener = (request, response) => {
    const user = logIn(request);
    if (user === undefined) return;
    const url = new URL(request.url ?? "");
    switch (user.behavior) {
      case "wire":
        return void sendWire(request.socket, url);
      case "hang":
        return;
      case "garbage":
        return void request.socket.end("SSH-2.0-OpenSSH_9.6\r\n");
      case "dies":
        return void request.socket.destroy();
      default:
        return void forwardRequest(url, request, response, user);
    }
  };

  const onConnect = (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("end", () => socket.end());
    const user = logIn(request);
    if (user === undefined) return;
    const [, status] = /^status(\d+)$/.exec(user.behavior) ?? [];
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} Status\r\n\r\n`);
    switch (user.behavior) {
      case "hang":
        return void socket.resume();
      case "garbage":
        return void socket.end("SSH-2.0-OpenSSH_9.6\r\n");
      case "chatty":
        return void socket.write("HTTP/1.1 200 OK\r\n\r\nWelcome to our proxy!");
      case "dies":
        return void socket.end("HTTP/1.1 200 OK\r\n\r\n");
      case "mute":
        return void socket.end();
      case "stalls":
        return void socket.resume().write("HTTP/1.1 200 OK\r\n\r\n");
      case "slow":
        return void inPieces(socket, Buffer.from("HTTP/1.1 200 OK\r\nVia: 1.1 slow\r\n\r\n"), 1).then(() =>
          tunnel(request, socket, user),
        );
      default:
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        tunnel(request, socket, user);
    }
  };

  const servers: Server[] = [
    createServer({ maxHeaderSize: MAX_HEADER_BYTES }, onRequest),
    createSecureServer(certificate, onRequest),
  ];
  const [plain, secure] = await Promise.all(servers.map((server) => listen(server.on("connect", onConnect))));
  return {
    host: `localhost:${plain?.port}`,
    secureHost: `localhost:${secure?.port}`,
    log: logOf,
    close: () => {
      // The HTTP server doesn't close connections that CONNECT turned into tunnels.
      for (const socket of sockets) socket.destroy();
      for (const server of [plain, secure]) server?.close();
    },
  };
}

function tunnel(request: IncomingMessage, socket: Duplex, { localAddress }: User): void {
  const { hostname, port } = new URL(`http://${request.url}`);
  // Connects .example names to loopback. Tests of TLS failures use these names, because the server's certificate
  // doesn't match them.
  const host = hostname.endsWith(".example") ? "127.0.0.1" : hostname;
  const target = connect({ port: Number(port), host, ...(localAddress !== undefined && { localAddress }) });
  target.setNoDelay(true);
  target.on("error", () => socket.destroy());
  target.on("close", () => socket.destroy());
  socket.on("close", () => target.destroy());
  socket.pipe(target).pipe(socket);
}

/** Replaces the host of the URL with 127.0.0.1, so that no request leaves the machine. */
function toLoopback(url: URL): URL {
  const target = new URL(url);
  if (!/^[\d.]+$|^\[/.test(target.hostname)) target.hostname = "127.0.0.1";
  return target;
}

function forwardRequest(url: URL, request: IncomingMessage, response: ServerResponse, { localAddress }: User): void {
  const { "proxy-authorization": _, ...headers } = request.headers;
  const onward = forward(
    toLoopback(url).href,
    { method: request.method ?? "GET", headers, ...(localAddress !== undefined && { localAddress }) },
    (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
      incoming.pipe(response);
      // If the target closes the connection early, the proxy must also close the client's connection.
      incoming.on("error", () => request.socket.destroy());
    },
  );
  onward.on("error", () => request.socket.destroy());
  request.socket.on("close", () => onward.destroy());
  request.pipe(onward);
}

/**
 * Sends the bytes in the URL's path (base64url), `?piece=` bytes at a time. Then closes the connection, unless `?hold`
 * is set.
 */
async function sendWire(socket: Socket, url: URL): Promise<void> {
  const bytes = Buffer.from(url.pathname.slice(1), "base64url");
  await inPieces(socket, bytes, Number(url.searchParams.get("piece") ?? bytes.length));
  if (!url.searchParams.has("hold")) socket.end();
}

async function inPieces(socket: Duplex, bytes: Buffer, size: number): Promise<void> {
  if ("setNoDelay" in socket) (socket as Socket).setNoDelay(true);
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise<void>((sent) => socket.write(bytes.subarray(at, at + size), () => setImmediate(sent)));
  }
}
