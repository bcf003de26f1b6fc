import type { RenderMode } from "../../contract/load-options";
import type { PageFields } from "../../contract/scrape";
import { sha256Hex } from "../../lib/crypto";
import type { FoundPage } from "../../model/crawl";
import type { ErrorCode, ErrorDetail } from "../../model/errors";
import { OUTCOMES, type Outcome } from "../../model/job";
import { SECOND_MS } from "../../model/limits";
import type { NewPageCapture } from "../../model/page-capture";
import { FETCH_TIMEOUT_MS } from "../../model/page-limits";
import { toFileUri } from "../../model/uploaded-file";
import { toStatusError } from "../../net/response";
import { toCanonicalUrl } from "../../site/canonical-url";
import type { MockContext } from "./definition";
import { captureNotFound, PageCaptures, type UsedCapture } from "./page-captures";

const MAX_SLOW_S = 60;

/** The outcome that a test key's target or query selects. */
type ScriptedOutcome =
  | { kind: "plain" }
  /** The run fails. `retryable` overrides the default of the error code. */
  | { kind: "fails"; code: ErrorCode; message: string; retryable?: boolean; details?: ErrorDetail[] }
  /** The mock result is returned after this number of seconds, from 0 to 60. */
  | { kind: "slow"; seconds: number }
  /** The result is larger than 1 MB. */
  | { kind: "large" }
  /** The page has this outcome. A search ignores it. */
  | { kind: "page"; outcome: Outcome }
  /** The request is refused before a job is created. */
  | { kind: "refused"; code: "insufficient_credits" | "rate_limited" };

/** Returns the outcome that the target (`https://blocked.test/…`) or the query (`blocked`) selects. */
export function toScriptedOutcome(request: { url?: string | undefined; query?: string | undefined }): ScriptedOutcome {
  const { url, query } = request;
  const word = url === undefined ? toQueryWord(query ?? "") : toHostWord(url);
  return word === null ? { kind: "plain" } : toOutcome(word);
}

/** Returns the word before `.test` if the host name is `{word}.test`. */
function toHostWord(url: string): string | null {
  return /^([^.]+)\.test\.?$/.exec(URL.parse(url)?.hostname ?? "")?.[1] ?? null;
}

function toQueryWord(query: string): string | null {
  return /^([^.\s]+)(\.test\.?)?$/.exec(query.trim().toLowerCase())?.[1] ?? null;
}

function toOutcome(word: string): ScriptedOutcome {
  const name = `${word}.test`;
  switch (word) {
    case "blocked":
      return {
        kind: "fails",
        code: "blocked_by_target",
        message: `${name} returned a block page (a bot challenge) instead of its content.`,
      };
    case "timeout":
      return {
        kind: "fails",
        code: "target_timeout",
        message: `${name} did not send its complete response within ${FETCH_TIMEOUT_MS / SECOND_MS} seconds.`,
      };
    case "dns":
      return { kind: "fails", code: "dns_failure", message: `The name ${name} could not be resolved.` };
    case "large":
      return { kind: "large" };
    case "out-of-credits":
      return { kind: "refused", code: "insufficient_credits" };
    case "rate-limited":
      return { kind: "refused", code: "rate_limited" };
  }
  const outcome = OUTCOMES.find((known) => known === word.replaceAll("-", "_"));
  if (outcome !== undefined) return { kind: "page", outcome };
  const seconds = /^slow-(\d+)$/.exec(word)?.[1];
  if (seconds !== undefined) return { kind: "slow", seconds: Math.min(Number(seconds), MAX_SLOW_S) };
  const status = Number(/^http-([45]\d\d)$/.exec(word)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return { kind: "plain" };
  const [code, message, { retryable, details }] = toStatusError(name, status, (header) =>
    header === "crawler-price" ? "USD 0.01" : null,
  );
  return { kind: "fails", code, message, retryable, ...(details && { details }) };
}

/** The minimum length of a large mock result: more than 1 MB, in characters and in bytes. */
export const LARGE_CHARS = 1_100_000;

const SENTENCE = "This sentence is repeated until the mock result is large enough. ";

/** Returns at least `chars` characters of plain text. JSON, HTML and Markdown escape none of them. */
export function toFiller(chars: number): string {
  return SENTENCE.repeat(Math.ceil(chars / SENTENCE.length)).trimEnd();
}

/** The links between the pages of the mock site, by path. A crawl with a test key visits them. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  "/": ["/about", "/docs", "/contact"],
  "/docs": ["/", "/docs/start", "/docs/api"],
};

/** Returns what a crawl with a test key finds on a page. Every start URL has the links of the path `/`. */
export async function mockFoundPage(url: string, { isFirst }: { isFirst: boolean }): Promise<FoundPage> {
  const { pathname } = new URL(url);
  const paths = (isFirst ? LINKS["/"] : LINKS[pathname]) ?? [];
  const canonical = toCanonicalUrl(url);
  return {
    url: canonical,
    canonical: null,
    hash: await sha256Hex(canonical ?? url),
    links: paths.map((path) => toCanonicalUrl(path, url)).filter((link) => link !== null),
    nofollow: false,
  };
}

/** The URL of a mock page, and the captures of the request. */
interface MockPage {
  url: string;
  /** The capture that `meta` reports. Null if there is none. */
  used: UsedCapture | null;
  /** The capture that is recorded at the end of the job. Missing if the job keeps none. */
  capture?: NewPageCapture;
}

/** Uses or keeps a capture for a test key, as a run does for a live key. It contains only the URL. */
export async function mockCapture({ run }: MockContext, request: PageFields, mode: RenderMode): Promise<MockPage> {
  const captures = new PageCaptures(run, request, mode);
  const found = await captures.find();
  const foundUrl = found && (await captures.readUrl(found));
  if (found !== null && foundUrl !== null) return { url: foundUrl, used: { ...found, isReplayed: true } };
  const { url, file } = request;
  if (file !== undefined) return { url: toFileUri(file), used: null };
  if (url === undefined) throw captureNotFound(request.capture_id ?? "");
  if (captures.keepsPage)
    await captures.keep({
      rendered: mode === "always",
      url: new URL(url).href,
      status: 200,
      contentType: "text/html; charset=utf-8",
      header: () => null,
      source: "",
      visibility: null,
      body: null,
      partialLoad: false,
    });
  return { url, used: captures.kept, ...(await captures.toNewCapture(true)) };
}
