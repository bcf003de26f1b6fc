import { type Outline, toOutline } from "./walls/outline";
import { demandsProof, remarksOnRobots } from "./walls/requests";
import { fits, SIGNS } from "./walls/signs";

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
/** Titles of what is on its way, and of nothing: a host's name. */
const WAITING =
  /^(please wait|just a moment|one moment|one more step|hold on|attention required|captcha)\W*$|^[\w-]+(\.[\w-]+)+$|^$/i;
/** Pages that have a captcha, and a form that a script may make. */
const CONTACT = /^(contact|kontakt|contatt|contato|nous contacter|iletişim|контакт|お問い合わせ|联系|聯絡|문의)/i;
const APP_ROOTS = ["root", "app", "__next", "__nuxt", "___gatsby"];

interface Widget {
  wall: string;
  names: readonly string[];
  /** Where its scripts come from. */
  source: RegExp;
  /** How an inline script begins it, where it has no element of its own. */
  script?: RegExp;
}

const WIDGETS: readonly Widget[] = [
  { wall: "Cloudflare Turnstile", names: ["cf-turnstile"], source: /challenges\.cloudflare\.com\// },
  { wall: "reCAPTCHA", names: ["g-recaptcha"], source: /\/recaptcha\// },
  { wall: "hCaptcha", names: ["h-captcha"], source: /hcaptcha\.com\// },
  { wall: "Yandex SmartCaptcha", names: ["smart-captcha"], source: /smartcaptcha\./ },
  { wall: "Friendly Captcha", names: ["frc-captcha"], source: /friendly-?challenge|friendlycaptcha/ },
  {
    wall: "Tencent Captcha",
    names: ["TencentCaptcha"],
    source: /\bTCaptcha[\w-]*\.js|captcha\.(qq\.com|qcloud\.com|gtimg\.com)\//,
    script: /\bnew (window\.)?TencentCaptcha\(/,
  },
  {
    wall: "GeeTest",
    names: ["geetest_captcha", "geetest_holder"],
    source: /\bgeetest\.com\/|\/(gt|gt4|geetest)(\.min)?\.js/,
    script: /\binitGeetest4?\(/,
  },
];

/** The name of the captcha or bot wall that was served in place of the page; null for a page, whatever it has of captchas. */
export function wallOf({ status, headers, html, text = "" }: Answer): string | null {
  if (text.length > MAX_WALL_CHARS) return null;
  const page = toOutline(html, MAX_WALL_CHARS);
  if (page === null) return null;
  return SIGNS.find((sign) => fits(sign, page, headers))?.wall ?? unknownWall(page, status);
}

/** A page that asks for proof and for nothing else, and offers nothing else. */
function unknownWall(page: Outline, status: number): string | null {
  const isShort = page.text.length <= MAX_UNKNOWN_CHARS && page.links <= MAX_UNKNOWN_LINKS;
  if (page.fields > 0 || !(status >= 400 || (isShort && page.sections === 0))) return null;
  if (status < 400 && (CONTACT.test(page.title) || CONTACT.test(page.lines))) return null;
  const widget = WIDGETS.find((one) => has(one, page));
  const wall = widget?.wall ?? "captcha";
  const said = `${page.title}\n${page.lines}`;
  const canBeSolved = widget !== undefined || page.hasChallenge;
  if (status >= 400 && demandsProof(said)) return wall;
  if (
    (canBeSolved || GOES_ON.test(page.scripts)) &&
    demandsProof(`${page.title}\n${page.lines.slice(0, MAX_DEMAND_AT)}`)
  )
    return wall;
  if (isBrief(page) && demandsProof(longestLine(said))) return wall;
  if ((status >= 400 || (canBeSolved && (page.isFormed || saysNothingElse(page)))) && remarksOnRobots(said))
    return wall;
  if (widget === undefined || !isShort) return null;
  return REFUSALS.has(status) || isAlone(widget, page) ? wall : null;
}

function saysNothingElse({ lines }: Outline): boolean {
  const others = lines.split("\n").filter((line) => !remarksOnRobots(line) && !demandsProof(line));
  return others.join("").length <= MAX_ELSE_CHARS;
}

const isBrief = (page: Outline): boolean => page.text.length <= MAX_DEMAND_CHARS && page.links === 0;
const longestLine = (lines: string): string => lines.split("\n").reduce((a, b) => (b.length > a.length ? b : a), "");

function has({ names, source, script }: Widget, page: Outline): boolean {
  if (names.some((name) => page.names.has(name))) return true;
  return script?.test(page.scripts) === true && source.test(page.sources);
}

/** A captcha and nothing else: an app that is still to begin has a place, a script of its own, or a title that says what it is. */
function isAlone({ source }: Widget, page: Outline): boolean {
  const hasNothingElse = page.text === "" && page.scriptSources.every((one) => source.test(one));
  return hasNothingElse && WAITING.test(page.title) && !APP_ROOTS.some((name) => page.names.has(name));
}
