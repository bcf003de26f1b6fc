import { describe, expect, it } from "vitest";
import { StartLog } from "../../scripts/start-log.ts";

const line = (fields: Record<string, unknown>) => JSON.stringify({ level: "info", ...fields });
const REQUEST = line({ event: "request", method: "GET", route: "/v1/usage", status: 200, ms: 8, key_id: "k" });
const CRON = line({ event: "cron", accounts_woken: 1 });
const WARNING = line({ level: "warn", event: "lease_lost", job_id: "j", run: 2 });
const ERROR = line({ level: "error", event: "run_failed", error: "No table.", stack: "Error: No table.\n  at x" });
const RUNTIME = "e = kj::Exception; wdErrId = abc";

function formatAll(lines: string[], { verbose = false, isReady = true } = {}): (string | null)[] {
  const log = new StartLog({ verbose });
  if (isReady) log.ready();
  return lines.map((text) => log.format(text)).filter((text) => text !== null);
}

describe("the log of npm start", () => {
  it("has only errors and plain text until the service is ready", () => {
    const printed = formatAll([REQUEST, CRON, WARNING, ERROR, RUNTIME, "text"], { isReady: false });
    expect(printed).toEqual(["error run_failed: No table.", "text"]);
  });

  it("has a short line for each request, warning and error afterwards, and no routine work", () => {
    const printed = formatAll([REQUEST, CRON, WARNING, ERROR, RUNTIME, "text"]);
    expect(printed).toEqual([
      "GET /v1/usage 200 8 ms",
      "warn lease_lost job_id=j run=2",
      "error run_failed: No table.",
      "text",
    ]);
  });

  it("has the JSON of every line with --verbose", () => {
    const lines = [REQUEST, CRON, WARNING, ERROR, RUNTIME, "text"];
    expect(formatAll(lines, { verbose: true })).toEqual(lines);
  });
});

it("has the path, the tool or the batch of a request, and the host and the reason of a failed webhook", () => {
  const request = { event: "request", method: "POST", route: "/v1/*", status: 404, ms: 1, code: "not_found" };
  const webhook = { event: "webhook", status: "abandoned", status_code: null, duration_ms: 1, attempt: 1 };
  const lines = [
    line({ ...request, path: "/v1/scrap" }),
    line({ ...request, route: "/mcp", tool: "read", status: 200, code: undefined }),
    line({ ...request, route: "/v1/crawl", status: 202, code: undefined, batch_id: "b" }),
    line({ ...webhook, host: "a.example", reason: "Not sent: the host has no address." }),
  ];
  expect(formatAll(lines)).toEqual([
    "POST /v1/scrap 404 1 ms not_found",
    "POST /mcp read 200 1 ms",
    "POST /v1/crawl 202 1 ms batch b",
    "webhook abandoned 1 ms attempt 1 a.example Not sent: the host has no address.",
  ]);
});

it("has no warnings while the service restarts", () => {
  const log = new StartLog({ verbose: false });
  log.ready();
  log.pause();
  expect([log.format(WARNING), log.format(ERROR)]).toEqual([null, "error run_failed: No table."]);
  log.ready();
  expect(log.format(WARNING)).toBe("warn lease_lost job_id=j run=2");
});

describe("the line of a request that creates a job", () => {
  const post = { event: "request", method: "POST", route: "/v1/scrape", ms: 57, job_id: "j" };
  const job = { event: "job", job_id: "j", endpoint: "scrape", processing_ms: 40, host: "example.com", credits: 1 };

  it("has the credits and the host, if the caller waits for the job", () => {
    const end = line({ ...job, request_id: "r", status: "completed", outcome: "ok", credits: 2, rendered: true });
    expect(formatAll([end, line({ ...post, status: 200 })])).toEqual([
      "POST /v1/scrape 200 57 ms 2 credits rendered example.com",
    ]);
  });

  it("has the error code of the job", () => {
    const end = line({ ...job, request_id: "r", status: "failed", code: "blocked_by_target", credits: 0 });
    expect(formatAll([end, line({ ...post, status: 502, code: "blocked_by_target", mode: "test" })])).toEqual([
      "POST /v1/scrape 502 57 ms test 0 credits blocked_by_target example.com",
    ]);
  });

  it("has the job's id, if the job ends later. The job then has its own line", () => {
    const end = line({ ...job, request_id: "r", status: "completed", outcome: "soft_404" });
    expect(formatAll([line({ ...post, status: 202 }), end])).toEqual([
      "POST /v1/scrape 202 57 ms job j",
      "job j scrape completed 40 ms 1 credit soft_404 example.com",
    ]);
  });
});
