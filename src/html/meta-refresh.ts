import { type Document, Element } from "domhandler";
import { findMountElement, LOADING } from "./has-content";
import { readLinks } from "./links";
import { hasSource, scriptsIn } from "./page/scripts";
import { bodyOf, headOf, parseDocument } from "./parse/document";
import { attribute, elementsUnder, findElement, separatedText } from "./parse/dom";
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
const CONTENT =
  /^\s*(?:(\d+)(?:\.[\d.]*)?|\.[\d.]*)(?:(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))|$)/is;

/** A page that only redirects has at most this much markup, code and text. */
const MAX_REDIRECT_HTML_CHARS = 50_000;
const MAX_CODE_CHARS = 5_000;
const MAX_TEXT_CHARS = 300;
const MAX_LOADING_CHARS = 100;
const MAX_OTHER_TEXT_CHARS = 20;
/** The text of a page that only redirects. The visitor or the page is redirected, not a bus or a letter. */
const REDIRECTS =
  /(?<!\p{L})(?:you|page|browser|being|automatically|sie|du|seite|vous|être|usted|te|le|ser[áa]s?|siendo|página|você|está)(?!\p{L})[^.]{0,40}(?:redirected|weiter(?:ge)?leit|redirig|redirec(?!t))|redirecting(?= ?(?:you\b|to\b|…|\.{2}|$))|(?<!\p{L})weiterleitung|reindirizz|doorgestuurd|yönlendir|перенаправ|przekierow|omdirig|viderestil|přesměr|átirány|リダイレクト|自動的に(?:移動|ジャンプ)|跳转|跳轉|重定向|이동합니다/iu;
