/** Pages of walls, after the structure of the real ones. */
export interface Sample {
  status?: number;
  headers?: Record<string, string>;
  html: string;
}

const page = (title: string, body: string, head = ""): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title><meta name="robots" content="noindex,nofollow">${head}</head><body>${body}</body></html>`;

export const WALLS: readonly (readonly [wall: string, what: string, sample: Sample])[] = [
  [
    "Cloudflare",
    "its managed challenge",
    {
      status: 403,
      html: page(
        "Just a moment...",
        `<div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript></div></div><script>(function(){window._cf_chl_opt = {cvId: '3',cZone: 'shop.example',cType: 'managed',cRay: '8f1a'};var a = document.createElement('script');a.src = '/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8f1a';document.head.appendChild(a);}());</script>`,
        '<meta http-equiv="refresh" content="360">',
      ),
    },
  ],
  [
    "Cloudflare",
    "its challenge in a browser, in German",
    {
      html: page(
        "Nur einen Moment…",
        `<div class="main-content"><h1>shop.example</h1><p id="xUyQ4">Sicherheitsüberprüfung wird durchgeführt</p><div id="cf-chl-widget"></div></div><div class="footer">Ray-ID: <code>8f1a</code></div>`,
        '<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8f1a&lang=auto"></script>',
      ),
    },
  ],
  [
    "Cloudflare",
    "a challenge that only its header shows",
    { headers: { "cf-mitigated": "challenge" }, html: page("shop.example", "<p>One moment</p>") },
  ],
  [
    "Cloudflare",
    "its old challenge of five seconds",
    {
      status: 503,
      html: page(
        "Just a moment...",
        `<div class="cf-browser-verification cf-im-under-attack"><h1>Checking your browser before accessing shop.example.</h1><p>This process is automatic.</p></div><form id="challenge-form" action="/?__cf_chl_jschl_tk__=a1" method="POST"><input type="hidden" name="jschl_vc" value="1"></form>`,
      ),
    },
  ],
  [
    "Cloudflare",
    "its block",
    {
      status: 403,
      html: page(
        "Attention Required! | Cloudflare",
        `<div id="cf-wrapper"><div id="cf-error-details" class="cf-error-details-wrapper"><h1 data-translate="block_headline">Sorry, you have been blocked</h1><h2>You are unable to access shop.example</h2><p>This website is using a security service to protect itself from online attacks.</p></div></div>`,
      ),
    },
  ],
  [
    "Cloudflare",
    "its error 1020",
    {
      html: page(
        "Access denied | shop.example used Cloudflare to restrict access",
        `<div id="cf-error-details"><h1><span class="cf-error-type">Error</span> <span class="cf-error-code">1020</span></h1><h2>Access denied</h2></div>`,
      ),
    },
  ],
  [
    "Cloudflare Turnstile",
    "a site's own page around it",
    {
      html: page(
        "Security check",
        `<h1>Verify you are human</h1><p>Complete the check to go on to shop.example.</p><form method="post"><div class="cf-turnstile" data-sitekey="0x4AAA"></div><button>Continue</button></form><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
      ),
    },
  ],
  [
    "Cloudflare Turnstile",
    "it alone",
    { html: page("Please wait", `<div class="cf-turnstile" data-sitekey="0x4AAA" data-callback="go"></div>`) },
  ],
  [
    "reCAPTCHA",
    "a page with it alone",
    {
      html: page(
        "Captcha",
        `<p>To continue, please confirm that you are not a robot.</p><form action="/verify" method="post"><div class="g-recaptcha" data-sitekey="6Lc"></div><textarea name="g-recaptcha-response" style="display:none"></textarea><input type="hidden" name="next" value="/p/1"><input type="submit" value="Submit"></form>`,
      ),
    },
  ],
  [
    "hCaptcha",
    "a page with it alone",
    {
      html: page(
        "One more step",
        `<h2>Please complete the security check to access shop.example</h2><form id="cform"><div class="h-captcha" data-sitekey="b17"></div></form><script src="https://js.hcaptcha.com/1/api.js" async></script>`,
      ),
    },
  ],
  [
    "Google",
    "unusual traffic",
    {
      status: 429,
      html: page(
        "https://www.google.com/search?q=tea",
        `<form id="captcha-form" action="index" method="post"><script src="https://www.google.com/recaptcha/enterprise.js" async defer></script><div id="recaptcha" class="g-recaptcha" data-sitekey="6LdL" data-s="x"></div><input type='hidden' name='q' value='EgQ'><input type="hidden" name="continue" value="https://www.google.com/search?q=tea"></form><hr noshade size="1"><div><b>About this page</b><br><br>Our systems have detected unusual traffic from your computer network. This page checks to see if it's really you sending the requests, and not a robot. <a href="#">Why did this happen?</a></div>`,
      ),
    },
  ],
  [
    "Google",
    "unusual traffic, in Turkish",
    {
      html: page(
        "https://www.google.com/search?q=%C3%A7ay",
        `<form id="captcha-form" action="index" method="post"><script src="https://www.google.com/recaptcha/enterprise.js"></script><div id="recaptcha" class="g-recaptcha"></div><input type="hidden" name="q"><input type="hidden" name="continue"></form><div>Bu sayfa hakkında: Sistemlerimiz, bilgisayar ağınızdan gelen sıra dışı bir trafik algıladı.</div>`,
      ),
    },
  ],
  [
    "Google",
    "its request for scripts",
    {
      html: page(
        "Google Search",
        `<noscript><meta content="0;url=/httpservice/retry/enablejs?sei=pw" http-equiv="refresh"><div>Please click <a href="/httpservice/retry/enablejs?sei=pw">here</a> if you are not redirected within a few seconds.</div></noscript>`,
      ),
    },
  ],
  [
    "Bing",
    "its last step",
    {
      html: page(
        "tea - Search",
        `<header id="b_header"><form id="sb_form" action="/search"><input id="sb_form_q" name="q" type="search"></form></header><main>One last step<br>Please solve the challenge below to continue<div class="captcha"></div></main><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
      ),
    },
  ],
  [
    "DataDome",
    "its captcha, without scripts",
    {
      status: 403,
      headers: { "x-datadome": "protected" },
      html: `<html lang="en"><head><title>shop.example</title><style>#cmsg{animation: A 1.5s;}</style></head><body style="margin:0"><p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync="false">var dd={'rt':'c','cid':'AHrl','hsh':'1B2','t':'fe','s':1,'host':'geo.captcha-delivery.com'}</script><script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script></body></html>`,
    },
  ],
  [
    "DataDome",
    "its captcha in a browser",
    {
      html: `<html><head><title>shop.example</title></head><body><iframe src="https://geo.captcha-delivery.com/captcha/?initialCid=AHrl&amp;hash=1B2" title="DataDome CAPTCHA" width="100%" height="100%"></iframe></body></html>`,
    },
  ],
  [
    "HUMAN",
    "press and hold",
    {
      status: 403,
      html: page(
        "Access to this page has been denied",
        `<div class="px-captcha-container"><div class="px-captcha-header">Before we continue...</div><div class="px-captcha-message">Press &amp; Hold to confirm you are a human (and not a bot).</div><div id="px-captcha"></div><div class="px-captcha-refid">Reference ID 7e1f</div></div><script>window._pxAppId='PXabc';</script><script src="https://captcha.px-cloud.net/PXabc/captcha.js?a=c&m=0"></script>`,
        '<meta name="description" content="px-captcha">',
      ),
    },
  ],
  [
    "HUMAN",
    "its captcha from the site's own host, under the site's title",
    {
      html: page(
        "Robot or human?",
        `<div>Activate and hold the button to confirm that you’re human. Thank You!</div><div class="re-captcha"></div><script src="/px/PXabc/captcha/captcha.js?a=c&u=1&v=&m=0"></script>`,
      ),
    },
  ],
  [
    "Akamai",
    "access denied",
    {
      status: 403,
      headers: { server: "AkamaiGHost" },
      html: `<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n You don't have permission to access "http&#58;&#47;&#47;shop.example&#47;" on this server.<P>\nReference&#32;&#35;18&#46;8d1e1602&#46;1700000000&#46;1a2b3c4d\n<P>\nhttps&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;8d1e1602\n</BODY>\n</HTML>`,
    },
  ],
  [
    "Akamai",
    "its interstitial",
    {
      html: `<!DOCTYPE html><html><head><meta http-equiv="refresh" content="5; URL='/p/1?bm-verify=AAQAAAAJ_____x'" /></head><body><script>var i=1700;var j=i+Number("12"+"34");var r=new XMLHttpRequest();r.open("POST","/_sec/verify?provider=interstitial",false);r.send(JSON.stringify({"bm-verify":"AAQ","pow":j}));</script></body></html>`,
    },
  ],
  [
    "Akamai",
    "its waiting challenge",
    {
      html: `<html><head><title>Challenge Validation</title></head><body><div id="sec-if-cpt-container" role="main"></div><div id="sec-bc-text-container" style="display:none">Powered and protected by <a href="#">Akamai</a> Privacy</div><script src="/abc/def"></script></body></html>`,
    },
  ],
  [
    "Akamai",
    "its challenge in a frame",
    {
      html: page(
        "",
        `<iframe id="sec-cpt-if" class="crypto" data-key="" data-duration="5"></iframe><script src="/abc"></script>`,
      ),
    },
  ],
  [
    "Radware",
    "its captcha",
    {
      html: page(
        "Captcha Page",
        `<form action="https://validate.perfdrive.com/captcha" method="post"><p>Sorry, one question first.</p></form>`,
      ),
    },
  ],
  [
    "Wordfence",
    "its block",
    {
      status: 503,
      html: page(
        "Your access to this site has been limited",
        `<h1>Your access to this site has been limited by the site owner</h1><p>HTTP response code 503</p>`,
      ),
    },
  ],
  [
    "Imperva",
    "its incident",
    {
      html: `<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head><body style="margin:0px;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&amp;xinfo=5-1&amp;incident_id=123-456&amp;edet=12&amp;cinfo=ff" frameborder=0 width="100%" height="100%">Request unsuccessful. Incapsula incident ID: 123-456</iframe></body></html>`,
    },
  ],
  [
    "Imperva",
    "its script alone",
    {
      html: `<html><head><META NAME="robots" CONTENT="noindex,nofollow"><script src="/_Incapsula_Resource?SWJIYLWA=5074a744e2e3d891814e9a2dace20bd4,719d34d31c8e3a6e6fffd425f7e032f3"></script></head><body></body></html>`,
    },
  ],
  [
    "Imperva",
    "its interruption",
    {
      html: page(
        "Pardon Our Interruption",
        `<h1>Pardon Our Interruption...</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:</p><ul><li>You've disabled JavaScript in your web browser.</li><li>You're a power user moving through this website with super-human speed.</li></ul>`,
      ),
    },
  ],
  [
    "AWS WAF",
    "its challenge",
    {
      status: 202,
      headers: { "x-amzn-waf-action": "challenge" },
      html: `<!DOCTYPE html><html lang="en"><head><title></title><script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQID","iv":"A6we","context":"f7"};</script><script src="https://1a2b.edge.sdk.awswaf.com/1a2b/challenge.js"></script></head><body><div id="challenge-container"></div><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you're not a robot. This requires JavaScript.</noscript></body></html>`,
    },
  ],
  [
    "AWS WAF",
    "its captcha, its header lost",
    {
      html: `<html><head><title>Human Verification</title><script>window.gokuProps = {"key":"AQID"};</script></head><body><div id="captcha-container"></div></body></html>`,
    },
  ],
  [
    "Kasada",
    "its script alone",
    {
      status: 429,
      html: `<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!=='undefined'?performance.now.bind(performance):Date.now;KPSDK.start=KPSDK.now();</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?KP_UIDz=0a&x-kpsdk-im=AA"></script></body></html>`,
    },
  ],
  [
    "Sucuri",
    "its firewall",
    {
      html: page(
        "Sucuri WebSite Firewall - Access Denied",
        `<h1>Access Denied - Sucuri Website Firewall</h1><p>If you are the site owner, please whitelist your IP. Block reason: Access from your Country was disabled by the administrator.</p>`,
      ),
    },
  ],
  [
    "Sucuri",
    "its cookie",
    {
      html: `<html><title>You are being redirected...</title><noscript>Javascript is required. Please enable javascript before you are allowed to see this page.</noscript><script>var s={},u,c,U,r,i,l=0,a,e=eval,w=String.fromCharCode,sucuri_cloudproxy_js='',S='cz0i';</script></html>`,
    },
  ],
  [
    "DDoS-Guard",
    "its check",
    {
      html: page(
        "DDoS-Guard",
        `<h1 id="ddg-l10n-title">Checking your browser before accessing shop.example</h1><p id="ddg-l10n-description">Please wait a few seconds.</p><script src="/.well-known/ddos-guard/js-challenge/index.js" defer></script>`,
      ),
    },
  ],
  [
    "Yandex SmartCaptcha",
    "its checkbox",
    {
      html: `<!doctype html><html lang="ru"><head><title>Вы не робот?</title></head><body><div id="root"><form method="POST" action="/checkcaptcha?key=1&amp;retpath=x" id="checkbox-captcha-form" class="CheckboxCaptcha"><span>Подтвердите, что запросы отправляли вы, а не робот</span><input type="submit" id="js-button" class="CheckboxCaptcha-Button"></form></div></body></html>`,
    },
  ],
  [
    "Amazon",
    "the characters in its picture",
    {
      html: page(
        "Amazon.com",
        `<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not a robot. For best results, please make sure your browser is accepting cookies.</p><form method="get" action="/errors/validateCaptcha"><input type=hidden name="amzn" value="x"><img src="https://images-na.ssl-images-amazon.com/captcha/usvmgloq/Captcha_kwrrn.jpg"><input autocomplete="off" placeholder="Type characters" id="captchacharacters" name="field-keywords" type="text"><button type="submit">Continue shopping</button></form><a href="/gp/help">Conditions of Use</a> <a href="/privacy">Privacy Policy</a>`,
      ),
    },
  ],
  [
    "Vercel",
    "its checkpoint",
    { status: 429, html: page("Vercel Security Checkpoint", `<p id="header-text">We're verifying your browser</p>`) },
  ],
  [
    "Anubis",
    "its proof of work",
    {
      html: page(
        "Making sure you're not a bot!",
        `<script id="anubis_challenge" type="application/json">{"difficulty":4}</script><p id="status">Loading...</p>`,
      ),
    },
  ],
  [
    "F5",
    "its rejection",
    {
      html: `<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890</body></html>`,
    },
  ],
  [
    "SiteGround",
    "its refresh",
    {
      html: `<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F&y=ipc:1.2.3.4"></head></html>`,
    },
  ],
  [
    "captcha",
    "a picture to copy",
    {
      html: page(
        "Check",
        `<p>Please verify that you are a human.</p><form><img src="/captcha.png"><input type="text" name="captcha_code"><button>OK</button></form>`,
      ),
    },
  ],
  [
    "captcha",
    "with the site's many links, answered with 403",
    {
      status: 403,
      html: page(
        "shop.example",
        `<nav>${'<a href="/c">Shoes and bags</a> '.repeat(20)}</nav><p>Please verify you are human.</p>`,
      ),
    },
  ],
];

