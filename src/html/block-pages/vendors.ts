import type { PageFeatures } from "./features";

/** A rule that recognizes a vendor's block page. A page matches if it meets all conditions of the rule. */
interface VendorRule {
  vendor: string;
  header?: readonly [name: string, value: RegExp];
  /** The ids, class names or `name` attributes that the page must contain. */
  names?: readonly string[];
  source?: RegExp;
  script?: RegExp;
  title?: RegExp;
  text?: RegExp;
  /** The maximum length of the page's text, in characters. */
  maxTextChars?: number;
  /**
   * If set, the page must have no form fields and load only scripts of bot protection vendors. Ordinary apps also load
   * their own scripts.
   */
  vendorScriptsOnly?: true;
}

/** The URLs of scripts that block pages load. */
const VENDOR_SCRIPT =
  /\bawswaf\.com\/|\/__qrator\/|\/sbbi\/|\/ac(_v\d)?\.lib\.js|^\/[\da-f]{8}(-[\da-f]{4,}){4}|kramericaindustries|safeline|chaitin|\/jquery[\w.-]*\.js/i;
/** If a rule recognizes a block page by its title, its text or its length, the page has at most this many links. */
const MAX_WEAK_LINKS = 10;

/**
 * The rules for the block pages of known vendors. Ordinary pages of a protected site may load the vendor's scripts and
 * frames, too. A script or frame is sufficient for a rule only if no ordinary page loads it.
 */
