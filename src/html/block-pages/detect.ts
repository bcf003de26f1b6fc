import { type PageFeatures, readFeatures } from "./features";
import { demandsProof, mentionsRobots } from "./phrases";
import { type Captcha, findCaptcha, isCaptchaOnly, matchesRule, VENDOR_RULES } from "./vendors";

export interface ReceivedPage {
  status: number;
  headers: { get(name: string): string | null | undefined };
  html: string;
}

/** A page with more text isn't a block page. */
const MAX_BLOCK_PAGE_CHARS = 2_000;
/** The limits for a block page of an unknown vendor that was served with a success status. */
const MAX_UNKNOWN_CHARS = 600;
const MAX_UNKNOWN_LINKS = 6;
/** The limit for a demand without a captcha and without links. */
const MAX_DEMAND_CHARS = 160;
/**
 * The limit for other text on a page whose captcha is in no form. It allows the label of a button. A contact page has
 * more, and its script may make the form.
 */
const MAX_OTHER_CHARS = 10;
/** The first characters of a page, which hold a block page's demand. */
const BEGINNING_CHARS = 250;
/** The statuses that refuse a request. The others report a missing page or a failure. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 405, 406, 429, 503]);
/** Code of a challenge that solves itself and continues. */
const CONTINUES = /\blocation\.reload\(|\.submit\(\)/;
/** Beginnings of contact pages, which have a captcha and a form that a script may make. */
const CONTACT = /^(contact|kontakt|contatt|contato|nous contacter|iletişim|контакт|お問い合わせ|联系|聯絡|문의)/i;

/**
 * Returns the vendor of the block page that was served instead of the page ("captcha" if it is unknown), or null if
 * this is a page. A page may contain captchas.
 */
export function detectBlockPage({ status, headers, html }: ReceivedPage): string | null {
  const page = readFeatures(html, MAX_BLOCK_PAGE_CHARS);
  if (page === null) return null;
  return VENDOR_RULES.find((rule) => matchesRule(rule, page, headers))?.vendor ?? detectUnknownVendor(page, status);
}

function detectUnknownVendor(page: PageFeatures, status: number): string | null {
  if (page.fields > 0) return null;
  const captcha = findCaptcha(page);
  const isBlockPage = status >= 400 ? isRefusal(page, captcha, status) : isChallenge(page, captcha);
  return isBlockPage ? (captcha?.vendor ?? "captcha") : null;
}

/** Returns true if an error page comes from a bot protection and not from the site. */
function isRefusal(page: PageFeatures, captcha: Captcha | undefined, status: number): boolean {
  if (demandsProof(wordsOf(page)) || mentionsRobots(wordsOf(page))) return true;
  return captcha !== undefined && isShort(page) && (REFUSALS.has(status) || isCaptchaOnly(captcha, page));
}

/** Returns true if a page that was served with a success status demands a proof and offers nothing else. */
function isChallenge(page: PageFeatures, captcha: Captcha | undefined): boolean {
  if (!isShort(page) || page.sections > 0 || CONTACT.test(page.title) || CONTACT.test(page.lines)) return false;
  const canBeSolved = captcha !== undefined || page.hasChallenge;
  const beginning = `${page.title}\n${page.lines.slice(0, BEGINNING_CHARS)}`;
  if ((canBeSolved || CONTINUES.test(page.scripts)) && demandsProof(beginning)) return true;
  if (isBrief(page) && demandsProof(longestLine(wordsOf(page)))) return true;
  if (canBeSolved && (page.isInForm || hasNoOtherText(page)) && mentionsRobots(wordsOf(page))) return true;
  return captcha !== undefined && isCaptchaOnly(captcha, page);
}

const isShort = ({ text, links }: PageFeatures): boolean =>
  text.length <= MAX_UNKNOWN_CHARS && links <= MAX_UNKNOWN_LINKS;
const isBrief = ({ text, links }: PageFeatures): boolean => text.length <= MAX_DEMAND_CHARS && links === 0;
const wordsOf = ({ title, lines }: PageFeatures): string => `${title}\n${lines}`;
const longestLine = (lines: string): string => lines.split("\n").reduce((a, b) => (b.length > a.length ? b : a), "");

function hasNoOtherText({ lines }: PageFeatures): boolean {
  const others = lines.split("\n").filter((line) => !mentionsRobots(line) && !demandsProof(line));
  return others.join("").length <= MAX_OTHER_CHARS;
}
