// Checks that an asynchronous job ends, and that its webhook arrives with a valid signature.
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { toFailure } from "./content.ts";
import type { Context } from "./context.ts";
import { formatMs, type Result } from "./result.ts";
import type { Service } from "./service.ts";

const DELIVERY_TIMEOUT_MS = 45_000;
/** The maximum difference between the time of the attempt and the signed time. */
const MAX_SKEW_S = 5;

export interface Delivery {
  id: string;
  attempts: {
    at: string;
    status_code: number | null;
    error: string | null;
    response: string | null;
    duration_ms: number | null;
  }[];
}

/** Runs a job whose result is sent to the receiver, and then sends a test event. */
export async function checkWebhooks({ service, targets }: Context): Promise<Result[]> {
  const job = { name: "asynchronous job", expected: "completed" };
  const startedAt = performance.now();
  const request = { url: targets.headers, formats: ["text"], webhook_url: targets.receiver };
  const { status, json, text } = await service.call("POST", "/v1/scrape", request);
  const id = json?.job_id;
  if (id === undefined) {
    const observed = `status ${status}: ${text.slice(0, 200)}`;
    const action = "The service refused the job. The message names the reason.";
    return [{ ...job, observed, status: "failed", action }];
  }
  const outcome = await service.waitForJob(id, startedAt);
  const ended: Result =
    outcome.kind === "completed"
      ? { ...job, observed: `completed, ${formatMs(outcome.ms)}`, status: "ok" }
      : toFailure(job, outcome);
  if (outcome.kind === "unfinished") return [ended];
  const delivery = await waitForAttempt(service, `job_id=${id}`, () => true);
  return [ended, toDeliveryResult(delivery), await checkSignature(service, targets.receiver)];
}

function toDeliveryResult(delivery: Delivery | null): Result {
  const base = { name: "webhook delivery", expected: "received with a 2xx status" };
  const attempt = delivery?.attempts[0];
  if (attempt === undefined) {
    const action =
      "The queue for webhooks isn't consumed. Check the consumers of the queues in Cloudflare's dashboard.";
    return { ...base, observed: "no attempt", status: "failed", action };
  }
  const { status_code: code, error, duration_ms: ms } = attempt;
  if (code !== null && code >= 200 && code < 300)
    return { ...base, observed: `status ${code}, ${formatMs(ms ?? 0)}`, status: "ok" };
  return {
    ...base,
    observed: error ?? `status ${code}`,
    // The receiver responded, so the service can send webhooks.
    status: code === null ? "failed" : "unclear",
    action:
      "Repeat the verification with your own receiver: --receiver https://… must answer POST requests with a 2xx status.",
  };
}

/** Sends a test event. Verifies its signature if the receiver answers with the request's body and headers. */
async function checkSignature(service: Service, receiver: string): Promise<Result> {
  const base = { name: "webhook signature", expected: "verified" };
  const { secret } = await service.read<{ secret: string }>("PUT", "/v1/webhooks", { url: receiver });
  try {
    const { id } = await service.read<{ id: string }>("POST", "/v1/webhooks/test");
    const delivery = await waitForAttempt(service, "limit=20", (found) => found.id === id);
    const verified = delivery === null ? null : verifyEcho(delivery, secret);
    if (verified === null) {
      const observed = "unknown, because the receiver doesn't return the request";
      return { ...base, observed, status: "unclear", action: "Verify the signature in your own receiver." };
    }
    const action = "Check ENCRYPTION_KEY: if it was changed, rotate the webhook secrets. Otherwise report this.";
    return { ...base, observed: verified ? "verified" : "not valid", status: verified ? "ok" : "failed", action };
  } finally {
    await service.call("PUT", "/v1/webhooks", { url: null });
  }
}

/**
 * Verifies the signature in the receiver's answer, which has the request's body and headers in httpbin's format. The
 * service stores only the answer's first kilobyte. Returns null if the body or the signature isn't in it.
 */
export function verifyEcho({ id, attempts }: Delivery, secret: string): boolean | null {
  const { at, response } = attempts[0] ?? {};
  const body = /"data":\s*("(?:[^"\\]|\\.)*")/.exec(response ?? "")?.[1];
  const header = (name: string) => new RegExp(`"${name}":\\s*"([^"]*)"`, "i").exec(response ?? "")?.[1];
  const signature = header("webhook-signature");
  if (at === undefined || body === undefined || signature === undefined) return null;
  const second = Math.round(Date.parse(at) / 1_000);
  // httpbin sorts the headers, so the time is behind the signature and may not be in the first kilobyte.
  const given = header("webhook-timestamp");
  const times = given === undefined ? range(second - MAX_SKEW_S, second + MAX_SKEW_S) : [Number(given)];
  return times.some((time) => isSigned(secret, JSON.parse(body) as string, { id, signature, time }));
}

function isSigned(
  secret: string,
  body: string,
  { id, signature, time }: { id: string; signature: string; time: number },
) {
  const headers = { "webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": signature };
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Waits until a delivery has an attempt. Returns the last state after the timeout, or null if there is no delivery. */
async function waitForAttempt(
  service: Service,
  query: string,
  matches: (delivery: Delivery) => boolean,
): Promise<Delivery | null> {
  const deadline = performance.now() + DELIVERY_TIMEOUT_MS;
  for (;;) {
    const found = (await service.read<Delivery[]>("GET", `/v1/webhooks/deliveries?${query}`)).find(matches);
    if ((found !== undefined && found.attempts.length > 0) || performance.now() > deadline) return found ?? null;
    await sleep(500);
  }
}
