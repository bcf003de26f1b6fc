// Stands in for the public test addresses of `npm run deploy -- --verify`.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { generate } from "selfsigned";
import type { Targets } from "../../scripts/deploy/verify/targets.ts";
import { freePort } from "../../scripts/free-port.ts";
import type { Certificate } from "./certificate.ts";
import { listen } from "./loopback.ts";
import { makePdf } from "./pdf.ts";
import { readBody } from "./read-body.ts";

export interface VerificationSite {
  /** The targets on loopback. Names that don't exist and private addresses have their default targets. */
  targets: Partial<Targets>;
  /** The host:port of the targets, for ALLOWED_PRIVATE_HOSTS. */
  hosts: string[];
  close: () => void;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Starts the site. `certificate` is a trusted certificate for localhost. */
export async function startVerificationSite(certificate: Certificate): Promise<VerificationSite> {
  const site = await listen(createServer((request, response) => void answer(request, response)));
  const secure = createSecureServer(certificate, (request, response) => void answer(request, response));
  const receiver = await listen(secure);
  const old = await generate([{ name: "commonName", value: "localhost" }], {
    keySize: 2048,
    algorithm: "sha256",
    notBeforeDate: new Date(Date.now() - 2 * DAY_MS),
    notAfterDate: new Date(Date.now() - DAY_MS),
  });
  const expired = await listen(
    createSecureServer({ key: old.private, cert: old.cert }, (_, response) => response.end()),
  );
  const refused = `127.0.0.1:${await freePort()}`;
  return {
    targets: {
      refused_port: `http://${refused}/`,
      expired_certificate: `https://localhost:${expired.port}/`,
      changing_document: `${site.origin}/changing.pdf`,
      pdf: `${site.origin}/long.pdf`,
      pages: `${site.origin}/base64/`,
      headers: `${site.origin}/headers`,
      receiver: `https://localhost:${receiver.port}/anything`,
    },
    hosts: [new URL(site.origin).host, `localhost:${receiver.port}`, `localhost:${expired.port}`, refused],
    close: () => {
      for (const server of [site, receiver, expired]) server.close();
    },
  };
}

let requests = 0;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://site");
  const body = await readBody(request);
  const send = (type: string, content: string | Uint8Array) =>
    response.writeHead(200, { "content-type": type }).end(content);
  if (pathname.startsWith("/base64/")) {
    return void send("text/html; charset=utf-8", Buffer.from(pathname.slice("/base64/".length), "base64url"));
  }
  if (pathname === "/changing.pdf") return void send("application/pdf", toPdf([`Request ${++requests}`]));
  if (pathname === "/long.pdf")
    return void send("application/pdf", toPdf(Array<string>(40).fill("The harbor is open from six to nine.")));
  if (pathname === "/headers") return void send("application/json", toJson({ headers: request.headers }));
  if (pathname === "/anything") {
    return void send(
      "application/json",
      toJson({ args: {}, data: body?.toString() ?? "", headers: sort(request.headers) }),
    );
  }
  response.writeHead(404).end();
}

function toPdf(lines: string[]): Uint8Array {
  return makePdf([lines.map((text, i) => ({ text, y: 750 - 15 * i }))]);
}

/** Sorts the headers by name, as httpbin does. */
function sort(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).toSorted(([a], [b]) => a.localeCompare(b)));
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
