import { app } from "./app";
import { runCron } from "./cron";
import { consumeSummaries } from "./directory/summaries";
import { consumeJobs } from "./jobs/consumer";
import type { DeliveryMessage } from "./model/delivery";
import type { JobMessage } from "./model/job";
import type { SummaryMessage } from "./model/summary";
import { consumeDeliveries } from "./webhooks/consumer";

export { EventLog } from "./account/event-log";
export { Account } from "./account/object";
export { BrowserHost } from "./browser/browser-host";
export { KeyVerifier } from "./keys/key-verifier";
export { RateLimiter } from "./keys/rate-limiter";

export default {
  fetch: app.fetch,
  queue: async (batch, env, ctx) => {
    if (batch.queue === "webhooks") await consumeDeliveries(batch as MessageBatch<DeliveryMessage>, env, ctx);
    else if (batch.queue === "summaries") await consumeSummaries(batch as MessageBatch<SummaryMessage>, env);
    else await consumeJobs(batch as MessageBatch<JobMessage>, env);
  },
  scheduled: (controller, env) => runCron(env, controller.scheduledTime),
} satisfies ExportedHandler<Env, unknown>;
