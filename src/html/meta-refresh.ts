import { Element } from "domhandler";
import { headOf, parseDocument } from "./parse/document";
import { absoluteUrl, baseUrl } from "./parse/urls";

interface Refresh {
  delaySeconds: number;
  url: string;
}

/** Most pages end the search here, without a tree. */
const HINT = /<meta[^<>]*refresh/i;
/** https://html.spec.whatwg.org/#shared-declarative-refresh-steps: the fraction of the seconds is read and dropped. */
const CONTENT = /^\s*(?:(\d+)[\d.]*|\.[\d.]*)(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is;

/**
 * The first `<meta http-equiv=refresh>` that leads to a web address, outside of comments, <noscript> and <template>; null
 * when there is none.
 */
export function metaRefresh(html: string, pageUrl: string): Refresh | null {
  if (!mayRefresh(html)) return null;
  const document = parseDocument(html);
  const base = baseUrl(document, pageUrl);
  for (const meta of headOf(document).children) {
    if (!(meta instanceof Element) || meta.attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") continue;
    const refresh = parseRefresh(meta.attribs.content ?? "", base);
    if (refresh) return refresh;
  }
  return null;
}

/** False for sure, or perhaps true. */
function mayRefresh(html: string): boolean {
  return HINT.test(html);
}

/** What the element's `content` says; `base` is the document's. */
export function parseRefresh(content: string, base: string): Refresh | null {
  const match = CONTENT.exec(content);
  if (!match) return null;
  const [, seconds = "0", ...addresses] = match;
  const address = addresses.find((part) => part !== undefined)?.trim();
  const url = address ? absoluteUrl(address, base) : null;
  return url && /^https?:/.test(url) ? { delaySeconds: Number(seconds), url } : null;
}
