import { createHmac } from "node:crypto";
import type { Post } from "../../test/support/receiver.ts";
import type { JobRow } from "./state.ts";
import { broken, type Violation } from "./violation.ts";

/** Checks an event that the receiver got: it must have the job's status and be signed with the account's secret. */
export function checkEvent({ headers, body }: Post, job: JobRow, secret: string): Violation[] {
  const bytes = Buffer.from(body, "base64");
  const found: Violation[] = [];
  const signature = `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`;
  if (headers["x-webhook-signature"] !== signature) {
    found.push(broken("an event is signed", job.id, headers["x-webhook-signature"] ?? "The event has no signature."));
  }
  const event = readEvent(bytes);
  const expected = { event: `job.${job.status}`, job_id: job.id, status: job.status };
  if (JSON.stringify(event) !== JSON.stringify(expected)) {
    const detail = `The event has ${JSON.stringify(event)}, but the job is ${job.status}.`;
    found.push(broken("an event describes its job", job.id, detail));
  }
  return found;
}

/** Parses the body of an event. Returns null if it isn't valid JSON. */
function readEvent(bytes: Buffer): { event: unknown; job_id: unknown; status: unknown } | null {
  try {
    const { event, job_id, status } = JSON.parse(bytes.toString("utf8"));
    return { event, job_id, status };
  } catch {
    return null;
  }
}
