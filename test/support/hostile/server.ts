// A hostile web site, in Node: HTTP and HTTPS on loopback, at `/{anything that tells tests apart}/{behaviour}`.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { html } from "../answers.ts";
import type { Certificate } from "../certificate.ts";
import { listen } from "../loopback.ts";
import { bodies } from "./bodies.ts";
import { characters } from "./characters.ts";
import { moves } from "./moves.ts";
import { hostilePages } from "./pages.ts";
import { types } from "./types.ts";
import type { Behaviours, Visit } from "./visit.ts";
import { wire, writeWire } from "./wire.ts";

export interface HostileSite {
  origin: string;
  /** host:port of both, as ALLOWED_PRIVATE_HOSTS has it. */
  hosts: string[];
  close: () => void;
}

const behaviours: Behaviours = { ...bodies, ...characters, ...moves, ...types, ...wire };

export async function startHostileSite(certificate: Certificate): Promise<HostileSite> {
  const counts = new Map<string, number>();
  /** What a generator wants to be answered, byte by byte. */
  const said = new Map<string, Buffer>();

  const listener: RequestListener = (request, response) => {
    request.on("error", () => {});
    response.on("error", () => {});
    const url = new URL(request.url ?? "/", origins.http);
    const [, id = "", behaviour = ""] = url.pathname.split("/");
    if (request.method === "PUT") return void remember(url.pathname, request, response);
    const answer = said.get(url.pathname);
    if (answer !== undefined) return void writeWire(request.socket, answer);
    const count = (counts.get(url.pathname) ?? 0) + 1;
    counts.set(url.pathname, count);
    const to: Visit["to"] = (next, scheme = "http") => `${origins[scheme]}/${id}/${next}`;
    const visit = { url, request, response, to, count };
    const page = hostilePages[behaviour];
    if (page !== undefined) return void html(response, page(visit));
    const behave = behaviours[behaviour];
    if (behave === undefined) return void response.writeHead(404).end();
    behave(visit);
  };

  async function remember(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    said.set(path, Buffer.concat(chunks));
    response.end();
  }

  // A connection that is kept for the next request, and that we end just then, would fail what isn't meant to fail.
  const kept = { keepAliveTimeout: 0 };
  const servers = [createServer(kept, listener), createSecureServer({ ...certificate, ...kept }, listener)];
  const listening = await Promise.all(
    servers.map((server) => listen(server.on("clientError", (_, socket) => socket.destroy()))),
  );
  const hosts = listening.map(({ port }) => `localhost:${port}`);
  const origins = { http: `http://${hosts[0]}`, https: `https://${hosts[1]}` };
  return {
    origin: origins.http,
    hosts,
    close: () => {
      for (const { close } of listening) close();
    },
  };
}
