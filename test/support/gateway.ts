// What may stand between a client and the service, in Node: an HTTP server that answers a request as its address says, and
// writes down what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "./answers.ts";
import { listen } from "./loopback.ts";

/** What arrived. */
export interface GatewayRequest {
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
  requests: (id: string) => GatewayRequest[];
  close: () => void;
}

/** /{id that tells tests apart}/{behaviours of the first, second, … request, with commas; the last for all others}/v1/… */
export async function startGateway(): Promise<Gateway> {
  const log = new Map<string, GatewayRequest[]>();
  const server = createServer(async (request, response) => {
    const [, id = "", behaviours = "", ...rest] = (request.url ?? "").split("/");
    const requests = log.get(id) ?? [];
    log.set(id, requests);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({
      at: Date.now(),
      method: request.method ?? "",
      path: `/${rest.join("/")}`,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    });
    const all = behaviours.split(",");
    answer(all[requests.length - 1] ?? all.at(-1) ?? "", request, response);
  });
  return { ...(await listen(server)), requests: (id) => log.get(id) ?? [] };
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
    return void say(response, body, {
      status: Number(status),
      headers: after === undefined ? {} : { "retry-after": toRetryAfter(after) },
    });
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
      return void say(response, { success: true, data: { text: "It came." }, meta: META, job_id: "job-1" });
    case "accepted":
      return void say(
        response,
        { success: true, job_id: "job-1", status: "queued", meta: { ...META, credits_reserved: 1 } },
        { status: 202 },
      );
    case "queued":
      return void say(response, { success: true, ...JOB, status: "queued" });
    case "completed":
      return void say(response, { success: true, ...ENDED, status: "completed", result: { text: "It came." } });
    case "expired":
      return void say(response, { success: true, ...ENDED, status: "completed", result: null });
    default:
      return void say(response, {}, { status: 404 });
  }
}

/** Seconds, or a date so many seconds from now. */
function toRetryAfter(after: string): string {
  const seconds = /^date(\d+)$/.exec(after)?.[1];
  return seconds === undefined ? after : new Date(Date.now() + Number(seconds) * 1_000).toUTCString();
}

function say(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  json(response, body, { status, headers: { "x-request-id": "request-1", ...headers } });
}