export const VENDOR_RULES: readonly VendorRule[] = [
  { vendor: "Cloudflare", header: ["cf-mitigated", /challenge/i] },
  { vendor: "Cloudflare", script: /_cf_chl_opt|_cf_chl_ctx/ },
  {
    vendor: "Cloudflare",
    source: /\/cdn-cgi\/(challenge-platform\/\S*\b(orchestrate|chl_page)|l\/chk_|bm\/cv\/result)/,
  },
  { vendor: "Cloudflare", source: /[?&]__cf_chl_\w+=/ },
  { vendor: "Cloudflare", names: ["cf-browser-verification"] },
  {
    vendor: "Cloudflare",
    names: ["challenge-form"],
    title: /^(just a moment|please wait|one more step|attention required)\b/i,
  },
  {
    vendor: "Cloudflare",
    title: /^just a moment\W*$/i,
    text: /cloudflare|\bray id|javascript and cookies|verifying you are human|checking (your browser|if the site)|review the security/i,
    maxTextChars: 600,
  },
  { vendor: "Cloudflare", title: /^attention required! \| cloudflare/i },
  {
    vendor: "Cloudflare",
    names: ["cf-error-details"],
    text: /have been blocked|error( code)?:? 10(0[5-9]|1[0-35]|20)\b/i,
  },
  { vendor: "Google", names: ["captcha-form", "continue"], source: /recaptcha/i },
  { vendor: "Google", names: ["captcha-form"], text: /unusual traffic/i },
  { vendor: "Google", source: /\/httpservice\/retry\/enablejs\?/, maxTextChars: 300 },
  { vendor: "Bing", names: ["sb_form"], source: /challenges\.cloudflare\.com\/turnstile\//, maxTextChars: 600 },
  { vendor: "DataDome", source: /\bcaptcha-delivery\.com\// },
  { vendor: "DataDome", script: /geo\.captcha-delivery\.com/ },
  { vendor: "HUMAN", names: ["px-captcha"] },
  { vendor: "HUMAN", source: /\bcaptcha\.px-c(dn\.net|loud\.net)\/|\/captcha\/captcha\.js\?a=/ },
  {
    vendor: "HUMAN",
    title: /^access to this page has been denied\W*$/i,
    text: /automat(ed|ion)|reference id|press (&|and) hold|you are (a )?human/i,
    maxTextChars: 1_000,
  },
  { vendor: "Akamai", source: /[?&]bm-verify=|\/_sec\/(verify|cp_challenge)/ },
  { vendor: "Akamai", script: /bm-verify|\/_sec\/(verify|cp_challenge)/ },
  { vendor: "Akamai", names: ["sec-if-cpt-container"] },
  { vendor: "Akamai", names: ["sec-cpt-if"] },
  { vendor: "Akamai", title: /^access denied$/i, text: /reference\s*#\s*[\da-f]+\.[\da-f]+\.\d+/i },
  { vendor: "Imperva", source: /_Incapsula_Resource\?\S*(incident_id|edet)=/ },
  { vendor: "Imperva", text: /^request unsuccessful\. incapsula incident id: [\d-]+$/i },
  // Every page of a protected site loads this script, but only the block page has no text.
  { vendor: "Imperva", source: /^\/_Incapsula_Resource\?.*$/, maxTextChars: 0 },
  {
    vendor: "Imperva",
    title: /^pardon our interruption\W*$/i,
    text: /think you were a bot|super-?human speed|disabled javascript|javascript and cookies/i,
  },
  { vendor: "AWS WAF", header: ["x-amzn-waf-action", /challenge|captcha/i] },
  { vendor: "AWS WAF", script: /\bgokuProps\b/ },
  // Sites that use the AWS library on ordinary pages contain the same code, so the rule needs more conditions.
  {
    vendor: "AWS WAF",
    script: /awsWafCookieDomainList|AwsWafIntegration/,
    names: ["challenge-container"],
    maxTextChars: 300,
    vendorScriptsOnly: true,
  },
  {
    vendor: "AWS WAF",
    script: /awsWafCookieDomainList|AwsWafCaptcha/,
    names: ["captcha-container"],
    maxTextChars: 300,
    vendorScriptsOnly: true,
  },
  { vendor: "Kasada", source: /\/ips\.js\?/, script: /\bKPSDK\b/ },
  { vendor: "Sucuri", script: /sucuri_cloudproxy/ },
  {
    vendor: "Sucuri",
    title: /^sucuri website firewall\b.*\baccess denied$/i,
    text: /block (reason|id)|your ip|whitelist your ip/i,
  },
  // The script of this block page decodes a cookie from base64, sets the cookie and reloads the page. Browsers pass
  // this check automatically.
  {
    vendor: "Sucuri",
    title: /^you are being redirected/i,
    text: /javascript is required/i,
    script: /eval|fromCharCode/,
  },
  { vendor: "DDoS-Guard", title: /^ddos-guard$/i, text: /checking your browser|please wait|ddos/i, maxTextChars: 400 },
  { vendor: "DDoS-Guard", source: /\/\.well-known\/ddos-guard\/js-challenge|check\.ddos-guard\.net\/set/ },
  { vendor: "Yandex SmartCaptcha", source: /\/checkcaptcha(fast)?\?|\/showcaptcha(fast)?\?/ },
  { vendor: "Yandex SmartCaptcha", names: ["CheckboxCaptcha"] },
  { vendor: "Amazon", source: /\/errors\/validateCaptcha|\/captcha\/\w+\/Captcha_/ },
  { vendor: "Vercel", title: /^vercel security checkpoint$/i, maxTextChars: 300 },
  { vendor: "Anubis", names: ["anubis_challenge"] },
  { vendor: "F5", title: /^request rejected$/i, text: /support id/i },
  { vendor: "Radware", source: /validate\.perfdrive\.com/ },
  { vendor: "SiteGround", source: /\/\.well-known\/(sg)?captcha\// },
  {
    vendor: "Wordfence",
    title: /^your access to this (site|service) has been (temporarily )?limited\W*$/i,
    text: /limited by the site owner.*(http response code|generated by wordfence|block technical data)/i,
  },
  {
    vendor: "Imunify360",
    title: /^one moment, please\W*$/i,
    text: /your request is being verified/i,
    maxTextChars: 200,
  },
  {
    vendor: "Imunify360",
    title: /^one moment, please\W*$/i,
    script: /wsidchk|location\.reload|\bwebdriver\b|_0x[\da-f]{4}/,
    maxTextChars: 100,
    vendorScriptsOnly: true,
  },
  { vendor: "Imunify360", names: ["im360_captcha"], maxTextChars: 600 },
  { vendor: "Imunify360", text: /^access denied by imunify360 bot-protection/i, maxTextChars: 300 },
  { vendor: "Fastly", title: /^client challenge$/i, source: /\/_fs-ch-\w+\// },
  { vendor: "Fastly", title: /^client challenge$/i, script: /\/_fs-ch-\w+\// },
  {
    vendor: "Fastly",
    title: /^client challenge$/i,
    text: /required part of this site could(n['’]t| not) load|javascript is disabled/i,
    maxTextChars: 600,
  },
  { vendor: "Baidu", title: /^百度安全验证$/, maxTextChars: 300 },
  { vendor: "Baidu", source: /\bwappass\.baidu\.com\/static\/captcha/, maxTextChars: 300 },
  { vendor: "Aliyun", script: /\bacw_sc__v[23]\b/, maxTextChars: 200 },
  { vendor: "Aliyun", script: /\barg1\s*=\s*['"][\da-f]{30,}['"]/i, maxTextChars: 200 },
  // Ordinary pages behind this WAF contain the id `aliyun_waf_aa`, too, so these rules need a second condition.
  { vendor: "Aliyun", names: ["aliyun_waf_aa"], script: /alicfw_gfver|acw_sc__v/, maxTextChars: 600 },
  { vendor: "Aliyun", names: ["aliyun_waf_aa", "captcha-element"], maxTextChars: 600 },
  { vendor: "Aliyun", names: ["aliyun_waf_aa", "nocaptcha"], maxTextChars: 600 },
  { vendor: "Alibaba", source: /\/_____tmd_____\/(punish|verify)|[?&]x5secdata=/, maxTextChars: 600 },
  { vendor: "Alibaba", script: /\/_____tmd_____\/(punish|verify)|\bx5secdata=/, maxTextChars: 600 },
  { vendor: "Alibaba", title: /^captcha interception$/i, maxTextChars: 600 },
  { vendor: "Tencent EdgeOne", script: /\b(EO_Bot_Ssid|__tst_status)\b/, maxTextChars: 300, vendorScriptsOnly: true },
  { vendor: "SafeLine", script: /\bSafeLineChallenge\(/, maxTextChars: 600 },
  {
    vendor: "SafeLine",
    source: /\/\.safeline\/|\bchallenge\.rivers\.chaitin\.|\bwaf(-ce)?\.chaitin\.c/,
    maxTextChars: 300,
    vendorScriptsOnly: true,
  },
  { vendor: "SafeLine", names: ["slg-box"], maxTextChars: 600 },
  {
    vendor: "SafeLine",
    text: /安全检测能力由.{0,20}(雷池|长亭|safeline)|protected by .{0,20}safeline/i,
    maxTextChars: 300,
  },
  // Ordinary pages of a protected site contain this script, too, but they also have more text or other scripts.
  { vendor: "StackPath", script: /\/sbbi\/\?sbbpg=|\bsbbgscc\b/, maxTextChars: 300, vendorScriptsOnly: true },
  { vendor: "StackPath", source: /\/sbbi\/\?sbbpg=/, maxTextChars: 300, vendorScriptsOnly: true },
  { vendor: "StackPath", title: /^stackpath$/i, maxTextChars: 600 },
  { vendor: "StackPath", text: /(security|protection|performance).{0,20} by stackpath\b/i, maxTextChars: 600 },
  { vendor: "Reblaze", text: /^access denied \(403\).*current session has been terminated/i, maxTextChars: 600 },
  { vendor: "Reblaze", script: /\brbzns\b|\bwinsocks\(/, maxTextChars: 300, vendorScriptsOnly: true },
  { vendor: "Reblaze", source: /\bkramericaindustries\.ac/, maxTextChars: 100, vendorScriptsOnly: true },
  { vendor: "Qrator", source: /\/__qrator\/(qauth|validate)/, maxTextChars: 200, vendorScriptsOnly: true },
  { vendor: "Qrator", script: /\/__qrator\/(qauth|validate)/, maxTextChars: 200, vendorScriptsOnly: true },
  { vendor: "ArvanCloud", script: /\b__arcsjs/, maxTextChars: 300 },
  { vendor: "ArvanCloud", title: /^transferring to the website\W*$/i, maxTextChars: 300 },
  { vendor: "ArvanCloud", text: /^transferring to the website\.{3}/i, maxTextChars: 200 },
];

/** Returns true if the page and the response headers meet all conditions of a rule. */
export function matchesRule(
  rule: VendorRule,
  page: PageFeatures,
  headers: { get(name: string): string | null | undefined },
): boolean {
  const isWeak = rule.title !== undefined || rule.text !== undefined || rule.maxTextChars !== undefined;
  if (isWeak && page.links > MAX_WEAK_LINKS) return false;
  return (
    (rule.header === undefined || rule.header[1].test(headers.get(rule.header[0]) ?? "")) &&
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

/**
 * A captcha service. Ordinary pages embed its captcha, too, so the captcha alone doesn't prove that a page is a block
 * page.
 */
export interface Captcha {
  vendor: string;
  names: readonly string[];
  /** Matches the URL of the captcha's script. */
  source: RegExp;
  /** Matches the script code that starts the captcha. Set for captchas that need no element on the page. */
  script?: RegExp;
}

const CAPTCHAS: readonly Captcha[] = [
  { vendor: "Cloudflare Turnstile", names: ["cf-turnstile"], source: /challenges\.cloudflare\.com\// },
  { vendor: "reCAPTCHA", names: ["g-recaptcha"], source: /\/recaptcha\// },
  { vendor: "hCaptcha", names: ["h-captcha"], source: /hcaptcha\.com\// },
  { vendor: "Yandex SmartCaptcha", names: ["smart-captcha"], source: /smartcaptcha\./ },
  { vendor: "Friendly Captcha", names: ["frc-captcha"], source: /friendly-?challenge|friendlycaptcha/ },
  {
    vendor: "Tencent Captcha",
    names: ["TencentCaptcha"],
    source: /\bTCaptcha[\w-]*\.js|captcha\.(qq\.com|qcloud\.com|gtimg\.com)\//,
    script: /\bnew (window\.)?TencentCaptcha\(/,
  },
  {
    vendor: "GeeTest",
    names: ["geetest_captcha", "geetest_holder"],
    source: /\bgeetest\.com\/|\/(gt|gt4|geetest)(\.min)?\.js/,
    script: /\binitGeetest4?\(/,
  },
];

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
