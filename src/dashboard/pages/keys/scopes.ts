import type { Scope } from "../../../model/api-key";

/** What each scope lets a key do. */
export const SCOPE_GRANTS: Record<Scope, string> = {
  scrape: "Turn pages into markdown, text, HTML or screenshots.",
  parse: "Extract data from pages by a prompt and a schema.",
  serp: "Ask search engines, and see how they answer.",
  jobs: "Read jobs, their results, webhook deliveries and usage; deliver again.",
  keys: "Create and revoke keys; read and change the webhook URL and its secret. Only for programs that manage others.",
};
