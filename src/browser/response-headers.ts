import type { Protocol } from "devtools-protocol";

/** Headers of a document that make the browser send requests in the background, which interception doesn't see. */
const BACKGROUND: ReadonlySet<string> = new Set(["speculation-rules", "nel", "reporting-endpoints", "report-to"]);
/** The relations of `Link` that fetch or connect ahead of a navigation. */
const AHEAD = /\b(?:prefetch|prerender|preconnect|dns-prefetch)\b/i;

/**
 * What `Fetch.continueResponse` needs so that the response of a document comes without those headers. Empty when it has none, and
 * the response goes on unchanged.
 */
export function withoutBackgroundRequests({
  responseStatusCode,
  responseStatusText,
  responseHeaders = [],
}: Protocol.Fetch.RequestPausedEvent): Omit<Protocol.Fetch.ContinueResponseRequest, "requestId"> {
  const kept = responseHeaders.filter((header) => !startsRequests(header));
  if (responseStatusCode === undefined || kept.length === responseHeaders.length) return {};
  return {
    responseCode: responseStatusCode,
    responseHeaders: kept,
    ...(responseStatusText !== undefined && responseStatusText !== "" && { responsePhrase: responseStatusText }),
  };
}

function startsRequests({ name, value }: Protocol.Fetch.HeaderEntry): boolean {
  const key = name.toLowerCase();
  return BACKGROUND.has(key) || (key === "link" && AHEAD.test(value));
}
