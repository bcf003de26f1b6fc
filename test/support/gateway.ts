// What may stand between a client and the service, in Node: an HTTP server that answers a request as its address says, and
// writes down what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What arrived. */
export interface Asked {
  /** Unix ms. */
  at: number;
  method: string;
  /** From `/v1` on, with its query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Gateway {
  origin: string;
  /** What was asked under `/{id}`. */
  asked: (id: string) => Asked[];
  close: () => void;
}

/** /{id that tells tests apart}/{behaviours of the first, second, … request, with commas; the last for all others}/v1/… */
export async function startGateway(): Promise<Gateway> {
  const log = new Map<string, Asked[]>();
  const server = createServer(async (request, response) => {
    const [, id = "", behaviours = "", ...rest] = (request.url ?? "").split("/");
    const asked = log.get(id) ?? [];
    log.set(id, asked);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push({
      at: Date.now(),
      method: request.method ?? "",
      path: `/${rest.join("/")}`,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    });
    const all = behaviours.split(",");
    answer(all[asked.length - 1] ?? all.at(-1) ?? "", request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: (id) => log.get(id) ?? [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const JOB = { job_id: "job-1", endpoint: "scrape", created_at: "2026-11-21T09:00:00.000Z" };
const META = { processing_time_ms: 12, credits_used: 1 };
const ENDED = { ...JOB, completed_at: "2026-11-21T09:00:01.000Z", meta: META };

const CODES: Record<string, string> = { 429: "rate_limited", 500: "internal_error", 503: "unavailable" };

function answer(behaviour: string, request: IncomingMessage, response: ServerResponse): void {
  // 429, or 429-2 with a Retry-After of two seconds.
  const [, status = "", after] = /^(\d{3})(?:-(\w+))?$/.exec(behaviour) ?? [];
  const code = CODES[status];
  if (code !== undefined) {
    const body = { success: false, error: { code, message: "Not now.", retryable: true } };
    return void json(response, Number(status), body, after === undefined ? {} : { "retry-after": toRetryAfter(after) });
  }
  switch (behaviour) {
    case "page-502":
    case "page-503":
      response.writeHead(Number(behaviour.slice(5)), { "content-type": "text/html" });
      return void response.end("<h1>Bad Gateway</h1>");
    case "page-200":
      response.writeHead(200, { "content-type": "text/html" });
      return void response.end("<h1>Welcome to this network</h1>");
    case "reset":
      return void request.socket.destroy();
    case "half":
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"success": true, "data": {');
      return void setImmediate(() => request.socket.destroy());
    case "never":
      return;
    case "result":
      return void json(response, 200, { success: true, data: { text: "It came." }, meta: META, job_id: "job-1" });
    case "accepted":
      return void json(response, 202, {
        success: true,
        job_id: "job-1",
        status: "queued",
        meta: { ...META, credits_reserved: 1 },
      });
    case "queued":
      return void json(response, 200, { success: true, ...JOB, status: "queued" });
    case "completed":
      return void json(response, 200, { success: true, ...ENDED, status: "completed", result: { text: "It came." } });
    case "expired":
      return void json(response, 200, { success: true, ...ENDED, status: "completed", result: null });
    default:
      return void json(response, 404, {});
  }
}

/** Seconds, or a date so many seconds from now. */
function toRetryAfter(after: string): string {
  const seconds = /^date(\d+)$/.exec(after)?.[1];
  return seconds === undefined ? after : new Date(Date.now() + Number(seconds) * 1_000).toUTCString();
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "request-1", ...headers });
  response.end(JSON.stringify(body));
}
