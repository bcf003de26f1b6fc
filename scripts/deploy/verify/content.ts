// Checks that pages, PDFs, large pages and screenshots arrive completely.
import type { Context } from "./context.ts";
import { FETCHES, LARGE, NOISE, PARTS, runScript, SCRIPTS } from "./pages.ts";
import { formatBytes, formatMs, type Result } from "./result.ts";
import { describeOutcome, findPlanLimit, isTargetProblem, type Outcome } from "./service.ts";

const MIN_PDF_CHARS = 1_000;
/** The service's own time for a page with many parts. The time that the parts took isn't included. */
const MAX_OVERHEAD_MS = 3_000;
const SCREENSHOT_TIMEOUT_MS = 60_000;
/** The bytes of a PNG before its width and height. */
const PNG_SIZE_AT = 16;

/** Requests a document twice that changes with each request. Equal answers come from a cache. */
export async function checkFreshness({ service, targets }: Context): Promise<Result> {
  const request = { url: targets.changing_document, formats: ["text"] };
  const base = { name: "document requested twice", expected: "2 different answers" };
  const first = await service.scrape(request, { repeat: true });
  const second = await service.scrape(request, { repeat: true });
  for (const outcome of [first, second]) if (outcome.kind !== "completed") return toFailure(base, outcome);
  const [a, b] = [first, second].map((outcome) => (outcome.kind === "completed" ? outcome.data.text : ""));
  if (a !== b) return { ...base, observed: "2 different answers", status: "ok" };
  return {
    ...base,
    observed: "the same answer twice",
    status: "failed",
    action:
      "The second answer came from a cache. If the document at 'changing_document' really changes, customers get old copies of PDF and CSV files. Check the zone's cache rules, and report this.",
  };
}

export async function checkPdf({ service, targets }: Context): Promise<Result> {
  const base = { name: "PDF", expected: `at least ${MIN_PDF_CHARS} characters` };
  const outcome = await service.scrape({ url: targets.pdf, formats: ["text"] }, { repeat: true });
  if (outcome.kind !== "completed") return toFailure(base, outcome);
  const length = outcome.data.text?.length ?? 0;
  const observed = `${length} characters, ${formatMs(outcome.ms)}`;
  if (length >= MIN_PDF_CHARS) return { ...base, observed, status: "ok" };
  return {
    ...base,
    observed,
    status: "failed",
    action: "The PDF's text is incomplete. Open the PDF, and report this.",
  };
}

/** Renders a page with many scripts and fetches. */
export async function checkParts({ service, targets: { pages } }: Context): Promise<Result[]> {
  const base = { name: "render with many parts", expected: `${SCRIPTS} scripts, ${FETCHES} fetches` };
  const { outcome, result } = await runScript<{ scripts: number; fetches: number; ms: number }>(service, {
    pages,
    script: PARTS,
  });
  if (outcome.kind !== "completed") return [toFailure(base, outcome)];
  if (result === null || result.error !== undefined) return [toBrokenPage(base, result?.error)];
  const isComplete = result.scripts === SCRIPTS && result.fetches === FETCHES;
  const overheadMs = Math.max(0, outcome.processingMs - result.ms);
  return [
    {
      ...base,
      observed: `${result.scripts} scripts, ${result.fetches} fetches`,
      status: isComplete ? "ok" : "failed",
      action:
        "Parts of the page didn't load. Run the verification again. If the numbers stay the same, the browser doesn't resume intercepted requests: report this.",
    },
    {
      name: "time of this render",
      expected: `at most ${formatMs(MAX_OVERHEAD_MS)} besides the page's own time`,
      observed: `${formatMs(outcome.processingMs)}, of which the page ${formatMs(result.ms)}`,
      status: overheadMs <= MAX_OVERHEAD_MS ? "ok" : "differs",
      action:
        "A new browser takes a few seconds, so run the verification again. If the time stays the same, the browser is far from the Durable Object: set the service's location near your callers, and check that BROWSER_NETWORK is public.",
    },
  ];
}

/** Takes a screenshot that can't be compressed, and downloads it. */
export async function checkScreenshot({ service, targets: { pages } }: Context): Promise<Result> {
  const { width, height } = NOISE;
  const minBytes = width * height * 2;
  const base = { name: "large screenshot", expected: `${width} × ${height}, over ${formatBytes(minBytes)}` };
  const { outcome } = await runScript(service, { pages, script: LARGE, formats: ["screenshot"] });
  if (outcome.kind !== "completed") return toFailure(base, outcome);
  const url = outcome.data.screenshot_url;
  if (url === undefined) return toFailure(base, outcome);
  const { status, png } = await download(url).catch((error: unknown) => ({ status: toReason(error), png: EMPTY }));
  const [w, h] = [0, 4].map((at) => (png.length > PNG_SIZE_AT + 8 ? png.readUInt32BE(PNG_SIZE_AT + at) : 0));
  const isComplete = status === 200 && w === width && (h ?? 0) >= height && png.length >= minBytes;
  return {
    ...base,
    observed: `${w} × ${h}, ${formatBytes(png.length)}, ${formatMs(outcome.ms)}`,
    status: isComplete ? "ok" : "failed",
    action: `The response of the screenshot's link (${new URL(url).origin}): ${status}. Check PUBLIC_URL and the R2 bucket.`,
  };
}

const EMPTY = Buffer.alloc(0);

async function download(url: string): Promise<{ status: number; png: Buffer }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(SCREENSHOT_TIMEOUT_MS) });
  return { status: response.status, png: Buffer.from(await response.arrayBuffer()) };
}

function toReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns the result of a check whose page couldn't be loaded. */
export function toFailure(base: Pick<Result, "name" | "expected">, outcome: Outcome): Result {
  const observed = describeOutcome(outcome);
  if (outcome.kind === "skipped") {
    const action = "An earlier render had no result. Solve its problem first, and run the verification again.";
    return { ...base, observed, status: "unclear", action };
  }
  const limit = findPlanLimit(outcome);
  if (limit !== null) return { ...base, observed, status: "failed", action: limit };
  if (isTargetProblem(outcome)) {
    const action =
      "The public test address doesn't work at the moment. Repeat the verification later, or set another address with --targets.";
    return { ...base, observed, status: "unclear", action };
  }
  return { ...base, observed, status: "failed", action: toAction(outcome) };
}

function toAction(outcome: Outcome): string {
  if (outcome.kind === "unfinished")
    return "No browser was free, or the queue isn't consumed. See /health/ready and 'Jobs wait too long' in docs/operating.md.";
  if (outcome.kind === "failed" && outcome.code === "render_failed")
    return "See 'The browser doesn't start' in docs/operating.md, and search the log for browser_not_launched and render_error.";
  if (outcome.kind === "failed" && ["dns_failure", "connection_failed", "tls_failure"].includes(outcome.code))
    return "The service can't reach a public address that it should reach. Open the address in a browser. If it works, report the observed message.";
  if (outcome.kind === "failed" && outcome.code === "selector_not_found")
    return "The test page didn't finish. Open the address 'pages' in a browser: if it doesn't return the decoded Base64, set another one with --targets. Otherwise the browser doesn't run the page's scripts: report this.";
  return "Search the log (npx wrangler tail) for the error, and report it.";
}

/** Returns the result of a check whose test page didn't run as expected. */
export function toBrokenPage(base: Pick<Result, "name" | "expected">, error: string | undefined): Result {
  return {
    ...base,
    observed: error ?? "The test page has no result.",
    status: "unclear",
    action:
      "The address 'pages' didn't return the test page, or one of its parts failed. Repeat the verification, or set another address with --targets.",
  };
}
