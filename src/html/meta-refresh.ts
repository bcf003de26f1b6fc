import { type Document, Element } from "domhandler";
import { findMountElement } from "./has-content";
import { hasSource, scriptsIn } from "./page/scripts";
import { bodyOf, headOf, parseDocument } from "./parse/document";
import { elementsUnder, separatedText } from "./parse/dom";
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

/** A page that only redirects has at most this much markup, code and text. */
const MAX_REDIRECT_HTML_CHARS = 50_000;
const MAX_CODE_CHARS = 5_000;
const MAX_TEXT_CHARS = 300;
const MAX_OTHER_TEXT_CHARS = 20;
/** The text of a page that only redirects. */
const REDIRECTS =
  /redirect|weiter(?:ge)?leit|redirig|redirec|reindirizz|doorgestuurd|yönlendir|перенаправ|przekierow|omdirig|viderestil|přesměr|átirány|リダイレクト|自動的に(?:移動|ジャンプ)|跳转|跳轉|重定向|이동합니다/i;
const SCRIPT_TARGET =
  /(?<![\w$])(?:location(?:\.href)?\s*=\s*|location\.(?:replace|assign)\(\s*)(["'])((?:(?!\1)[^\\\n]|\\.){1,2000})\1(?!\s*[+.])/g;

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

/** Returns the target of a page that only leads to another page: by a refresh in <noscript>, or by a script. */
export function onlyRedirect(html: string, pageUrl: string): { url: string; byScript: boolean } | null {
  if (html.length > MAX_REDIRECT_HTML_CHARS || !/refresh|location/i.test(html)) return null;
  const document = parseDocument(html);
  if (!hasOnlyRedirectText(document)) return null;
  const base = baseUrl(document, pageUrl);
  for (const { name, parent, attribs } of elementsUnder(document)) {
    if (name !== "meta" || attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") continue;
    const isInNoscript = parent instanceof Element && parent.name === "noscript";
    const refresh = isInNoscript ? parseRefresh(attribs.content ?? "", base) : null;
    if (refresh) return { url: refresh.url, byScript: false };
  }
  const url = scriptRedirect(html, document, base);
  return url === null ? null : { url, byScript: true };
}

/** Returns the only address to which the scripts of a page without content redirect, or null. */
export function scriptRedirect(html: string, document: Document, base: string): string | null {
  if (html.length > MAX_REDIRECT_HTML_CHARS || !hasOnlyRedirectText(document)) return null;
  if (findMountElement(document) !== "none") return null;
  const code = scriptsIn(html)
    .map((script) => (hasSource(script) ? "" : script.code))
    .join("\n");
  if (code.length > MAX_CODE_CHARS) return null;
  const targets = new Set([...code.matchAll(SCRIPT_TARGET)].map(([, , text = ""]) => text.replace(/\\(.)/g, "$1")));
  const [target] = targets;
  const url = targets.size === 1 && target ? absoluteUrl(target, base) : null;
  return url !== null && /^https?:/.test(url) ? url : null;
}

function hasOnlyRedirectText(document: Document): boolean {
  const isSkipped = (node: object) => "name" in node && node.name === "noscript";
  const text = separatedText(bodyOf(document), { maxChars: 2 * MAX_TEXT_CHARS, isSkipped });
  const { length } = text.replace(/\s+/g, " ").trim();
  return length <= (REDIRECTS.test(text) ? MAX_TEXT_CHARS : MAX_OTHER_TEXT_CHARS);
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
