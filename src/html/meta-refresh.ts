import { type Document, Element } from "domhandler";
import { unescapeScript } from "../lib/text";
import { META_REFRESH_MAX_S } from "../model/page-limits";
import { findMountElement, LOADING, SCRIPT } from "./has-content";
import { readLinks } from "./links";
import { hasSource, type Script, scriptsIn } from "./page/scripts";
import { bodyOf, headOf, parseDocument } from "./parse/document";
import { attribute, elementsUnder, findElement, separatedText } from "./parse/dom";
import { absoluteUrl, baseUrl } from "./parse/urls";

export interface Refresh {
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
/** A page that refreshes earlier only leads to another page. */
const MIN_READING_S = 2;
const MAX_OTHER_TEXT_CHARS = 20;
const MAX_NAVIGATIONS = 20;
const MAX_BLOCK_DEPTH = 50;
/** The maximum length of a message for visitors without scripts. */
const MAX_NOTICE_CHARS = 2_000;
/** The text of a page that only redirects. The visitor or the page is redirected, not a bus or a letter. */
const REDIRECTS =
  /(?<!\p{L})(?:you|page|browser|being|automatically|sie|du|seite|vous|être|usted|te|le|ser[áa]s?|siendo|página|você|está)(?!\p{L})[^.]{0,40}(?:redirected|weiter(?:ge)?leit|redirig|redirec(?!t))|redirecting(?= ?(?:you\b|to\b|…|\.{2}|$))|(?<!\p{L})weiterleitung|reindirizz|doorgestuurd|yönlendir|перенаправ|przekierow|omdirig|viderestil|přesměr|átirány|リダイレクト|自動的に(?:移動|ジャンプ)|跳转|跳轉|重定向|이동합니다/iu;
/** Matches comments, and texts in quotes. Its groups have the timer before the text, the quote and the text. */
const COMMENT_OR_TEXT = /\/\*[\s\S]*?(?:\*\/|$)|(?<![:\\])\/\/.*|(setTimeout\(\s*)?(["'`])((?:(?!\2)[^\\\n]|\\.)*)\2/g;
/** Matches code that leads to another page. Its groups have a target in quotes, or the name of a variable. */
const NAVIGATION =
  /(?:(?<![\w$])location(?:(?:\.(?:href|search|pathname)|\[["']href["']\])?\s*=(?!=)\s*|\.(?:replace|assign|reload)\(\s*)|\.submit\(\s*\))(?:(["'`])((?:(?!\1)[^\\\n]|\\.){1,2000})\1|([\w$]+(?![\w$])))?(?!\s*[+.([])/g;
/** Matches the assignment to a variable. Its groups have the name, and the value if it is only a text in quotes. */
const ASSIGNMENT = /(?<![\w$.])([\w$]+)\s*=(?![=>])\s*(?:(["'`])((?:(?!\2)[^\\\n]|\\.){1,2000})\2(?!\s*[+.]))?/g;
/** Matches code that stores something for the target, or that leads only some visitors to it. */
const DEPENDS_ON_VISITOR = /document\.cookie|(?:local|session)Storage|navigator\.|innerWidth|screen\.|matchMedia/;
/** Matches the beginnings of statements and blocks that run only in some cases. */
const IS_CONDITIONAL = /\b(?:if|else|for|while|switch|case|catch|setInterval)\b|\?|&&|\|\||:\s*(?:async\s*)?function\b/;
/** Matches the beginning of the block of a method. */
const METHOD = /^\s*(?!function\b)[\w$]+\([^()]*\)\s*$/;
/** Matches the beginning of a block that runs only after another event than the loading of the page. */
const AWAITS_EVENT =
  /(?:\.on(?!load\b|pageshow\b|readystatechange\b)[a-z]+\s*=|\.(?:click|submit|change|keyup)\(|\b(?:addEventListener|on|bind)\(\s*["'`](?!load|ready|DOMContentLoaded|pageshow))/;
/** Matches the beginning of the block of a function with a name. Its group has the name. */
const NAMED_FUNCTION =
  /(?:function\s{1,20}([\w$]{1,80})\s{0,20}\([^()]{0,300}\)|(?<![\w$])([\w$]{1,80})\s{0,20}=(?:\s{0,20}(?:async\s{1,20})?function\b.{0,300}|[^=]{0,300}=>))\s{0,20}$/s;
/** Matches the end of the call of a timer that takes at least ten seconds. */
const LATE = /^[^{}]{0,1000}\}?\s{0,20},\s{0,20}\d{5,}\s{0,20}\)/;
/** Matches the end of a statement. A line break doesn't end a statement after an operator, a parenthesis or `else`. */
const STATEMENT_END = /;|(?<=[\w$"'`\]])(?<!\belse)\s*\n/;
/** The types of scripts that run. */
const SCRIPT_TYPE = /^(?:$|module$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i;
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

/**
 * A redirect of a page without content. It is by `noscript` if only visitors without scripts are redirected, and by
 * `refresh` if all are.
 */
export interface OnlyRedirect {
  url: string;
  by: "refresh" | "script" | "noscript";
}

/** Returns the target of a page that only leads to another page: by a refresh in <noscript>, or by a script. */
export function onlyRedirect(html: string, pageUrl: string): OnlyRedirect | null {
  if (html.length > MAX_REDIRECT_HTML_CHARS || !/refresh|location|submit/i.test(html)) return null;
  const document = parseDocument(html);
  if (textOf(document).length > MAX_TEXT_CHARS) return null;
  const scripted = scriptRedirect(html, document, pageUrl)?.url ?? null;
  const url = noscriptRefresh(document, pageUrl);
  if (url !== null) return { url, by: url === scripted || !SCRIPT.test(html) ? "refresh" : "noscript" };
  return scripted === null ? null : { url: scripted, by: "script" };
}

/** Returns the target of the first refresh in a <noscript> that is due within META_REFRESH_MAX_S, or null. */
function noscriptRefresh(document: Document, pageUrl: string): string | null {
  for (const { name, parent, attribs } of elementsUnder(document)) {
    if (name !== "meta" || attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") continue;
    const isInNoscript = parent instanceof Element && parent.name === "noscript";
    const refresh = isInNoscript ? parseRefresh(attribs.content ?? "", baseUrl(document, pageUrl)) : null;
    if (refresh && refresh.delaySeconds <= META_REFRESH_MAX_S) return refresh.url;
  }
  return null;
}

/** Returns true if the page is a short message about JavaScript, for visitors without it. */
export function isScriptNotice(html: string): boolean {
  if (html.length > MAX_REDIRECT_HTML_CHARS || !/java\s?script/i.test(html)) return false;
  const document = parseDocument(html);
  const text = textOf(document);
  return text.length <= MAX_NOTICE_CHARS && /java\s?script/i.test(text);
}

/**
 * Returns the address to which the scripts of a page without content redirect. It is null if it isn't obvious. Returns
 * null if the page doesn't only redirect.
 */
export function scriptRedirect(html: string, document: Document, pageUrl: string): { url: string | null } | null {
  if (html.length > MAX_REDIRECT_HTML_CHARS || !hasOnlyRedirectText(document)) return null;
  if (findMountElement(document) !== "none") return null;
  const code = [attribute(bodyOf(document), "onload"), runningCode(html)].join("\n");
  if (code.length > MAX_CODE_CHARS) return null;
  const navigations = readNavigations(code);
  if (navigations.length === 0) return null;
  const targets = new Set(navigations.map(({ target }) => target));
  const base = baseUrl(document, pageUrl);
  const [target = null] = targets;
  const dependsOnVisitor = DEPENDS_ON_VISITOR.test(code);
  const isCertain = !dependsOnVisitor && targets.size === 1 && navigations.some((navigation) => navigation.isCertain);
  if (!isCertain || target === null || target.includes("${")) {
    if (saysRedirect(html, document)) {
      const [link, ...others] = dependsOnVisitor ? [] : readLinks(document, { baseUrl: base });
      return { url: others.length === 0 ? (link?.url ?? null) : null };
    }
    const isShown = ({ name, attribs }: Element) => SHOWN.has(name) && attribs.type !== "hidden";
    return findElement(bodyOf(document), isShown) === undefined ? { url: null } : null;
  }
  const url = absoluteUrl(unescapeScript(target), base);
  return url === null || !/^https?:/.test(url) || isPosition(url, pageUrl) ? null : { url };
}

/** Returns the code of the page's own scripts. Other scripts are files, data or templates. */
function runningCode(html: string): string {
  const isCode = (script: Script) =>
    !hasSource(script) && SCRIPT_TYPE.test(/\btype\s*=\s*["']?([^"'\s]*)/i.exec(script.attributes)?.[1] ?? "");
  return scriptsIn(html)
    .map((script) => (isCode(script) ? script.code : ""))
    .join("\n");
}

/**
 * Returns the navigations that happen soon, without an event such as a click. Ignores comments, and texts other than
 * those of timers. Returns none for more than MAX_NAVIGATIONS. The target is null if the code computes it. `isCertain` is
 * false if the page navigates only in some cases.
 */
function readNavigations(source: string): { target: string | null; isCertain: boolean }[] {
  const code = source.replace(COMMENT_OR_TEXT, (all, timer, quote, text) => {
    if (quote === undefined) return " ";
    if (timer !== undefined) return timer + text;
    return /location|submit/.test(text) && /["'`(]/.test(text) ? '""' : all;
  });
  const found = [...code.matchAll(NAVIGATION)];
  if (found.length > MAX_NAVIGATIONS) return [];
  const values = readValues(code);
  const masked = code.replace(COMMENT_OR_TEXT, (text) => text.replace(/[{}();?&|]/g, "_"));
  const isUsed = (name: string) => masked.split(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`)).length > 2;
  const navigations: ReturnType<typeof readNavigations> = [];
  for (const { 0: all, index, 2: literal, 3: variable = "" } of found) {
    const heads = openBlocks(masked.slice(0, index));
    const runsLater = (head: string) => {
      const [, declared, assigned = declared] = NAMED_FUNCTION.exec(head) ?? [];
      return AWAITS_EVENT.test(head) || (assigned !== undefined && assigned !== "onload" && !isUsed(assigned));
    };
    const isLate = heads.some((head) => head.includes("setTimeout")) && LATE.test(code.slice(index + all.length));
    if (isLate || heads.some(runsLater)) continue;
    const isConditional =
      heads.some((head) => IS_CONDITIONAL.test(head)) || heads.slice(0, -1).some((head) => METHOD.test(head));
    navigations.push({ target: literal ?? values.get(variable) ?? null, isCertain: !isConditional });
  }
  return navigations;
}

/** Returns the beginnings of the statement and of the blocks that are open at the end of the code. */
function openBlocks(code: string): string[] {
  let open = code;
  let length = -1;
  for (let depth = 0; depth < MAX_BLOCK_DEPTH && length !== open.length; depth++) {
    length = open.length;
    open = open.replace(/\{[^{}]*\}(\s*[,)])?/g, (_, after) => after ?? ";");
  }
  return open.split("{").map((part) => part.split(STATEMENT_END).at(-1) ?? "");
}

/** Returns the values of the variables to which the code assigns one text. The value of other variables is null. */
function readValues(code: string): ReadonlyMap<string, string | null> {
  const values = new Map<string, string | null>();
  for (const [, name = "", , literal = null] of code.matchAll(ASSIGNMENT))
    values.set(name, values.has(name) ? null : literal);
  return values;
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

/** Returns true if the page has text, and its refresh leaves a reader the time to read it. */
export function isLivePage(html: string, { delaySeconds }: Refresh): boolean {
  if (delaySeconds < MIN_READING_S) return false;
  return html.length > MAX_REDIRECT_HTML_CHARS || textOf(parseDocument(html)).length > MAX_TEXT_CHARS;
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
