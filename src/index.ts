import { app } from "./app";
import { consume } from "./jobs/consumer";
import type { JobMessage } from "./jobs/job";
import { sweep } from "./jobs/sweep";

export { AddressGate, KeyGate } from "./keys/gate";
export { BrowserHost } from "./upstream/browser/host";
export { WebhookDelivery } from "./webhooks/delivery";

export default {
  fetch: app.fetch,
  queue: consume,
  scheduled: (controller, env) => sweep(env, controller.scheduledTime),
} satisfies ExportedHandler<Env, JobMessage>;
