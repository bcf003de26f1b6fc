import { Element } from "domhandler";
import { headOf, parseDocument } from "./parse/document";
import { absoluteUrl, baseUrl } from "./parse/urls";

interface Refresh {
  delaySeconds: number;
  url: string;
}

/** A quick check before parsing. Most pages don't match, and a page that doesn't match has no refresh. */
const HINT = /<meta[^<>]*refresh/i;
/**
 * The syntax of the `content` attribute: https://html.spec.whatwg.org/#shared-declarative-refresh-steps. The fraction
 * of a second is ignored.
 */
const CONTENT = /^\s*(?:(\d+)(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is;

/**
 * Returns the first `<meta http-equiv=refresh>` that leads to an http or https URL. Returns null if the page has none.
 * Ignores comments, <noscript> and <template>.
 */
export function metaRefresh(html: string, pageUrl: string): Refresh | null {
  if (!HINT.test(html)) return null;
  const document = parseDocument(html);
  const base = baseUrl(document, pageUrl);
  for (const meta of headOf(document).children) {
    if (!(meta instanceof Element) || meta.attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") continue;
    const refresh = parseRefresh(meta.attribs.content ?? "", base);
    if (refresh) return refresh;
  }
  return null;
}

/**
 * Parses the `content` attribute of a refresh. Resolves its URL against `base`. Returns null if it has no http or https
 * URL.
 */
export function parseRefresh(content: string, base: string): Refresh | null {
  const match = CONTENT.exec(content);
  if (!match) return null;
  const [, seconds = "0", ...addresses] = match;
  const address = addresses.find((part) => part !== undefined)?.trim();
  const url = address ? absoluteUrl(address, base) : null;
  return url && /^https?:/.test(url) ? { delaySeconds: Number(seconds), url } : null;
}
