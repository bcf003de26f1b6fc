import type { Outline } from "./outline";

/** What shows a wall: all that is given must hold. */
export interface Sign {
  wall: string;
  header?: readonly [name: string, value: RegExp];
  /** Ids, classes or names of fields. */
  names?: readonly string[];
  source?: RegExp;
  script?: RegExp;
  title?: RegExp;
  text?: RegExp;
  /** The most that the page may say, in characters. */
  maxText?: number;
}

/** Scripts and frames alone may be on any page of a protected site: those that are name what only the wall has. */
export const SIGNS: readonly Sign[] = [
  { wall: "Cloudflare", header: ["cf-mitigated", /challenge/i] },
  { wall: "Cloudflare", script: /_cf_chl_opt|_cf_chl_ctx/ },
  { wall: "Cloudflare", source: /\/cdn-cgi\/(challenge-platform\/\S*\b(orchestrate|chl_page)|l\/chk_|bm\/cv\/result)/ },
  { wall: "Cloudflare", source: /[?&]__cf_chl_\w+=/ },
  { wall: "Cloudflare", names: ["cf-browser-verification"] },
  {
    wall: "Cloudflare",
    names: ["challenge-form"],
    title: /^(just a moment|please wait|one more step|attention required)/i,
  },
  { wall: "Cloudflare", title: /^just a moment/i, text: /cloudflare|ray id|javascript and cookies|verif|checking/i },
  { wall: "Cloudflare", title: /^attention required! \| cloudflare/i },
  {
    wall: "Cloudflare",
    names: ["cf-error-details"],
    text: /have been blocked|error( code)?:? 10(0[5-9]|1[0-35]|20)\b/i,
  },
  { wall: "Google", names: ["captcha-form", "continue"], source: /recaptcha/i },
  { wall: "Google", names: ["captcha-form"], text: /unusual traffic/i },
  { wall: "Google", source: /\/httpservice\/retry\/enablejs\?/, maxText: 300 },
  { wall: "Bing", names: ["sb_form"], source: /challenges\.cloudflare\.com\/turnstile\//, maxText: 600 },
  { wall: "DataDome", source: /\bcaptcha-delivery\.com\// },
  { wall: "DataDome", script: /geo\.captcha-delivery\.com/ },
  { wall: "HUMAN", names: ["px-captcha"] },
  { wall: "HUMAN", source: /\bcaptcha\.px-c(dn\.net|loud\.net)\/|\/captcha\/captcha\.js\?a=/ },
  { wall: "HUMAN", title: /^access to this page has been denied/i },
  { wall: "Akamai", source: /[?&]bm-verify=|\/_sec\/(verify|cp_challenge)/ },
  { wall: "Akamai", script: /bm-verify|\/_sec\/(verify|cp_challenge)/ },
  { wall: "Akamai", names: ["sec-if-cpt-container"] },
  { wall: "Akamai", names: ["sec-cpt-if"] },
  { wall: "Akamai", title: /^access denied$/i, text: /reference\s*#\s*[\da-f]+\.[\da-f]+\.\d+/i },
  { wall: "Imperva", source: /_Incapsula_Resource\?\S*(incident_id|edet)=/ },
  { wall: "Imperva", text: /incapsula incident id/i },
  // The same script is on every page of a protected site: the wall has nothing besides.
  { wall: "Imperva", source: /^\/_Incapsula_Resource\?.*$/, maxText: 0 },
  { wall: "Imperva", title: /^pardon our interruption/i },
  { wall: "AWS WAF", header: ["x-amzn-waf-action", /challenge|captcha/i] },
  { wall: "AWS WAF", script: /\bgokuProps\b|awsWafCookieDomainList/ },
  { wall: "Kasada", source: /\/ips\.js\?/, script: /\bKPSDK\b/ },
  { wall: "Sucuri", script: /sucuri_cloudproxy/ },
  { wall: "Sucuri", title: /^sucuri website firewall/i },
  // The script that a browser can undo: a cookie in base64, then a reload.
  { wall: "Sucuri", title: /^you are being redirected/i, text: /javascript is required/i, script: /eval|fromCharCode/ },
  { wall: "DDoS-Guard", title: /^ddos-guard$/i },
  { wall: "DDoS-Guard", source: /\/\.well-known\/ddos-guard\/js-challenge|check\.ddos-guard\.net\/set/ },
  { wall: "Yandex SmartCaptcha", source: /\/checkcaptcha(fast)?\?|\/showcaptcha(fast)?\?/ },
  { wall: "Yandex SmartCaptcha", names: ["CheckboxCaptcha"] },
  { wall: "Amazon", source: /\/errors\/validateCaptcha|\/captcha\/\w+\/Captcha_/ },
  { wall: "Vercel", title: /^vercel security checkpoint/i },
  { wall: "Anubis", names: ["anubis_challenge"] },
  { wall: "F5", title: /^request rejected$/i, text: /support id/i },
  { wall: "Radware", source: /validate\.perfdrive\.com/ },
  { wall: "SiteGround", source: /\/\.well-known\/(sg)?captcha\// },
  { wall: "Wordfence", text: /access to this (site|service) has been (temporarily )?limited/i },
];

export function fits(sign: Sign, page: Outline, headers: { get(name: string): string | null | undefined }): boolean {
  return (
    (sign.header === undefined || sign.header[1].test(headers.get(sign.header[0]) ?? "")) &&
    (sign.names === undefined || sign.names.every((name) => page.names.has(name))) &&
    (sign.source === undefined || sign.source.test(page.sources)) &&
    (sign.script === undefined || sign.script.test(page.scripts)) &&
    (sign.title === undefined || sign.title.test(page.title)) &&
    (sign.text === undefined || sign.text.test(page.text)) &&
    (sign.maxText === undefined || page.text.length <= sign.maxText)
  );
}
