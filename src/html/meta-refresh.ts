import { Element } from "domhandler";
import { headOf, parseDocument } from "./document";
import { absoluteUrl, baseUrl } from "./urls";

/** Most pages end the search here, without a tree. */
const HINT = /<meta[^<>]*refresh/i;
/** https://html.spec.whatwg.org/#shared-declarative-refresh-steps: the fraction of the seconds is read and dropped. */
const CONTENT = /^\s*(?:(\d+)[\d.]*|\.[\d.]*)(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is;

/**
 * The first `<meta http-equiv=refresh>` that leads to a web address, outside of comments, <noscript> and <template>; null
 * when there is none.
 */
export function metaRefresh(html: string, pageUrl: string): { delaySeconds: number; url: string } | null {
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

function parseRefresh(content: string, base: string): { delaySeconds: number; url: string } | null {
  const match = CONTENT.exec(content);
  if (!match) return null;
  const [, seconds = "0", ...addresses] = match;
  const address = addresses.find((part) => part !== undefined)?.trim();
  const url = address ? absoluteUrl(address, base) : null;
  return url && /^https?:/.test(url) ? { delaySeconds: Number(seconds), url } : null;
}
