import { toPositiveNumber } from "../../../lib/env";
import {
  DAY_MS,
  FETCH_TIMEOUT_MS,
  GET_WAIT_MAX_S,
  IDEMPOTENCY_MS,
  JOB_TIMEOUT_MS,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  MAX_ALLOWED_IPS,
  MAX_BODY_BYTES,
  MAX_KEY_NAME_CHARS,
  MAX_LISTED_RESULT_BYTES,
  MAX_PAGE_BYTES_DEFAULT,
  MAX_PDF_PAGES,
  MAX_PROMPT_CHARS,
  MAX_QUERY_CHARS,
  MAX_REDIRECTS,
  MAX_SCHEMA_CHARS,
  MAX_SCREENSHOT_HEIGHT_PX,
  MAX_URL_CHARS,
  MAX_WEBHOOK_RESULT_BYTES,
  PREVIOUS_SECRET_MS,
  RENDER_TIMEOUT_MS,
  RETENTION_DAYS_DEFAULT,
  SECOND_MS,
  SERP_RESULTS_DEFAULT,
  SERP_RESULTS_MAX,
  SYNC_WAIT_MS,
  VIEWPORT,
  WAIT_FOR_TIMEOUT_MS,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_RETRY_DELAYS_MS,
  WEBHOOK_TIMEOUT_MS,
} from "../../../model/limits";
import { FAILURES_PER_MINUTE, POLL_FACTOR } from "../../../model/plan";
import { toDuration, toSize } from "../../ui/format";

export interface LimitGroup {
  title: string;
  limits: readonly (readonly [what: string, value: string, note?: string])[];
}

/** Returns the limits that are the same for every plan, with the values of this deployment. */
export function toLimitGroups(env: Env): LimitGroup[] {
  const count = (value: number) => value.toLocaleString("en");
  const characters = (value: number) => `${count(value)} characters`;
  const retention = toDuration(toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT) * DAY_MS);
  return [
    {
      title: "Requests",
      limits: [
        ["Body", toSize(MAX_BODY_BYTES), "A larger one is answered with 413."],
        ["URL", characters(MAX_URL_CHARS)],
        ["Prompt of a parse", characters(MAX_PROMPT_CHARS)],
        ["Schema of a parse", characters(MAX_SCHEMA_CHARS)],
        ["Query of a search", characters(MAX_QUERY_CHARS)],
        ["num_results of a search", `1 to ${SERP_RESULTS_MAX}`, `${SERP_RESULTS_DEFAULT} when none are named.`],
        ["Idempotency-Key", toDuration(IDEMPOTENCY_MS), "A repeated request gets the same job for this time."],
        ["Failed authentications", `${FAILURES_PER_MINUTE} a minute`, "From one address. Valid keys aren't affected."],
      ],
    },
    {
      title: "Waiting and running",
      limits: [
        ["Synchronous wait", toDuration(SYNC_WAIT_MS), "After it, the answer is 202 and the job continues."],
        ["Wait of a job read (?wait=)", toDuration(GET_WAIT_MAX_S * SECOND_MS)],
        ["Reads of a single job", `${POLL_FACTOR} × the plan's rate`, "Counted separately from other requests."],
        ["A plain fetch", toDuration(FETCH_TIMEOUT_MS)],
        ["A rendered page", toDuration(RENDER_TIMEOUT_MS)],
        ["wait_for", toDuration(WAIT_FOR_TIMEOUT_MS)],
        ["A whole job", toDuration(JOB_TIMEOUT_MS)],
      ],
    },
    {
      title: "Pages and results",
      limits: [
        ["A page", toSize(toPositiveNumber(env.MAX_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT)), "Decompressed."],
        ["A PDF", `${count(MAX_PDF_PAGES)} pages`],
        ["Redirects", count(MAX_REDIRECTS)],
        ["A screenshot", `${count(VIEWPORT.width)} × ${count(MAX_SCREENSHOT_HEIGHT_PX)} px`],
        ["Results and screenshots are kept", retention, "After it, the job is listed without them."],
        ["List pages", `${LIST_LIMIT_MAX} records`, `${LIST_LIMIT_DEFAULT} when no limit is named.`],
        ["Results in a list", toSize(MAX_LISTED_RESULT_BYTES), "A larger one is read with its job."],
      ],
    },
    {
      title: "Webhooks and keys",
      limits: [
        ["A receiver's answer", toDuration(WEBHOOK_TIMEOUT_MS)],
        ["Attempts", count(WEBHOOK_ATTEMPTS), `After ${WEBHOOK_RETRY_DELAYS_MS.map(toDuration).join(", ")}.`],
        ["A result that is pushed", toSize(MAX_WEBHOOK_RESULT_BYTES), "A larger one is read with its job."],
        ["After a rotation, the previous secret signs for", toDuration(PREVIOUS_SECRET_MS)],
        ["A key's name", characters(MAX_KEY_NAME_CHARS)],
        ["A key's allowed addresses", `${count(MAX_ALLOWED_IPS)} ranges`],
      ],
    },
  ];
}
