import { toRegExp } from "../../lib/to-reg-exp";
import type { PageFeatures } from "./features";
import table from "./vendors.json";

/** A rule that recognizes a vendor's block page. A page matches if it meets all conditions of the rule. */
interface VendorRule {
  vendor: string;
  /** The name of a response header, and the pattern of its value. */
  header?: string;
  headerValue?: RegExp;
  /** The ids, class names or `name` attributes that the page must contain. */
  names?: readonly string[];
  source?: RegExp;
  script?: RegExp;
  title?: RegExp;
  text?: RegExp;
  /** The maximum length of the page's text, in characters. */
  maxTextChars?: number;
  /** The page must have no form fields, and only scripts of vendors. Ordinary apps also load their own scripts. */
  vendorScriptsOnly?: true;
  /** The reason for the rule's conditions. */
  why?: string;
}

/** The URLs of scripts that block pages load. */
const VENDOR_SCRIPT =
  /\bawswaf\.com\/|\/__qrator\/|\/sbbi\/|\/ac(_v\d)?\.lib\.js|^\/[\da-f]{8}(-[\da-f]{4,}){4}|kramericaindustries|safeline|chaitin|\/jquery[\w.-]*\.js/i;
/** If a rule recognizes a block page by its title, its text or its length, the page has at most this many links. */
const MAX_WEAK_LINKS = 10;

/** The keys of the table whose values are patterns. */
const PATTERNS: ReadonlySet<string> = new Set(["headerValue", "source", "script", "title", "text"]);

/**
 * The rules for the block pages of known vendors. Ordinary pages of a protected site may load the vendor's scripts and
 * frames, too. A script or frame is sufficient for a rule only if no ordinary page loads it.
 */
export const VENDOR_RULES = table.rules.map(compilePatterns) as unknown as readonly VendorRule[];

function compilePatterns(entry: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, PATTERNS.has(key) ? toRegExp(value) : value]),
  );
}

/** Returns true if the page and the response headers meet all conditions of a rule. */
export function matchesRule(
  rule: VendorRule,
  page: PageFeatures,
  headers: { get(name: string): string | null | undefined },
): boolean {
  const isWeak = rule.title !== undefined || rule.text !== undefined || rule.maxTextChars !== undefined;
  if (isWeak && page.links > MAX_WEAK_LINKS) return false;
  return (
    (rule.headerValue === undefined || rule.headerValue.test(headers.get(rule.header ?? "") ?? "")) &&
    (rule.names === undefined || rule.names.every((name) => page.names.has(name))) &&
    (rule.source === undefined || rule.source.test(page.sources)) &&
    (rule.script === undefined || rule.script.test(page.scripts)) &&
    (rule.title === undefined || rule.title.test(page.title)) &&
    (rule.text === undefined || rule.text.test(page.text)) &&
    (rule.maxTextChars === undefined || page.text.length <= rule.maxTextChars) &&
    (rule.vendorScriptsOnly === undefined || hasVendorScriptsOnly(rule, page))
  );
}

function hasVendorScriptsOnly({ source }: VendorRule, page: PageFeatures): boolean {
  return page.fields === 0 && page.scriptSources.every((one) => VENDOR_SCRIPT.test(one) || source?.test(one) === true);
}

/** A captcha service. Ordinary pages embed its captcha, too, so it alone doesn't prove a block page. */
export interface Captcha {
  vendor: string;
  names: readonly string[];
  source: RegExp;
  /** Matches the script code that starts the captcha. Set for captchas that need no element on the page. */
  script?: RegExp;
}

const CAPTCHAS = table.captchas.map(compilePatterns) as unknown as readonly Captcha[];

/** Titles that announce a check of the browser, and titles without information: a host name or an empty title. */
const WAITING =
  /^(please wait|just a moment|one moment|one more step|hold on|attention required|captcha)\W*$|^[\w-]+(\.[\w-]+)+$|^$/i;
const APP_ROOTS = ["root", "app", "__next", "__nuxt", "___gatsby"];

/** Returns the first known captcha on the page, or undefined if there is none. */
export function findCaptcha(page: PageFeatures): Captcha | undefined {
  return CAPTCHAS.find(({ names, source, script }) => {
    if (names.some((name) => page.names.has(name))) return true;
    return script?.test(page.scripts) === true && source.test(page.sources);
  });
}

/**
 * Returns true if the page consists only of the captcha. An app that hasn't rendered yet is empty, too, but its page
 * has a root element, other scripts or a title.
 */
export function isCaptchaOnly({ source }: Captcha, page: PageFeatures): boolean {
  const isEmpty = page.text === "" && page.scriptSources.every((one) => source.test(one));
  return isEmpty && WAITING.test(page.title) && !APP_ROOTS.some((name) => page.names.has(name));
}
