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
  /** No script comes from elsewhere: an app has one of its own. */
  alone?: true;
}

/** What walls load besides. */
const OWN_SCRIPT =
  /\bawswaf\.com\/|\/__qrator\/|\/sbbi\/|\/ac(_v\d)?\.lib\.js|^\/[\da-f]{8}(-[\da-f]{4,}){4}|kramericaindustries|safeline|chaitin|\/jquery[\w.-]*\.js/i;
/** What is known by its words, or by its shortness as well, leads to no more places. */
const MAX_WEAK_LINKS = 10;

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
    title: /^(just a moment|please wait|one more step|attention required)\b/i,
  },
  {
    wall: "Cloudflare",
    title: /^just a moment\W*$/i,
    text: /cloudflare|\bray id|javascript and cookies|verifying you are human|checking (your browser|if the site)|review the security/i,
    maxText: 600,
  },
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
  {
    wall: "HUMAN",
    title: /^access to this page has been denied\W*$/i,
    text: /automat(ed|ion)|reference id|press (&|and) hold|you are (a )?human/i,
    maxText: 1_000,
  },
  { wall: "Akamai", source: /[?&]bm-verify=|\/_sec\/(verify|cp_challenge)/ },
  { wall: "Akamai", script: /bm-verify|\/_sec\/(verify|cp_challenge)/ },
  { wall: "Akamai", names: ["sec-if-cpt-container"] },
  { wall: "Akamai", names: ["sec-cpt-if"] },
  { wall: "Akamai", title: /^access denied$/i, text: /reference\s*#\s*[\da-f]+\.[\da-f]+\.\d+/i },
  { wall: "Imperva", source: /_Incapsula_Resource\?\S*(incident_id|edet)=/ },
  { wall: "Imperva", text: /^request unsuccessful\. incapsula incident id: [\d-]+$/i },
  // The same script is on every page of a protected site: the wall has nothing besides.
  { wall: "Imperva", source: /^\/_Incapsula_Resource\?.*$/, maxText: 0 },
  {
    wall: "Imperva",
    title: /^pardon our interruption\W*$/i,
    text: /think you were a bot|super-?human speed|disabled javascript|javascript and cookies/i,
  },
  { wall: "AWS WAF", header: ["x-amzn-waf-action", /challenge|captcha/i] },
  { wall: "AWS WAF", script: /\bgokuProps\b/ },
  // Sites that use its library on their pages say for which hosts as well.
  {
    wall: "AWS WAF",
    script: /awsWafCookieDomainList|AwsWafIntegration/,
    names: ["challenge-container"],
    maxText: 300,
    alone: true,
  },
  {
    wall: "AWS WAF",
    script: /awsWafCookieDomainList|AwsWafCaptcha/,
    names: ["captcha-container"],
    maxText: 300,
    alone: true,
  },
  { wall: "Kasada", source: /\/ips\.js\?/, script: /\bKPSDK\b/ },
  { wall: "Sucuri", script: /sucuri_cloudproxy/ },
  {
    wall: "Sucuri",
    title: /^sucuri website firewall\b.*\baccess denied$/i,
    text: /block (reason|id)|your ip|whitelist your ip/i,
  },
  // The script that a browser can undo: a cookie in base64, then a reload.
  { wall: "Sucuri", title: /^you are being redirected/i, text: /javascript is required/i, script: /eval|fromCharCode/ },
  { wall: "DDoS-Guard", title: /^ddos-guard$/i, text: /checking your browser|please wait|ddos/i, maxText: 400 },
  { wall: "DDoS-Guard", source: /\/\.well-known\/ddos-guard\/js-challenge|check\.ddos-guard\.net\/set/ },
  { wall: "Yandex SmartCaptcha", source: /\/checkcaptcha(fast)?\?|\/showcaptcha(fast)?\?/ },
  { wall: "Yandex SmartCaptcha", names: ["CheckboxCaptcha"] },
  { wall: "Amazon", source: /\/errors\/validateCaptcha|\/captcha\/\w+\/Captcha_/ },
  { wall: "Vercel", title: /^vercel security checkpoint$/i, maxText: 300 },
  { wall: "Anubis", names: ["anubis_challenge"] },
  { wall: "F5", title: /^request rejected$/i, text: /support id/i },
  { wall: "Radware", source: /validate\.perfdrive\.com/ },
  { wall: "SiteGround", source: /\/\.well-known\/(sg)?captcha\// },
  {
    wall: "Wordfence",
    title: /^your access to this (site|service) has been (temporarily )?limited\W*$/i,
    text: /limited by the site owner.*(http response code|generated by wordfence|block technical data)/i,
  },
  {
    wall: "Imunify360",
    title: /^one moment, please\W*$/i,
    text: /your request is being verified/i,
    maxText: 200,
  },
  {
    wall: "Imunify360",
    title: /^one moment, please\W*$/i,
    script: /wsidchk|location\.reload|\bwebdriver\b|_0x[\da-f]{4}/,
    maxText: 100,
    alone: true,
  },
  { wall: "Imunify360", names: ["im360_captcha"], maxText: 600 },
  { wall: "Imunify360", text: /^access denied by imunify360 bot-protection/i, maxText: 300 },
  { wall: "Fastly", title: /^client challenge$/i, source: /\/_fs-ch-\w+\// },
  { wall: "Fastly", title: /^client challenge$/i, script: /\/_fs-ch-\w+\// },
  {
    wall: "Fastly",
    title: /^client challenge$/i,
    text: /required part of this site could(n['’]t| not) load|javascript is disabled/i,
    maxText: 600,
  },
  { wall: "Baidu", title: /^百度安全验证$/, maxText: 300 },
  { wall: "Baidu", source: /\bwappass\.baidu\.com\/static\/captcha/, maxText: 300 },
  { wall: "Aliyun", script: /\bacw_sc__v[23]\b/, maxText: 200 },
  { wall: "Aliyun", script: /\barg1\s*=\s*['"][\da-f]{30,}['"]/i, maxText: 200 },
  // The mark alone is on pages that were let through as well.
  { wall: "Aliyun", names: ["aliyun_waf_aa"], script: /alicfw_gfver|acw_sc__v/, maxText: 600 },
  { wall: "Aliyun", names: ["aliyun_waf_aa", "captcha-element"], maxText: 600 },
  { wall: "Aliyun", names: ["aliyun_waf_aa", "nocaptcha"], maxText: 600 },
  { wall: "Alibaba", source: /\/_____tmd_____\/(punish|verify)|[?&]x5secdata=/, maxText: 600 },
  { wall: "Alibaba", script: /\/_____tmd_____\/(punish|verify)|\bx5secdata=/, maxText: 600 },
  { wall: "Alibaba", title: /^captcha interception$/i, maxText: 600 },
  { wall: "Tencent EdgeOne", script: /\b(EO_Bot_Ssid|__tst_status)\b/, maxText: 300, alone: true },
  { wall: "SafeLine", script: /\bSafeLineChallenge\(/, maxText: 600 },
  {
    wall: "SafeLine",
    source: /\/\.safeline\/|\bchallenge\.rivers\.chaitin\.|\bwaf(-ce)?\.chaitin\.c/,
    maxText: 300,
    alone: true,
  },
  { wall: "SafeLine", names: ["slg-box"], maxText: 600 },
  { wall: "SafeLine", text: /安全检测能力由.{0,20}(雷池|长亭|safeline)|protected by .{0,20}safeline/i, maxText: 300 },
  // On pages of a protected site as well: the wall has nothing besides.
  { wall: "StackPath", script: /\/sbbi\/\?sbbpg=|\bsbbgscc\b/, maxText: 300, alone: true },
  { wall: "StackPath", source: /\/sbbi\/\?sbbpg=/, maxText: 300, alone: true },
  { wall: "StackPath", title: /^stackpath$/i, maxText: 600 },
  { wall: "StackPath", text: /(security|protection|performance).{0,20} by stackpath\b/i, maxText: 600 },
  { wall: "Reblaze", text: /^access denied \(403\).*current session has been terminated/i, maxText: 600 },
  { wall: "Reblaze", script: /\brbzns\b|\bwinsocks\(/, maxText: 300, alone: true },
  { wall: "Reblaze", source: /\bkramericaindustries\.ac/, maxText: 100, alone: true },
  { wall: "Qrator", source: /\/__qrator\/(qauth|validate)/, maxText: 200, alone: true },
  { wall: "Qrator", script: /\/__qrator\/(qauth|validate)/, maxText: 200, alone: true },
  { wall: "ArvanCloud", script: /\b__arcsjs/, maxText: 300 },
  { wall: "ArvanCloud", title: /^transferring to the website\W*$/i, maxText: 300 },
  { wall: "ArvanCloud", text: /^transferring to the website\.{3}/i, maxText: 200 },
];

export function fits(sign: Sign, page: Outline, headers: { get(name: string): string | null | undefined }): boolean {
  const isWeak = sign.title !== undefined || sign.text !== undefined || sign.maxText !== undefined;
  if (isWeak && page.links > MAX_WEAK_LINKS) return false;
  return (
    (sign.header === undefined || sign.header[1].test(headers.get(sign.header[0]) ?? "")) &&
    (sign.names === undefined || sign.names.every((name) => page.names.has(name))) &&
    (sign.source === undefined || sign.source.test(page.sources)) &&
    (sign.script === undefined || sign.script.test(page.scripts)) &&
    (sign.title === undefined || sign.title.test(page.title)) &&
    (sign.text === undefined || sign.text.test(page.text)) &&
    (sign.maxText === undefined || page.text.length <= sign.maxText) &&
    (sign.alone === undefined || isAlone(sign, page))
  );
}

function isAlone({ source }: Sign, page: Outline): boolean {
  return page.fields === 0 && page.scriptSources.every((one) => OWN_SCRIPT.test(one) || source?.test(one) === true);
}
