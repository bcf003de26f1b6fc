import { app } from "./app";
import { runCron } from "./cron";
import { consumeBatch } from "./queue";

export { Account } from "./account/object";
export { BrowserHost } from "./browser/browser-host";
export { Crawl } from "./crawl/crawl";
export { RenderRunner } from "./jobs/consumer";
export { KeyVerifier } from "./keys/key-verifier";
export { RateLimiter } from "./keys/rate-limiter";
export { OAuthStore } from "./oauth/oauth-store";

export default {
  fetch: app.fetch,
  queue: consumeBatch,
  scheduled: (controller, env) => runCron(env, controller.scheduledTime),
} satisfies ExportedHandler<Env, unknown>;
