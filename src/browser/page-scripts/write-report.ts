import { toGetter } from "./shared/natives";
import type { PageScripts } from "./shared/script-types";

/**
 * Adds a comment to the end of the document: `id`, a colon, and JSON in percent-encoding. Runs in an element
 * `<script id>`, which it removes first, because the element doesn't belong to the page.
 *
 * - `url`: the URL of the document after redirects.
 * - `status`: the HTTP status of the document, or 0 if the browser doesn't report it.
 * - `contentType`: the media type of the document.
 * - `isLoaded`: true if the document has loaded.
 * - `visibility`: the result of `readVisibility`, or null.
 */
export const writeReport: PageScripts["writeReport"] = (id, readVisibility) => {
  const script = toGetter<Element | null>(Document.prototype, "currentScript").call(document);
  if (script) Element.prototype.remove.call(script);
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  let visibility: string | null = null;
  try {
    visibility = readVisibility?.() ?? null;
  } catch {
    // A page may have changed a function that the script needs.
  }
  const isLoaded = toGetter(Document.prototype, "readyState").call(document) === "complete";
  const report = {
    url: navigation?.name ?? "",
    status: navigation?.responseStatus ?? 0,
    contentType: toGetter(Document.prototype, "contentType").call(document),
    isLoaded,
    visibility,
  };
  const comment = new Comment(`${id}:${encodeURIComponent(JSON.stringify(report))}`);
  const root = toGetter<Element | null>(Document.prototype, "documentElement").call(document);
  if (root) Element.prototype.append.call(root, comment);
};
