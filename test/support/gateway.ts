// A stand-in for a gateway between a client and the service. The URL selects each response. Requests are logged.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./loopback.ts";
import { sendJson } from "./responses.ts";

/** A logged request. */
export interface GatewayRequest {
  /** Unix ms. */
  at: number;
  method: string;
  /** The path from `/v1` on, including the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Gateway {
  origin: string;
  /** Returns the requests under `/{id}`, oldest first. */
  requests: (id: string) => GatewayRequest[];
  close: () => void;
}

/**
 * Serves `/{id}/{behaviors}/v1/…`. The id is unique to a test. There is one behavior for each request, separated by
 * commas. The last behavior also applies to later requests.
 */
export async function startGateway(): Promise<Gateway> {
  const log = new Map<string, GatewayRequest[]>();
  const server = createServer(async (request, response) => {
    const [, id = "", behaviors = "", ...rest] = (request.url ?? "").split("/");
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
    const all = behaviors.split(",");
    respond(all[requests.length - 1] ?? all.at(-1) ?? "", request, response);
  });
  return { ...(await listen(server)), requests: (id) => log.get(id) ?? [] };
}

const JOB = { job_id: "job-1", endpoint: "scrape", created_at: "2026-11-21T09:00:00.000Z" };
const META = { processing_time_ms: 12, credits_used: 1 };
const ENDED = { ...JOB, completed_at: "2026-11-21T09:00:01.000Z", meta: META };

const CODES: Record<string, string> = { 429: "rate_limited", 500: "internal_error", 503: "unavailable" };

function respond(behavior: string, request: IncomingMessage, response: ServerResponse): void {
  // `429` responds with only this status. `429-2` adds a Retry-After header of two seconds.
  const [, status = "", after] = /^(\d{3})(?:-(\w+))?$/.exec(behavior) ?? [];
  const code = CODES[status];
  if (code !== undefined) {
    const body = { success: false, error: { code, message: "Not now.", retryable: true } };
    return void respondJson(response, body, {
      status: Number(status),
      headers: after === undefined ? {} : { "retry-after": toRetryAfter(after) },
    });
  }
  switch (behavior) {
    case "page-502":
    case "page-503":
      response.writeHead(Number(behavior.slice(5)), { "content-type": "text/html" });
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
      return void respondJson(response, { success: true, data: { text: "It came." }, meta: META, job_id: "job-1" });
    case "accepted":
      return void respondJson(
        response,
        { success: true, job_id: "job-1", status: "queued", meta: { ...META, credits_reserved: 1 } },
        { status: 202 },
      );
    case "queued":
      return void respondJson(response, { success: true, ...JOB, status: "queued" });
    case "completed":
      return void respondJson(response, { success: true, ...ENDED, status: "completed", result: { text: "It came." } });
    case "expired":
      return void respondJson(response, { success: true, ...ENDED, status: "completed", result: null });
    default:
      return void respondJson(response, {}, { status: 404 });
  }
}

/** Returns the value of Retry-After: seconds, or for `date2` the date two seconds from now. */
function toRetryAfter(after: string): string {
  const seconds = /^date(\d+)$/.exec(after)?.[1];
  return seconds === undefined ? after : new Date(Date.now() + Number(seconds) * 1_000).toUTCString();
}

function respondJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  sendJson(response, body, { status, headers: { "x-request-id": "request-1", ...headers } });
}
