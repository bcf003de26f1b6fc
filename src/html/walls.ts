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
const CHALLENGE = /captcha|challenge/i;
/** A captcha alone. */
const MAX_BARE_CHARS = 120;

const WIDGETS: readonly (readonly [name: string, wall: string])[] = [
  ["cf-turnstile", "Cloudflare Turnstile"],
  ["g-recaptcha", "reCAPTCHA"],
  ["h-captcha", "hCaptcha"],
  ["smart-captcha", "Yandex SmartCaptcha"],
  ["frc-captcha", "Friendly Captcha"],
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
  const isRefusal = status >= 400;
  const isShort = page.text.length <= MAX_UNKNOWN_CHARS && page.links <= MAX_UNKNOWN_LINKS;
  if (page.fields > 0 || !(isShort || isRefusal)) return null;
  const widget = WIDGETS.find(([name]) => page.names.has(name))?.[1] ?? null;
  const said = `${page.title}\n${page.text}`;
  if (demandsProof(said)) return widget ?? "captcha";
  const hasChallenge = [...page.names].some((name) => CHALLENGE.test(name));
  if ((hasChallenge || isRefusal) && remarksOnRobots(said)) return widget ?? "captcha";
  return page.text.length <= MAX_BARE_CHARS && page.links === 0 ? widget : null;
}
