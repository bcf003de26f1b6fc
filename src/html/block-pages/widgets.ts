import type { Outline } from "./outline";

/** Titles of what is on its way, and of nothing: a host's name. */
const WAITING =
  /^(please wait|just a moment|one moment|one more step|hold on|attention required|captcha)\W*$|^[\w-]+(\.[\w-]+)+$|^$/i;
const APP_ROOTS = ["root", "app", "__next", "__nuxt", "___gatsby"];

export interface Widget {
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

/** The captcha that a page shows its reader. */
export function widgetOf(page: Outline): Widget | undefined {
  return WIDGETS.find(({ names, source, script }) => {
    if (names.some((name) => page.names.has(name))) return true;
    return script?.test(page.scripts) === true && source.test(page.sources);
  });
}

/** A captcha and nothing else: an app that is still to begin has a place, a script of its own, or a title that says what it is. */
export function isAlone({ source }: Widget, page: Outline): boolean {
  const hasNothingElse = page.text === "" && page.scriptSources.every((one) => source.test(one));
  return hasNothingElse && WAITING.test(page.title) && !APP_ROOTS.some((name) => page.names.has(name));
}
