import { type PageFeatures, readFeatures } from "./features";
import { findNotice } from "./notice";
import { demandsProof, mentionsRobots } from "./robots";
import { type Captcha, findCaptcha, isCaptchaOnly, matchesRule, VENDOR_RULES } from "./vendors";

export interface ReceivedPage {
  status: number;
  headers: { get(name: string): string | null | undefined };
  html: string;
}

/** The maximum length of a block page's text. A page with more text is an ordinary page. */
const MAX_BLOCK_PAGE_CHARS = 2_000;
/** A block page from an unknown vendor has at most this much text. */
const MAX_UNKNOWN_CHARS = 600;
/** A block page from an unknown vendor has at most this many links. */
const MAX_UNKNOWN_LINKS = 6;
/** The minimum score of a page that only refuses the request. */
const MIN_SCORE = 0;
/** A page that only refuses the request has at most this many links outside of the site's boilerplate. */
const MAX_LINKS_OF_NOTICE = 12;
/** A block page without a captcha and without links has at most this much text. */
const MAX_DEMAND_CHARS = 160;
/**
 * A block page whose captcha isn't in a form has at most this much other text, such as the label of a button. A contact
 * page has more text, and a script may create its form later.
 */
const MAX_OTHER_CHARS = 10;
/** The demand to prove that the reader is human must be in this many characters at the start of the page. */
const BEGINNING_CHARS = 250;
/** The error statuses that bot protection sends. Other statuses report a missing page or a server error. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 405, 406, 429, 503]);
/** Script code that reloads or submits the page after an automatic challenge. */
const CONTINUES = /\blocation\.reload\(|\.submit\(\)/;
/**
 * The first words of contact pages. A contact page has a captcha, but it may have no form until a script creates one.
 */
const CONTACT = /^(contact|kontakt|contatt|contato|nous contacter|iletişim|контакт|お問い合わせ|联系|聯絡|문의)/i;

/**
 * Returns the vendor of a block page, or "captcha" if the vendor is unknown. Returns null for an ordinary page, even if
 * it contains a captcha.
 */
export function detectBlockPage({ status, headers, html }: ReceivedPage): string | null {
  const page = readFeatures(html, MAX_BLOCK_PAGE_CHARS);
  if (page === null) return null;
  return VENDOR_RULES.find((rule) => matchesRule(rule, page, headers))?.vendor ?? detectUnknownVendor(page, status);
}

function detectUnknownVendor(page: PageFeatures, status: number): string | null {
  if (status < 400 && isRefusalNotice(page)) return findCaptcha(page)?.vendor ?? "captcha";
  if (page.fields > 0) return null;
  const captcha = findCaptcha(page);
  const isBlockPage = status >= 400 ? isRefusal(page, captcha, status) : isChallenge(page, captcha);
  return isBlockPage ? (captcha?.vendor ?? "captcha") : null;
}

/** Returns true if an error page comes from bot protection, false if it comes from the site itself. */
function isRefusal(page: PageFeatures, captcha: Captcha | undefined, status: number): boolean {
  if (demandsProof(wordsOf(page)) || mentionsRobots(wordsOf(page))) return true;
  return captcha !== undefined && isShort(page) && (REFUSALS.has(status) || isCaptchaOnly(captcha, page));
}

/** Returns true for a page with a success status and no content except the demand to prove that the reader is human. */
function isChallenge(page: PageFeatures, captcha: Captcha | undefined): boolean {
  if (!isShort(page) || page.sections > 0 || CONTACT.test(page.title) || CONTACT.test(page.lines)) return false;
  const canBeSolved = captcha !== undefined || page.hasChallenge;
  const beginning = `${page.title}\n${page.lines.slice(0, BEGINNING_CHARS)}`;
  if ((canBeSolved || CONTINUES.test(page.scripts)) && demandsProof(beginning)) return true;
  if (isBrief(page) && demandsProof(longestLine(wordsOf(page)))) return true;
  if (canBeSolved && (page.isInForm || hasNoOtherText(page)) && mentionsRobots(wordsOf(page))) return true;
  return captcha !== undefined && isCaptchaOnly(captcha, page);
}

/** Returns true for a page with a success status whose text only says that the request was refused. */
function isRefusalNotice(page: PageFeatures): boolean {
  if (page.fields > 2 || page.linksOutside > MAX_LINKS_OF_NOTICE) return false;
  // A form with a captcha demands the proof, too.
  if (page.fields > 0 && demandsProof(wordsOf(page))) return false;
  // A single line is the hidden message of a page that its scripts fill in.
  if (page.outside.length === 1 && page.links > MAX_LINKS_OF_NOTICE) return false;
  return findNotice("refusal", { title: page.title, lines: page.outside }, MIN_SCORE) !== null;
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
