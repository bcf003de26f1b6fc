import { type Outline, toOutline } from "./outline";
import { demandsProof, remarksOnRobots } from "./requests";
import { fits, SIGNS } from "./signs";
import { isAlone, type Widget, widgetOf } from "./widgets";

export interface Answer {
  status: number;
  headers: { get(name: string): string | null | undefined };
  html: string;
  /** Its visible text, where that is known already. */
  text?: string;
}

/** Whatever says more than this is a page. */
const MAX_WALL_CHARS = 2_000;
/** A wall of no known make that is answered like a page says no more, and leads to no more places. */
const MAX_UNKNOWN_CHARS = 600;
const MAX_UNKNOWN_LINKS = 6;
/** A demand without anything to solve says no more, and leads nowhere. */
const MAX_DEMAND_CHARS = 160;
/** Of a page whose captcha stands in no form: a contact page's may be made by its script. The word on a button. */
const MAX_ELSE_CHARS = 10;
/** Where a wall's demand stands, counted from its beginning. */
const MAX_DEMAND_AT = 250;
/** What a server refuses with, rather than having nothing or failing. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 405, 406, 429, 503]);
/** What a wall does that solves itself. */
const GOES_ON = /\blocation\.reload\(|\.submit\(\)/;
/** Pages that have a captcha, and a form that a script may make. */
const CONTACT = /^(contact|kontakt|contatt|contato|nous contacter|iletişim|контакт|お問い合わせ|联系|聯絡|문의)/i;

/** The name of the captcha or bot wall that was served in place of the page; null for a page, whatever it has of captchas. */
export function wallOf({ status, headers, html, text = "" }: Answer): string | null {
  if (text.length > MAX_WALL_CHARS) return null;
  const page = toOutline(html, MAX_WALL_CHARS);
  if (page === null) return null;
  return SIGNS.find((sign) => fits(sign, page, headers))?.wall ?? unknownWall(page, status);
}

function unknownWall(page: Outline, status: number): string | null {
  if (page.fields > 0) return null;
  const widget = widgetOf(page);
  const isWall = status >= 400 ? isRefusal(page, widget, status) : isServed(page, widget);
  return isWall ? (widget?.wall ?? "captcha") : null;
}

/** An error that a wall made, and not the page. */
function isRefusal(page: Outline, widget: Widget | undefined, status: number): boolean {
  if (demandsProof(saidBy(page)) || remarksOnRobots(saidBy(page))) return true;
  return widget !== undefined && isShort(page) && (REFUSALS.has(status) || isAlone(widget, page));
}

/** A page that asks for proof and for nothing else, and offers nothing else. */
function isServed(page: Outline, widget: Widget | undefined): boolean {
  if (!isShort(page) || page.sections > 0 || CONTACT.test(page.title) || CONTACT.test(page.lines)) return false;
  const canBeSolved = widget !== undefined || page.hasChallenge;
  const beginning = `${page.title}\n${page.lines.slice(0, MAX_DEMAND_AT)}`;
  if ((canBeSolved || GOES_ON.test(page.scripts)) && demandsProof(beginning)) return true;
  if (isBrief(page) && demandsProof(longestLine(saidBy(page)))) return true;
  if (canBeSolved && (page.isFormed || saysNothingElse(page)) && remarksOnRobots(saidBy(page))) return true;
  return widget !== undefined && isAlone(widget, page);
}

const isShort = ({ text, links }: Outline): boolean => text.length <= MAX_UNKNOWN_CHARS && links <= MAX_UNKNOWN_LINKS;
const isBrief = ({ text, links }: Outline): boolean => text.length <= MAX_DEMAND_CHARS && links === 0;
const saidBy = ({ title, lines }: Outline): string => `${title}\n${lines}`;
const longestLine = (lines: string): string => lines.split("\n").reduce((a, b) => (b.length > a.length ? b : a), "");

function saysNothingElse({ lines }: Outline): boolean {
  const others = lines.split("\n").filter((line) => !remarksOnRobots(line) && !demandsProof(line));
  return others.join("").length <= MAX_ELSE_CHARS;
}