/** Matches code that leads to another page. Its groups have a target in quotes, or the name of a variable. */
const NAVIGATION =
  /(?:(?<![\w$])location(?:(?:\.(?:href|search|pathname)|\[["']href["']\])?\s*=(?!=)\s*|\.(?:replace|assign|reload)\(\s*)|\.submit\(\s*\))(?:(["'`])((?:(?!\1)[^\\\n]|\\.){1,2000})\1|([\w$]+(?![\w$])))?(?!\s*[+.([])/g;
/** Matches the assignment to a variable. Its groups have the name, and the value if it is only a text in quotes. */
const ASSIGNMENT = /(?<![\w$.])([\w$]+)\s*=(?![=>])\s*(?:(["'`])((?:(?!\2)[^\\\n]|\\.){1,2000})\2(?!\s*[+.]))?/g;
/** Matches code that stores something for the target, or that leads only some visitors to it. */
const DEPENDS_ON_VISITOR = /document\.cookie|(?:local|session)Storage|navigator\.|innerWidth|matchMedia/;
const IS_CONDITIONAL = /\bif\b|\?|&&|\|\|/;
/** The elements of a page that may have other content than text. */
const SHOWN = new Set("img picture svg video audio canvas iframe object embed input select textarea".split(" "));

/**
 * Returns the first `<meta http-equiv=refresh>` that leads to an http or https URL, which may be the page itself.
 * Returns null if the page has none. Ignores comments, <noscript> and <template>.
 */
export function metaRefresh(html: string, pageUrl: string): Refresh | null {
  if (!HINT.test(html)) return null;
  const document = parseDocument(html);
  const base = baseUrl(document, pageUrl);
  let reload: Refresh | null = null;
  for (const meta of headOf(document).children) {
    if (!(meta instanceof Element) || meta.attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") continue;
    const content = meta.attribs.content ?? "";
    const refresh = parseRefresh(content, base);
    if (refresh) return refresh;
    reload ??= parseRefresh(content, base, pageUrl);
  }
  return reload;
}

/** Returns the target of a page that only leads to another page: by a refresh in <noscript>, or by a script. */
export function onlyRedirect(html: string, pageUrl: string): { url: string; byScript: boolean } | null {
  if (html.length > MAX_REDIRECT_HTML_CHARS || !/refresh|location|submit/i.test(html)) return null;
  const document = parseDocument(html);
  const base = baseUrl(document, pageUrl);
  if (textOf(document).length > MAX_TEXT_CHARS) return null;
  for (const { name, parent, attribs } of elementsUnder(document)) {
    if (name !== "meta" || attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") continue;
    const isInNoscript = parent instanceof Element && parent.name === "noscript";
    const refresh = isInNoscript ? parseRefresh(attribs.content ?? "", base) : null;
    if (refresh) return { url: refresh.url, byScript: false };
  }
  const url = scriptRedirect(html, document, pageUrl)?.url ?? null;
  return url === null ? null : { url, byScript: true };
}

/**
 * Returns the address to which the scripts of a page without content redirect. It is null if it isn't obvious. Returns
 * null if the page doesn't only redirect.
 */
export function scriptRedirect(html: string, document: Document, pageUrl: string): { url: string | null } | null {
  if (html.length > MAX_REDIRECT_HTML_CHARS || !hasOnlyRedirectText(document)) return null;
  if (findMountElement(document) !== "none") return null;
  const inline = scriptsIn(html).map((script) => (hasSource(script) ? "" : script.code));
  const code = [attribute(bodyOf(document), "onload"), ...inline].join("\n");
  if (code.length > MAX_CODE_CHARS) return null;
  const navigations = [...code.matchAll(NAVIGATION)];
  if (navigations.length === 0) return null;
  const values = readValues(code);
  const targets = new Set(navigations.map(([, , literal, name]) => literal ?? values.get(name ?? "") ?? null));
  const base = baseUrl(document, pageUrl);
  const [target = null] = targets;
  const dependsOnVisitor = DEPENDS_ON_VISITOR.test(code);
  if (dependsOnVisitor || targets.size !== 1 || target === null || target.includes("${")) {
    if (saysRedirect(html, document)) {
      const [link, ...others] = dependsOnVisitor ? [] : readLinks(document, { baseUrl: base });
      return { url: others.length === 0 ? (link?.url ?? null) : null };
    }
    const isShown = ({ name, attribs }: Element) => SHOWN.has(name) && attribs.type !== "hidden";
    return findElement(bodyOf(document), isShown) === undefined ? { url: null } : null;
  }
  const url = absoluteUrl(unescapeScript(target), base);
  if (url === null || !/^https?:/.test(url) || isPosition(url, pageUrl)) return null;
  return { url: url === pageUrl && IS_CONDITIONAL.test(code.replace(target, "")) ? null : url };
}

/** Returns the values of the variables to which the code assigns one text. The value of other variables is null. */
function readValues(code: string): ReadonlyMap<string, string | null> {
  const values = new Map<string, string | null>();
  for (const [, name = "", , literal = null] of code.matchAll(ASSIGNMENT))
    values.set(name, values.has(name) ? null : literal);
  return values;
}

function unescapeScript(literal: string): string {
  return literal.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gi, (_, unicode, hex, char) =>
    char === undefined ? String.fromCharCode(Number.parseInt(unicode ?? hex, 16)) : char,
  );
}

/** Returns true if the URL is a position on the page, such as the address of a view in a script's router. */
function isPosition(url: string, pageUrl: string): boolean {
  return url.includes("#") && url.replace(/#.*$/s, "") === pageUrl.replace(/#.*$/s, "");
}

/** Returns true if the page has no text except that of a redirect or of a short loading message. */
export function hasOnlyRedirectText(document: Document): boolean {
  const text = textOf(document);
  if (REDIRECTS.test(text)) return text.length <= MAX_TEXT_CHARS;
  return text.length <= (LOADING.test(text) ? MAX_LOADING_CHARS : MAX_OTHER_TEXT_CHARS);
}

/** Returns true if the page says that it redirects, and almost nothing else. */
export function saysRedirect(html: string, document: Document): boolean {
  if (html.length > MAX_REDIRECT_HTML_CHARS) return false;
  const text = textOf(document);
  return text.length <= MAX_TEXT_CHARS && REDIRECTS.test(text);
}

/** Returns the page's text. A page of at most MAX_REDIRECT_HTML_CHARS has little markup, so its whole text is read. */
function textOf(document: Document): string {
  const isSkipped = (node: object) => "name" in node && node.name === "noscript";
  return separatedText(bodyOf(document), { maxChars: MAX_REDIRECT_HTML_CHARS, isSkipped }).replace(/\s+/g, " ").trim();
}

/**
 * Parses the `content` attribute of a refresh. Resolves its URL against `base`. Without a URL, the target is
 * `reloadUrl`. Returns null if it has no http or https URL.
 */
export function parseRefresh(content: string, base: string, reloadUrl: string | null = null): Refresh | null {
  const match = CONTENT.exec(content);
  if (!match) return null;
  const [, seconds = "0", ...addresses] = match;
  const address = addresses.find((part) => part !== undefined)?.trim();
  const url = address ? absoluteUrl(address, base) : reloadUrl;
  return url && /^https?:/.test(url) ? { delaySeconds: Number(seconds), url } : null;
}
