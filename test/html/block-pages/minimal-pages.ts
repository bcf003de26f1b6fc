/**
 * The parts that a vendor's block page must have. A list contains alternatives: a block page has one of them. `names`
 * are ids, and the page has all of them.
 */
export interface MinimalPage {
  vendor: string;
  header?: readonly [name: string, value: string];
  names?: readonly string[];
  source?: readonly string[];
  script?: readonly string[];
  title?: readonly string[];
  /** True if the title can go on with other words. */
  isTitleOpen?: true;
  text?: readonly string[];
  /** The position of the text on the page if it matters. */
  place?: "start" | "whole";
  maxChars?: number;
  /** True if a page with a field or with a script of the site is an ordinary page. */
  isAlone?: true;
}

const HEX = "0123456789abcdef0123456789abcdef";

export const MINIMAL_PAGES: readonly MinimalPage[] = [
  { vendor: "Cloudflare", header: ["cf-mitigated", "challenge"] },
  { vendor: "Cloudflare", script: ["window._cf_chl_opt={}", "window._cf_chl_ctx={}"] },
  {
    vendor: "Cloudflare",
    source: [
      "/cdn-cgi/challenge-platform/h/g/orchestrate/jsch/v1",
      "/cdn-cgi/challenge-platform/h/g/chl_page/v1",
      "/cdn-cgi/l/chk_jschl",
      "/cdn-cgi/bm/cv/result?req_id=1",
      "/?__cf_chl_tk=1",
      "/?a=1&__cf_chl_f_tk=1",
    ],
  },
  { vendor: "Cloudflare", names: ["cf-browser-verification"] },
  {
    vendor: "Cloudflare",
    names: ["challenge-form"],
    title: ["Just a moment", "Please wait", "One more step", "Attention required"],
    isTitleOpen: true,
  },
  {
    vendor: "Cloudflare",
    title: ["Just a moment..."],
    text: [
      "Security by Cloudflare",
      "Ray ID 1",
      "Enable JavaScript and cookies",
      "Verifying you are human",
      "Checking your browser",
      "Checking if the site connection is secure",
      "It needs to review the security",
    ],
    maxChars: 600,
  },
  { vendor: "Cloudflare", title: ["Attention Required! | Cloudflare"], isTitleOpen: true },
  {
    vendor: "Cloudflare",
    names: ["cf-error-details"],
    text: [
      "You have been blocked",
      ...[1005, 1006, 1009, 1010, 1011, 1013, 1015, 1020].map((code) => `Error ${code}`),
      "Error code: 1020",
    ],
  },
  { vendor: "Google", names: ["captcha-form", "continue"], source: ["/recaptcha/enterprise.js", "/reCAPTCHA.js"] },
  { vendor: "Google", names: ["captcha-form"], text: ["We detected unusual traffic"] },
  { vendor: "Google", source: ["/httpservice/retry/enablejs?sei=1"], maxChars: 300 },
  {
    vendor: "Bing",
    names: ["sb_form"],
    source: ["https://challenges.cloudflare.com/turnstile/v0/api.js"],
    maxChars: 600,
  },
  { vendor: "DataDome", source: ["https://geo.captcha-delivery.com/captcha/"] },
  { vendor: "DataDome", script: ["host='geo.captcha-delivery.com'"] },
  { vendor: "HUMAN", names: ["px-captcha"] },
  {
    vendor: "HUMAN",
    source: [
      "https://captcha.px-cdn.net/PX1/captcha.js",
      "https://captcha.px-cloud.net/PX1/captcha.js",
      "/captcha/captcha.js?a=c",
    ],
  },
  {
    vendor: "HUMAN",
    title: ["Access to this page has been denied."],
    text: [
      "You use automated tools",
      "You use an automation tool",
      "Reference ID 1",
      "Press & Hold",
      "Press and hold",
      "We check that you are human",
      "We check that you are a human",
    ],
    maxChars: 1_000,
  },
  { vendor: "Akamai", source: ["/?bm-verify=1", "/?a=1&bm-verify=1", "/_sec/verify?a", "/_sec/cp_challenge/a"] },
  { vendor: "Akamai", script: ["a='bm-verify'", "a='/_sec/verify'", "a='/_sec/cp_challenge'"] },
  { vendor: "Akamai", names: ["sec-if-cpt-container"] },
  { vendor: "Akamai", names: ["sec-cpt-if"] },
  { vendor: "Akamai", title: ["Access Denied"], text: ["Reference #18.8d1e1602.1700000000", "Reference # 1A.b.1"] },
  { vendor: "Imperva", source: ["/_Incapsula_Resource?a=1&incident_id=1", "/_Incapsula_Resource?edet=1"] },
  { vendor: "Imperva", text: ["Request unsuccessful. Incapsula incident ID: 123-456"], place: "whole" },
  { vendor: "Imperva", source: ["/_Incapsula_Resource?SWJIYLWA=1"], maxChars: 0 },
  {
    vendor: "Imperva",
    title: ["Pardon Our Interruption..."],
    text: [
      "It made us think you were a bot",
      "You move with super-human speed",
      "You move with superhuman speed",
      "You have disabled JavaScript",
      "Turn on JavaScript and cookies",
    ],
  },
  { vendor: "AWS WAF", header: ["x-amzn-waf-action", "challenge"] },
  { vendor: "AWS WAF", header: ["x-amzn-waf-action", "captcha"] },
  { vendor: "AWS WAF", script: ["window.gokuProps={}"] },
  {
    vendor: "AWS WAF",
    script: ["window.awsWafCookieDomainList=[]", "AwsWafIntegration.getToken()"],
    names: ["challenge-container"],
    maxChars: 300,
    isAlone: true,
  },
  {
    vendor: "AWS WAF",
    script: ["window.awsWafCookieDomainList=[]", "AwsWafCaptcha.renderCaptcha()"],
    names: ["captcha-container"],
    maxChars: 300,
    isAlone: true,
  },
  { vendor: "Kasada", source: ["/149e9513/ips.js?a=1"], script: ["window.KPSDK={}"] },
  { vendor: "Sucuri", script: ["sucuri_cloudproxy_js=''"] },
  {
    vendor: "Sucuri",
    title: ["Sucuri WebSite Firewall - Access Denied"],
    text: ["Block reason: 1", "Block ID: 1", "Your IP: 1"],
  },
  {
    vendor: "Sucuri",
    title: ["You are being redirected"],
    isTitleOpen: true,
    text: ["JavaScript is required"],
    script: ["eval(a)", "String.fromCharCode(1)"],
  },
  {
    vendor: "DDoS-Guard",
    title: ["DDoS-Guard"],
    text: ["Checking your browser", "Please wait", "Protection from DDoS"],
    maxChars: 400,
  },
  {
    vendor: "DDoS-Guard",
    source: ["/.well-known/ddos-guard/js-challenge/index.js", "https://check.ddos-guard.net/set/id/1"],
  },
  {
    vendor: "Yandex SmartCaptcha",
    source: ["/checkcaptcha?a", "/checkcaptchafast?a", "/showcaptcha?a", "/showcaptchafast?a"],
  },
  { vendor: "Yandex SmartCaptcha", names: ["CheckboxCaptcha"] },
  { vendor: "Amazon", source: ["/errors/validateCaptcha", "/captcha/abc/Captcha_1.jpg"] },
  { vendor: "Vercel", title: ["Vercel Security Checkpoint"], maxChars: 300 },
  { vendor: "Anubis", names: ["anubis_challenge"] },
  { vendor: "F5", title: ["Request Rejected"], text: ["Your support ID is 1"] },
  { vendor: "Radware", source: ["https://validate.perfdrive.com/captcha"] },
  { vendor: "SiteGround", source: ["/.well-known/captcha/?r=1", "/.well-known/sgcaptcha/?r=1"] },
  {
    vendor: "Wordfence",
    title: [
      "Your access to this site has been limited",
      "Your access to this site has been temporarily limited",
      "Your access to this service has been limited",
    ],
    text: [
      "Limited by the site owner. HTTP response code 503",
      "Limited by the site owner. Generated by Wordfence",
      "Limited by the site owner. Block Technical Data",
    ],
  },
  { vendor: "Imunify360", title: ["One moment, please..."], text: ["Your request is being verified"], maxChars: 200 },
  {
    vendor: "Imunify360",
    title: ["One moment, please..."],
    script: ["wsidchk=1", "location.reload()", "navigator.webdriver", "var _0x12ab=1"],
    maxChars: 100,
    isAlone: true,
  },
  { vendor: "Imunify360", names: ["im360_captcha"], maxChars: 600 },
  { vendor: "Imunify360", text: ["Access denied by Imunify360 bot-protection"], place: "start", maxChars: 300 },
  { vendor: "Fastly", title: ["Client Challenge"], source: ["/_fs-ch-1a/script.js"] },
  { vendor: "Fastly", title: ["Client Challenge"], script: ["a='/_fs-ch-1a/script.js'"] },
  {
    vendor: "Fastly",
    title: ["Client Challenge"],
    text: [
      "A required part of this site couldn't load",
      "A required part of this site couldn’t load",
      "A required part of this site could not load",
      "JavaScript is disabled",
    ],
    maxChars: 600,
  },
  { vendor: "Baidu", title: ["百度安全验证"], maxChars: 300 },
  { vendor: "Baidu", source: ["https://wappass.baidu.com/static/captcha/a.js"], maxChars: 300 },
  {
    vendor: "Aliyun",
    script: ["acw_sc__v2=1", "acw_sc__v3=1", `var arg1='${HEX}'`, `var arg1 = "${HEX}"`],
    maxChars: 200,
  },
  { vendor: "Aliyun", names: ["aliyun_waf_aa"], script: ["alicfw_gfver=1", "x_acw_sc__v=1"], maxChars: 600 },
  { vendor: "Aliyun", names: ["aliyun_waf_aa", "captcha-element"], maxChars: 600 },
  { vendor: "Aliyun", names: ["aliyun_waf_aa", "nocaptcha"], maxChars: 600 },
  {
    vendor: "Alibaba",
    source: ["/_____tmd_____/punish?a", "/_____tmd_____/verify/", "/?x5secdata=1", "/?a=1&x5secdata=1"],
    maxChars: 600,
  },
  {
    vendor: "Alibaba",
    script: ["a='/_____tmd_____/punish'", "a='/_____tmd_____/verify'", "a='x5secdata=1'"],
    maxChars: 600,
  },
  { vendor: "Alibaba", title: ["Captcha Interception"], maxChars: 600 },
  { vendor: "Tencent EdgeOne", script: ["EO_Bot_Ssid=1", "__tst_status=1"], maxChars: 300, isAlone: true },
  { vendor: "SafeLine", script: ["SafeLineChallenge()"], maxChars: 600 },
  {
    vendor: "SafeLine",
    source: [
      "/.safeline/static/a.js",
      "https://challenge.rivers.chaitin.cn/a.js",
      "https://waf.chaitin.com/a.js",
      "https://waf-ce.chaitin.cn/a.js",
    ],
    maxChars: 300,
    isAlone: true,
  },
  { vendor: "SafeLine", names: ["slg-box"], maxChars: 600 },
  {
    vendor: "SafeLine",
    text: [
      "安全检测能力由 雷池 WAF",
      "安全检测能力由 长亭",
      "安全检测能力由 SafeLine",
      "Protected by Chaitin SafeLine",
    ],
    maxChars: 300,
  },
  { vendor: "StackPath", script: ["a='/sbbi/?sbbpg=1'", "sbbgscc=1"], maxChars: 300, isAlone: true },
  { vendor: "StackPath", source: ["/sbbi/?sbbpg=1"], maxChars: 300, isAlone: true },
  { vendor: "StackPath", title: ["StackPath"], maxChars: 600 },
  {
    vendor: "StackPath",
    text: ["Security by StackPath", "Protection by StackPath", "Performance & more by StackPath"],
    maxChars: 600,
  },
  {
    vendor: "Reblaze",
    text: ["Access denied (403) Current session has been terminated"],
    place: "start",
    maxChars: 600,
  },
  { vendor: "Reblaze", script: ["window.rbzns={}", "winsocks()"], maxChars: 300, isAlone: true },
  { vendor: "Reblaze", source: ["/c9/kramericaindustries.ac.lib.js"], maxChars: 100, isAlone: true },
  { vendor: "Qrator", source: ["/__qrator/qauth.js", "/__qrator/validate"], maxChars: 200, isAlone: true },
  { vendor: "Qrator", script: ["a='/__qrator/qauth'", "a='/__qrator/validate'"], maxChars: 200, isAlone: true },
  { vendor: "ArvanCloud", script: ["__arcsjs=1"], maxChars: 300 },
  { vendor: "ArvanCloud", title: ["Transferring to the website..."], maxChars: 300 },
  { vendor: "ArvanCloud", text: ["Transferring to the website..."], place: "start", maxChars: 200 },
];
