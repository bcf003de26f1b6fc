import { app } from "./app";
import { runCron } from "./cron";
import { consume } from "./jobs/consumer";
import type { JobMessage } from "./model/job";

export { BrowserHost } from "./browser/browser-host";
export { KeyVerifier } from "./keys/key-verifier";
export { RateLimiter } from "./keys/rate-limiter";
export { WebhookDelivery } from "./webhooks/delivery-object";

export default {
  fetch: app.fetch,
  queue: consume,
  scheduled: (controller, env) => runCron(env, controller.scheduledTime),
} satisfies ExportedHandler<Env, JobMessage>;
