import { expect, it } from "vitest";
import { toFigures } from "../../src/health/figures";

it("adds up counts by cause, code and endpoint, with the durations of completed jobs", () => {
  const figures = toFigures({
    "job/scrape/plain/ok/40": 18,
    "job/scrape/rendered/login/60": 2,
    "job/scrape/rendered/render_failed/": 3,
    "job/parse/plain/render_failed/": 1,
    "job/parse/plain/schema_mismatch/": 5,
    "deliveries/abandoned": 7,
    "check/database/ok": 60,
  });
  expect(figures).toEqual({
    jobs: 29,
    failed: 9,
    causes: { service: 4, outside: 0, target: 0, customer: 5 },
    codes: [
      { code: "schema_mismatch", cause: "customer", jobs: 5, endpoints: ["parse"] },
      { code: "render_failed", cause: "service", jobs: 4, endpoints: ["scrape", "parse"] },
    ],
    endpoints: [
      { endpoint: "scrape", jobs: 23, failed: 3, p50: 43, p95: 290 },
      { endpoint: "parse", jobs: 6, failed: 6, p50: null, p95: null },
    ],
    abandoned: 7,
  });
});
