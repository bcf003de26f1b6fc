import { app } from "./app";
import { runCron } from "./cron";
import { consume } from "./jobs/consumer";
import type { JobMessage } from "./model/job";

export { BrowserHost } from "./browser/host";
export { RateLimiter } from "./keys/rate-limiter";
export { KeyVerifier } from "./keys/verifier";
export { WebhookDelivery } from "./webhooks/delivery";

export default {
  fetch: app.fetch,
  queue: consume,
  scheduled: (controller, env) => runCron(env, controller.scheduledTime),
} satisfies ExportedHandler<Env, JobMessage>;
