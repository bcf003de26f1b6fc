import { z } from "@hono/zod-openapi";
import { consumeSummaries } from "./directory/summaries";
import { consumeUsageAlerts } from "./directory/usage-alerts";
import { consumeDeadJobs, consumeJobs, consumeRenders } from "./jobs/consumer";
import { log } from "./lib/log";
import { JURISDICTIONS } from "./model/account";
import { MODES } from "./model/api-key";
import type { AttemptRef, DeliveryMessage, WebhookAlertMessage } from "./model/delivery";
import type { JobMessage, JobRef } from "./model/job";
import type { UsageAlertMessage } from "./model/period";
import type { SummaryMessage } from "./model/summary";
import { requireRegion } from "./store/namespaces";
import { consumeAlerts } from "./webhooks/alert-email";
import { consumeDeliveries } from "./webhooks/consumer";

type QueueMessage = JobMessage | DeliveryMessage | WebhookAlertMessage | SummaryMessage | UsageAlertMessage;
type Kind = QueueMessage["kind"];

/** The names of dead-letter queues end with this suffix. */
const DEAD_SUFFIX = "-dead";
const RENDERS_SUFFIX = "-renders";

const account = z.object({
  id: z.string(),
  tag: z.string(),
  object: z.string(),
  jurisdiction: z.enum(JURISDICTIONS).nullable(),
});
const ref = z.object({ account, mode: z.enum(MODES) });

/** The bodies of messages by kind. A message can have more members, because a later version could have sent it. */
const BODIES = {
  job: ref.extend({ job: z.string() }),
  delivery: ref.extend({ delivery: z.string(), round: z.number(), attempt: z.number() }),
  webhook_alert: ref.extend({ endpoint: z.string() }),
  account: z.object({
    accountId: z.string(),
    balance: z.number(),
    reserved: z.number(),
    granted: z.number(),
    used: z.number(),
    queued: z.number(),
    processing: z.number(),
    lastJobAt: z.number().nullable(),
    nextDueAt: z.number().nullable(),
    at: z.number(),
    waiting: z.number(),
    browserWaits: z.number(),
    queuedSince: z.number().nullable(),
    periods: z.array(z.object({ start: z.number(), counts: z.record(z.string(), z.number()) })),
  }),
  key_used: z.object({ keyId: z.string(), at: z.number() }),
  usage_alert: z.object({
    accountId: z.string(),
    threshold: z.union([z.literal(80), z.literal(100)]),
    keyId: z.string().nullable(),
    used: z.number(),
    limit: z.number(),
    period: z.object({ start: z.number(), end: z.number() }),
    at: z.number(),
  }),
} satisfies { [K in Kind]: z.ZodType<Omit<Extract<QueueMessage, { kind: K }>, "kind">> };

/**
 * Handles a batch of any queue. The kind of each message decides how it is handled, because each environment's queues
 * have other names. The job queues have the same messages, so they are recognized by the suffixes of their names.
 * Throws as `requireRegion` does.
 */
export async function consumeBatch(
  { queue, messages }: Pick<MessageBatch, "queue" | "messages">,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  requireRegion(env);
  const kinds = new Map(messages.map((message) => [message, kindOf(message.body)]));
  const select = <Body>(...wanted: Kind[]) =>
    messages.filter((message): message is Message<Body> => wanted.some((kind) => kind === kinds.get(message)));
  for (const message of messages) if (kinds.get(message) === null) refuse(queue, message);
  const jobs = select<JobRef>("job");
  const consumeQueued = queue.endsWith(RENDERS_SUFFIX) ? consumeRenders : consumeJobs;
  const consume = queue.endsWith(DEAD_SUFFIX) ? consumeDeadJobs : consumeQueued;
  await Promise.all([
    consume(jobs, env),
    consumeDeliveries(select<AttemptRef>("delivery"), env, ctx),
    consumeAlerts(select<WebhookAlertMessage>("webhook_alert"), env),
    consumeSummaries(select<SummaryMessage>("account", "key_used"), env),
    consumeUsageAlerts(select<UsageAlertMessage>("usage_alert"), env),
  ]);
}

/** Returns the kind of a message. Returns null if the message is malformed or has an unknown kind. */
function kindOf(body: unknown): Kind | null {
  if (typeof body !== "object" || body === null) return null;
  const { kind } = body as { kind?: unknown };
  const known = Object.keys(BODIES).find((name): name is Kind => name === kind);
  return known !== undefined && BODIES[known].safeParse(body).success ? known : null;
}

/**
 * Acknowledges a message that no consumer can handle. Otherwise, its error would fail the other messages of the batch.
 * No work is lost, because the account's alarm resends jobs and deliveries, and summaries are sent regularly.
 */
function refuse(queue: string, message: Message): void {
  const { kind } = Object(message.body) as { kind?: unknown };
  log("error", "message_refused", { queue, message_id: message.id, kind: typeof kind === "string" ? kind : undefined });
  message.ack();
}
