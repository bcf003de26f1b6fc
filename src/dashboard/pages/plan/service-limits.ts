import { toPositiveNumber } from "../../../lib/env";
import {
  DAY_MS,
  GET_WAIT_MAX_S,
  IDEMPOTENCY_MS,
  JOB_TIMEOUT_MS,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  MAX_ALLOWED_IPS,
  MAX_BODY_BYTES,
  MAX_KEY_NAME_CHARS,
  MAX_LISTED_RESULT_BYTES,
  MAX_PROMPT_CHARS,
  MAX_QUERY_CHARS,
  MAX_SCHEMA_CHARS,
  MAX_URL_CHARS,
  MAX_WEBHOOK_RESULT_BYTES,
  PREVIOUS_SECRET_MS,
  RETENTION_DAYS_DEFAULT,
  SECOND_MS,
  SERP_RESULTS_DEFAULT,
  SERP_RESULTS_MAX,
  SYNC_WAIT_MS,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_RETRY_DELAYS_MS,
  WEBHOOK_TIMEOUT_MS,
} from "../../../model/limits";
import {
  FETCH_TIMEOUT_MS,
  MAX_PAGE_BYTES_DEFAULT,
  MAX_PDF_PAGES,
  MAX_REDIRECTS,
  MAX_SCREENSHOT_HEIGHT_PX,
  RENDER_TIMEOUT_MS,
  VIEWPORT,
  WAIT_FOR_TIMEOUT_MS,
} from "../../../model/page-limits";
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
  const retention = toDuration(toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT) * DAY_MS);
  return [
    {
      title: "Requests",
      limits: [
        ["Request body", toSize(MAX_BODY_BYTES), "Larger requests are refused with 413."],
        ["URL", characters(MAX_URL_CHARS)],
        ["Parse prompt", characters(MAX_PROMPT_CHARS)],
        ["Parse schema", characters(MAX_SCHEMA_CHARS)],
        ["Search query", characters(MAX_QUERY_CHARS)],
        ["Search results", `1 to ${SERP_RESULTS_MAX}`, `The default is ${SERP_RESULTS_DEFAULT} (num_results).`],
        [
          "Idempotency-Key lifetime",
          toDuration(IDEMPOTENCY_MS),
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
          toDuration(SYNC_WAIT_MS),
          "After this time, the response is 202 and the job continues.",
        ],
        ["GET /v1/jobs/{id} with ?wait=", toDuration(GET_WAIT_MAX_S * SECOND_MS)],
        ["Page without rendering", toDuration(FETCH_TIMEOUT_MS), "timeout_ms sets another limit."],
        ["Page with rendering", toDuration(RENDER_TIMEOUT_MS), "timeout_ms sets another limit."],
        ["Wait for an element (wait_for)", toDuration(WAIT_FOR_TIMEOUT_MS)],
        ["Job", toDuration(JOB_TIMEOUT_MS)],
      ],
    },
    {
      title: "Pages and results",
      limits: [
        [
          "Page",
          toSize(toPositiveNumber(env.MAX_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT)),
          "The limit applies to the decompressed page.",
        ],
        ["PDF", `${count(MAX_PDF_PAGES)} pages`],
        ["Redirects", count(MAX_REDIRECTS)],
        ["Screenshot", `${count(VIEWPORT.width)} × ${count(MAX_SCREENSHOT_HEIGHT_PX)} px`],
        ["Retention of results and screenshots", retention, "After this time, jobs are listed without results."],
        ["Items per list page", count(LIST_LIMIT_MAX), `The default is ${LIST_LIMIT_DEFAULT} (limit).`],
        ["Maximum result size in a list", toSize(MAX_LISTED_RESULT_BYTES), LARGER_RESULT],
      ],
    },
    {
      title: "Webhooks and keys",
      limits: [
        ["Webhook response time", toDuration(WEBHOOK_TIMEOUT_MS)],
        [
          "Delivery attempts",
          count(WEBHOOK_ATTEMPTS),
          `The delays between attempts are ${WEBHOOK_RETRY_DELAYS_MS.map(toDuration).join(", ")}.`,
        ],
        ["Maximum result size in an event", toSize(MAX_WEBHOOK_RESULT_BYTES), LARGER_RESULT],
        ["Validity of the previous secret", toDuration(PREVIOUS_SECRET_MS), "The time starts with the rotation."],
        ["Name of a key", characters(MAX_KEY_NAME_CHARS)],
        ["Allowed IPs of a key", `${count(MAX_ALLOWED_IPS)} addresses or ranges`],
      ],
    },
  ];
}
