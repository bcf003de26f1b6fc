import { toPositiveNumber } from "../../../lib/env";
import * as limits from "../../../model/limits";
import * as pages from "../../../model/page-limits";
import { FAILURES_PER_MINUTE } from "../../../model/plan";
import { toDuration, toSize } from "../../ui/format";

export interface LimitGroup {
  title: string;
  limits: readonly (readonly [what: string, value: string, note?: string])[];
}

const LARGER_RESULT = "If the result is larger, get the job by its ID.";

/** Returns the limits that are the same for every plan, with the values of this deployment. */
export function listServiceLimits(env: Env): LimitGroup[] {
  const count = (value: number) => value.toLocaleString("en");
  const characters = (value: number) => `${count(value)} characters`;
  const retention = toDuration(toPositiveNumber(env.RETENTION_DAYS, limits.RETENTION_DAYS_DEFAULT) * limits.DAY_MS);
  return [
    {
      title: "Requests",
      limits: [
        ["Request body", toSize(limits.MAX_BODY_BYTES), "Larger requests are refused with 413."],
        ["URL", characters(limits.MAX_URL_CHARS)],
        ["Parse prompt", characters(limits.MAX_PROMPT_CHARS)],
        ["Parse schema", characters(limits.MAX_SCHEMA_CHARS)],
        ["Search query", characters(limits.MAX_QUERY_CHARS)],
        [
          "Search results",
          `1 to ${limits.SERP_RESULTS_MAX}`,
          `The default is ${limits.SERP_RESULTS_DEFAULT} (num_results).`,
        ],
        [
          "Idempotency-Key lifetime",
          toDuration(limits.IDEMPOTENCY_MS),
          "During this time, the same request returns the same job.",
        ],
        [
          "Failed authentications",
          `${FAILURES_PER_MINUTE} per minute`,
          "This limit applies to each IP address. Requests with valid keys aren't affected.",
        ],
      ],
    },
    {
      title: "Durations",
      limits: [
        [
          "Synchronous request",
          toDuration(limits.SYNC_WAIT_MS),
          "After this time, the response is 202 and the job continues.",
        ],
        ["GET /v1/jobs/{id} with ?wait=", toDuration(limits.GET_WAIT_MAX_S * limits.SECOND_MS)],
        ["Page without rendering", toDuration(pages.FETCH_TIMEOUT_MS), "timeout_ms sets another limit."],
        ["Page with rendering", toDuration(pages.RENDER_TIMEOUT_MS), "timeout_ms sets another limit."],
        ["Wait for an element (wait_for)", toDuration(pages.WAIT_FOR_TIMEOUT_MS)],
        ["Job", toDuration(limits.JOB_TIMEOUT_MS)],
      ],
    },
    {
      title: "Pages and results",
      limits: [
        [
          "Page",
          toSize(toPositiveNumber(env.MAX_PAGE_BYTES, pages.MAX_PAGE_BYTES_DEFAULT)),
          "The limit applies to the decompressed page.",
        ],
        ["PDF", `${count(pages.MAX_PDF_PAGES)} pages`],
        ["Redirects", count(pages.MAX_REDIRECTS)],
        ["Screenshot", `${count(pages.VIEWPORT.width)} × ${count(pages.MAX_SCREENSHOT_HEIGHT_PX)} px`],
        ["Retention of results and screenshots", retention, "After this time, jobs are listed without results."],
        ["Items per list page", count(limits.LIST_LIMIT_MAX), `The default is ${limits.LIST_LIMIT_DEFAULT} (limit).`],
        ["Maximum result size in a list", toSize(limits.MAX_LISTED_RESULT_BYTES), LARGER_RESULT],
        [
          "Results in one list of pages",
          toSize(limits.MAX_PAGES_RESULT_BYTES),
          "next_cursor leads to the other pages of the batch or crawl.",
        ],
      ],
    },
    {
      title: "Webhooks and keys",
      limits: [
        ["Webhook response time", toDuration(limits.WEBHOOK_TIMEOUT_MS)],
        [
          "Delivery attempts",
          count(limits.WEBHOOK_ATTEMPTS),
          `The delays between attempts are ${limits.WEBHOOK_RETRY_DELAYS_MS.map(toDuration).join(", ")}.`,
        ],
        ["Maximum result size in an event", toSize(limits.MAX_WEBHOOK_RESULT_BYTES), LARGER_RESULT],
        [
          "Validity of the previous secret",
          toDuration(limits.PREVIOUS_SECRET_MS),
          "The time starts with the rotation.",
        ],
        ["Name of a key", characters(limits.MAX_KEY_NAME_CHARS)],
        ["Allowed IPs of a key", `${count(limits.MAX_ALLOWED_IPS)} addresses or ranges`],
      ],
    },
  ];
}
