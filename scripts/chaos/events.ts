import { createHmac } from "node:crypto";
import type { Post } from "../../test/support/receiver.ts";
import type { JobRow } from "./state.ts";
import { broken, type Violation } from "./violation.ts";

/**
 * What is wrong with an event that arrived for this job: it says how the job ended, signed with the account's secret.
 */
export function checkEvent({ headers, body }: Post, job: JobRow, secret: string): Violation[] {
  const bytes = Buffer.from(body, "base64");
  const found: Violation[] = [];
  const signature = `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`;
  if (headers["x-webhook-signature"] !== signature) {
    found.push(broken("a push is signed", job.id, headers["x-webhook-signature"] ?? "It has no signature."));
  }
  const said = readEvent(bytes);
  const wanted = { event: `job.${job.status}`, job_id: job.id, status: job.status };
  if (JSON.stringify(said) !== JSON.stringify(wanted)) {
    found.push(broken("a push says how its job ended", job.id, `${JSON.stringify(said)}, not ${job.status}.`));
  }
  return found;
}

/** Null: it isn't an event at all. */
function readEvent(bytes: Buffer): { event: unknown; job_id: unknown; status: unknown } | null {
  try {
    const { event, job_id, status } = JSON.parse(bytes.toString("utf8"));
    return { event, job_id, status };
  } catch {
    return null;
  }
}