/** What only walls say, whatever else their page has or hasn't. */
export const DEMANDS: readonly string[] = [
  "Please verify you are human to continue.",
  "Verifying you are human. This may take a few seconds.",
  "We need to make sure that you're not a robot.",
  "Please complete the CAPTCHA.",
  "Checking your browser before you go on.",
  "Press & Hold to confirm you are human.",
  "Bitte bestätigen Sie, dass Sie kein Roboter sind.",
  "Bitte beweisen Sie, dass Sie ein Mensch sind.",
  "Ihr Browser wird überprüft.",
  "Nous vérifions que vous êtes bien un être humain.",
  "Confirmez que vous n’êtes pas un robot.",
  "Vérification de votre navigateur…",
  "Para continuar, confirma que no eres un robot.",
  "Verifique que usted es humano.",
  "Comprobando su navegador.",
  "Devam etmek için lütfen insan olduğunuzu doğrulayın.",
  "Lütfen robot olmadığınızı doğrulayın.",
  "Tarayıcınız kontrol ediliyor.",
  "Подтвердите, что вы не робот.",
  "Докажите, что вы человек.",
  "Проверка вашего браузера займёт несколько секунд.",
];

/** What walls say and others too. */
export const REMARKS: readonly string[] = [
  "Are you a robot?",
  "I'm not a robot",
  "Automated requests from your network were noticed.",
  "There was unusual traffic from your network.",
  "Sind Sie ein Mensch?",
  "Ich bin kein Roboter",
  "Wir haben ungewöhnlichen Datenverkehr aus Ihrem Netzwerk festgestellt.",
  "Êtes-vous un robot ?",
  "Je ne suis pas un robot",
  "Un trafic inhabituel vient de votre réseau.",
  "¿Eres un robot?",
  "No soy un robot",
  "Hay tráfico inusual en su red.",
  "Ben robot değilim",
  "Ağınızda olağan dışı bir trafik var.",
  "Вы не робот?",
  "Я не робот",
  "Из вашей сети идёт подозрительный трафик.",
];
