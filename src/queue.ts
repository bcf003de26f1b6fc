import { consumeSummaries } from "./directory/summaries";
import { consumeDeadJobs, consumeJobs } from "./jobs/consumer";
import type { AttemptRef, DeliveryMessage } from "./model/delivery";
import type { JobMessage, JobRef } from "./model/job";
import type { SummaryMessage } from "./model/summary";
import { consumeDeliveries } from "./webhooks/consumer";

export type QueueMessage = JobMessage | DeliveryMessage | SummaryMessage;
/** The messages of version 0.1.0 and of the development versions after it. They have no `kind`. */
type OldMessage = (JobRef | AttemptRef) & { kind?: undefined };

/** The names of dead-letter queues end with this suffix. */
const DEAD_SUFFIX = "-dead";

/**
 * Handles a batch of any queue. The kind of each message decides how it is handled, because each environment's queues
 * have other names. A dead-letter queue has the same messages as its queue, so it is recognized by its suffix.
 */
export async function consumeBatch(
  { queue, messages }: Pick<MessageBatch<QueueMessage | OldMessage>, "queue" | "messages">,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const jobs = messages.filter(isOf<JobRef>("job"));
  const deliveries = messages.filter(isOf<AttemptRef>("delivery"));
  const summaries = messages.filter(isOf<SummaryMessage>("account", "key_used"));
  await Promise.all([
    queue.endsWith(DEAD_SUFFIX) ? consumeDeadJobs(jobs, env) : consumeJobs(jobs, env),
    consumeDeliveries(deliveries, env, ctx),
    consumeSummaries(summaries, env),
  ]);
}

/** Returns a predicate for messages of these kinds. */
function isOf<Body>(...kinds: QueueMessage["kind"][]) {
  return (message: Message<unknown>): message is Message<Body> =>
    kinds.includes(kindOf((message as Message<QueueMessage | OldMessage>).body));
}

function kindOf(body: QueueMessage | OldMessage): QueueMessage["kind"] {
  return body.kind ?? ("delivery" in body ? "delivery" : "job");
}
