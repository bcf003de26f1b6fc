/** A page as a server sends it. */
export interface Sample {
  status?: number;
  headers?: Record<string, string>;
  html: string;
}

const page = (title: string, body: string, head = ""): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title><meta name="robots" content="noindex,nofollow">${head}</head><body>${body}</body></html>`;

/** Block pages with the structure of real ones. */
export const BLOCK_PAGES: readonly (readonly [vendor: string, name: string, sample: Sample])[] = [
  [
    "Cloudflare",
    "the managed challenge",
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
    "the challenge rendered in a browser, in German",
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
    "a challenge with only its header",
    { headers: { "cf-mitigated": "challenge" }, html: page("shop.example", "<p>One moment</p>") },
  ],
  [
    "Cloudflare",
    "the old five-second challenge",
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
    "the block message",
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
    "error 1020",
    {
      html: page(
        "Access denied | shop.example used Cloudflare to restrict access",
        `<div id="cf-error-details"><h1><span class="cf-error-type">Error</span> <span class="cf-error-code">1020</span></h1><h2>Access denied</h2></div>`,
      ),
    },
  ],
  [
    "Cloudflare Turnstile",
    "on a site's own page",
    {
      html: page(
        "Security check",
        `<h1>Verify you are human</h1><p>Complete the check to go on to shop.example.</p><form method="post"><div class="cf-turnstile" data-sitekey="0x4AAA"></div><button>Continue</button></form><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
      ),
    },
  ],
  [
    "Cloudflare Turnstile",
    "only the captcha",
    { html: page("Please wait", `<div class="cf-turnstile" data-sitekey="0x4AAA" data-callback="go"></div>`) },
  ],
  [
    "reCAPTCHA",
    "only the captcha",
    {
      html: page(
        "Captcha",
        `<p>To continue, please confirm that you are not a robot.</p><form action="/verify" method="post"><div class="g-recaptcha" data-sitekey="6Lc"></div><textarea name="g-recaptcha-response" style="display:none"></textarea><input type="hidden" name="next" value="/p/1"><input type="submit" value="Submit"></form>`,
      ),
    },
  ],
  [
    "hCaptcha",
    "only the captcha",
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
    "the request to enable scripts",
    {
      html: page(
        "Google Search",
        `<noscript><meta content="0;url=/httpservice/retry/enablejs?sei=pw" http-equiv="refresh"><div>Please click <a href="/httpservice/retry/enablejs?sei=pw">here</a> if you are not redirected within a few seconds.</div></noscript>`,
      ),
    },
  ],
  [
    "Bing",
    'the "one last step" page',
    {
      html: page(
        "tea - Search",
        `<header id="b_header"><form id="sb_form" action="/search"><input id="sb_form_q" name="q" type="search"></form></header><main>One last step<br>Please solve the challenge below to continue<div class="captcha"></div></main><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
      ),
    },
  ],
  [
    "DataDome",
    "the captcha without scripts",
    {
      status: 403,
      headers: { "x-datadome": "protected" },
      html: `<html lang="en"><head><title>shop.example</title><style>#cmsg{animation: A 1.5s;}</style></head><body style="margin:0"><p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync="false">var dd={'rt':'c','cid':'AHrl','hsh':'1B2','t':'fe','s':1,'host':'geo.captcha-delivery.com'}</script><script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script></body></html>`,
    },
  ],
  [
    "DataDome",
    "the captcha rendered in a browser",
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
    "the captcha on the site's own host, with the site's title",
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
    "the interstitial",
    {
      html: `<!DOCTYPE html><html><head><meta http-equiv="refresh" content="5; URL='/p/1?bm-verify=AAQAAAAJ_____x'" /></head><body><script>var i=1700;var j=i+Number("12"+"34");var r=new XMLHttpRequest();r.open("POST","/_sec/verify?provider=interstitial",false);r.send(JSON.stringify({"bm-verify":"AAQ","pow":j}));</script></body></html>`,
    },
  ],
  [
    "Akamai",
    "the waiting challenge",
    {
      html: `<html><head><title>Challenge Validation</title></head><body><div id="sec-if-cpt-container" role="main"></div><div id="sec-bc-text-container" style="display:none">Powered and protected by <a href="#">Akamai</a> Privacy</div><script src="/abc/def"></script></body></html>`,
    },
  ],
  [
    "Akamai",
    "the challenge in a frame",
    {
      html: page(
        "",
        `<iframe id="sec-cpt-if" class="crypto" data-key="" data-duration="5"></iframe><script src="/abc"></script>`,
      ),
    },
  ],
  [
    "Radware",
    "the captcha",
    {
      html: page(
        "Captcha Page",
        `<form action="https://validate.perfdrive.com/captcha" method="post"><p>Sorry, one question first.</p></form>`,
      ),
    },
  ],
  [
    "Wordfence",
    "the block message",
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
    "the incident page",
    {
      html: `<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head><body style="margin:0px;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&amp;xinfo=5-1&amp;incident_id=123-456&amp;edet=12&amp;cinfo=ff" frameborder=0 width="100%" height="100%">Request unsuccessful. Incapsula incident ID: 123-456</iframe></body></html>`,
    },
  ],
  [
    "Imperva",
    "only the script",
    {
      html: `<html><head><META NAME="robots" CONTENT="noindex,nofollow"><script src="/_Incapsula_Resource?SWJIYLWA=5074a744e2e3d891814e9a2dace20bd4,719d34d31c8e3a6e6fffd425f7e032f3"></script></head><body></body></html>`,
    },
  ],
  [
    "Imperva",
    "the interruption page",
    {
      html: page(
        "Pardon Our Interruption",
        `<h1>Pardon Our Interruption...</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:</p><ul><li>You've disabled JavaScript in your web browser.</li><li>You're a power user moving through this website with super-human speed.</li></ul>`,
      ),
    },
  ],
  [
    "AWS WAF",
    "the challenge",
    {
      status: 202,
      headers: { "x-amzn-waf-action": "challenge" },
      html: `<!DOCTYPE html><html lang="en"><head><title></title><script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQID","iv":"A6we","context":"f7"};</script><script src="https://1a2b.edge.sdk.awswaf.com/1a2b/challenge.js"></script></head><body><div id="challenge-container"></div><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you're not a robot. This requires JavaScript.</noscript></body></html>`,
    },
  ],
  [
    "AWS WAF",
    "the captcha without its header",
    {
      html: `<html><head><title>Human Verification</title><script>window.gokuProps = {"key":"AQID"};</script></head><body><div id="captcha-container"></div></body></html>`,
    },
  ],
  [
    "Kasada",
    "only the script",
    {
      status: 429,
      html: `<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!=='undefined'?performance.now.bind(performance):Date.now;KPSDK.start=KPSDK.now();</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?KP_UIDz=0a&x-kpsdk-im=AA"></script></body></html>`,
    },
  ],
  [
    "Sucuri",
    "the firewall page",
    {
      html: page(
        "Sucuri WebSite Firewall - Access Denied",
        `<h1>Access Denied - Sucuri Website Firewall</h1><p>If you are the site owner, please whitelist your IP. Block reason: Access from your Country was disabled by the administrator.</p>`,
      ),
    },
  ],
  [
    "Sucuri",
    "the cookie challenge",
    {
      html: `<html><title>You are being redirected...</title><noscript>Javascript is required. Please enable javascript before you are allowed to see this page.</noscript><script>var s={},u,c,U,r,i,l=0,a,e=eval,w=String.fromCharCode,sucuri_cloudproxy_js='',S='cz0i';</script></html>`,
    },
  ],
  [
    "DDoS-Guard",
    "the browser check",
    {
      html: page(
        "DDoS-Guard",
        `<h1 id="ddg-l10n-title">Checking your browser before accessing shop.example</h1><p id="ddg-l10n-description">Please wait a few seconds.</p><script src="/.well-known/ddos-guard/js-challenge/index.js" defer></script>`,
      ),
    },
  ],
  [
    "Yandex SmartCaptcha",
    "the checkbox",
    {
      html: `<!doctype html><html lang="ru"><head><title>Вы не робот?</title></head><body><div id="root"><form method="POST" action="/checkcaptcha?key=1&amp;retpath=x" id="checkbox-captcha-form" class="CheckboxCaptcha"><span>Подтвердите, что запросы отправляли вы, а не робот</span><input type="submit" id="js-button" class="CheckboxCaptcha-Button"></form></div></body></html>`,
    },
  ],
  [
    "Amazon",
    "the image captcha",
    {
      html: page(
        "Amazon.com",
        `<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not a robot. For best results, please make sure your browser is accepting cookies.</p><form method="get" action="/errors/validateCaptcha"><input type=hidden name="amzn" value="x"><img src="https://images-na.ssl-images-amazon.com/captcha/usvmgloq/Captcha_kwrrn.jpg"><input autocomplete="off" placeholder="Type characters" id="captchacharacters" name="field-keywords" type="text"><button type="submit">Continue shopping</button></form><a href="/gp/help">Conditions of Use</a> <a href="/privacy">Privacy Policy</a>`,
      ),
    },
  ],
  [
    "Vercel",
    "the checkpoint",
    { status: 429, html: page("Vercel Security Checkpoint", `<p id="header-text">We're verifying your browser</p>`) },
  ],
  [
    "Anubis",
    "the proof of work",
    {
      html: page(
        "Making sure you're not a bot!",
        `<script id="anubis_challenge" type="application/json">{"difficulty":4}</script><p id="status">Loading...</p>`,
      ),
    },
  ],
  [
    "F5",
    "the rejection page",
    {
      html: `<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890</body></html>`,
    },
  ],
  [
    "SiteGround",
    "the refresh to the captcha",
    {
      html: `<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F&y=ipc:1.2.3.4"></head></html>`,
    },
  ],
  [
    "Imunify360",
    "the waiting page",
    {
      html: `<!DOCTYPE html><html lang="en"><head><meta charset="utf8"><title>One moment, please...</title><style>.spinner{fill:none}</style></head><body><h1>Please wait while your request is being verified...</h1><form id="wsidchk-form" style="display:none" action="/z0f76a1d14fd21a8fb5fd0d03e0fdc3d3cedae52f" method="GET"><input type="hidden" id="wsidchk" name="wsidchk"></form><script>(function(){var west=+((+!+[])+[]),east=1;setTimeout(function(){document.getElementById('wsidchk').value=west+east;},1);})();</script></body></html>`,
    },
  ],
  [
    "Imunify360",
    "the waiting page with its title",
    {
      html: page(
        "One moment, please…",
        `<h1>One moment, please…</h1><p>Please wait while your request is being verified…</p>`,
      ),
    },
  ],
  [
    "StackPath",
    "the block message",
    {
      html: page(
        "StackPath",
        `<h1>Sorry, you have been blocked</h1><p>You performed an action that triggered the service and blocked your request.</p><p>Performance &amp; security by StackPath</p>`,
      ),
    },
  ],
  [
    "Alibaba",
    "the slider in a frame",
    { html: `<body><iframe src="//shop.example/punish?x5secdata=xc&amp;x5step=2"></iframe></body>` },
  ],
  [
    "Tencent Captcha",
    "the captcha in its element",
    {
      html: page(
        "Verification",
        `<div id="TencentCaptcha" data-appid="1"></div><p>Please complete the security verification to go on.</p><script src="https://ca.turing.captcha.qcloud.com/TCaptcha-global.js"></script>`,
      ),
    },
  ],
  [
    "Imunify360",
    "the waiting page without text",
    {
      html: `<!DOCTYPE html><html lang="en"><head><script>(function(){setTimeout(function(){window.location.reload();},5000);}())</script><title>One moment, please...</title></head><body><div id="outer-container"><div id="container"><div class="throbber"><svg class="spinner"><title>Loader</title></svg></div></div></div><script>var a0R=function(){return ['form','submit','webdriver'];}</script></body></html>`,
    },
  ],
  [
    "Imunify360",
    "the refusal of bots",
    {
      html: `<body>Access denied by Imunify360 bot-protection. IPs used for automation should be whitelisted</body>`,
    },
  ],
  [
    "Fastly",
    "the challenge",
    {
      html: `<!DOCTYPE html><html lang="en"><head><link href="/_fs-ch-1T1wmsGaOgGaSxcX/assets/styles.css" rel="stylesheet"><title>Client Challenge</title></head><body><noscript><div class="noscript-container"><img src="/_fs-ch-1T1wmsGaOgGaSxcX/assets/errorIcon.svg" alt=""><span>JavaScript is disabled in your browser.</span><p>Please enable JavaScript to proceed.</p></div></noscript><div id="loading-error" role="alert">A required part of this site couldn’t load.</div><script>loadScript('/_fs-ch-1T1wmsGaOgGaSxcX/errors.js')</script></body></html>`,
    },
  ],
  [
    "Baidu",
    "the security check",
    {
      html: `<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>百度安全验证</title></head><body><div class="timeout hide"><div class="timeout-img"></div><div class="timeout-title">网络不给力，请稍后重试</div><button type="button" class="timeout-button">返回首页</button></div><div class="timeout-feedback"><p>问题反馈</p></div><script src="https://wappass.baidu.com/static/machine/js/api/mkd.js"></script></body></html>`,
    },
  ],
  [
    "Aliyun",
    "the cookie challenge",
    {
      html: `<html><head></head><script>var arg1='6A2B4C5D7E8F90123456789ABCDEF0123456789A';var _0x4818=['\x63'];function setCookie(name,value){document.cookie=name+'='+value;}function reload(x){setCookie("acw_sc__v2",x);document.location.reload();}</script></html>`,
    },
  ],
  [
    "Aliyun",
    "the cookie challenge with an obfuscated name",
    {
      html: `<html><head></head><script>var arg1='6A2B4C5D7E8F90123456789ABCDEF0123456789A';(function(a,b){})(a0j,0x1)</script></html>`,
    },
  ],
  [
    "Aliyun",
    "the slider",
    {
      html: `<!doctypehtml><html lang="zh-cn"><meta charset="utf-8"><meta name="aliyun_waf_aa" content="1f"><meta name="aliyun_waf_bb" content="2e"><title>Verification</title></head><div class="tip">Please slide to verify</div><div id="captcha-element"></div><div id="traceid">TraceID: 7af1</div><script src="https://o.alicdn.com/captcha-frontend/aliyunCaptcha/AliyunCaptcha.js"></script></html>`,
    },
  ],
  [
    "Alibaba",
    "the redirect to the punish page",
    {
      html: `<body><script>sessionStorage.x5referer = window.location.href;window.location.replace("https://shop.example:443//item/1/_____tmd_____/punish?x5secdata=xcAA&x5step=1");</script>`,
    },
  ],
  [
    "Alibaba",
    "the slider",
    {
      html: `<html><head><title>Captcha Interception</title></head><body><div class="warning">Sorry, we have detected unusual traffic from your network.</div><div id="nocaptcha"></div><script>window._config_ = {"renderTo":"#nocaptcha","action":"captcha","FORMACTIOIN":"/_____tmd_____/verify/","BXSTEP":"100"};</script></body></html>`,
    },
  ],
  [
    "Tencent Captcha",
    "only the captcha",
    {
      html: `<!doctype html><html lang="zh-CN"><head><title>安全验证</title></head><body><p>为了您的访问安全，请完成以下验证</p><div id="cap"></div><script src="https://turing.captcha.qcloud.com/TCaptcha.js"></script><script>var captcha = new TencentCaptcha('190000000', function(res){location.reload();}, {}); captcha.show();</script></body></html>`,
    },
  ],
  [
    "Tencent Captcha",
    "the captcha without text",
    {
      html: `<html><body><script src="https://ssl.captcha.qq.com/TCaptcha.js"></script><script>new TencentCaptcha('2000', cb).show()</script></body></html>`,
    },
  ],
  [
    "Tencent EdgeOne",
    "the cookie challenge",
    {
      html: `<html><body><script>function a(a){return a};document.cookie="__tst_status="+a(1)+"#;";document.cookie="EO_Bot_Ssid=1;";location.reload();</script></body></html>`,
    },
  ],
  [
    "GeeTest",
    "the slider",
    {
      html: `<html><head><title>验证</title></head><body><h3>请拖动滑块完成验证</h3><div id="captcha"></div><script src="https://static.geetest.com/v4/gt4.js"></script><script>initGeetest4({captchaId:"a1"},function(captcha){captcha.appendTo("#captcha");});</script></body></html>`,
    },
  ],
  [
    "GeeTest",
    "the slider, in English",
    {
      html: page(
        "Are you human?",
        `<p>Are you a robot?</p><div id="box"></div><script src="/static/gt.js"></script><script>initGeetest({gt:"a"},function(c){c.appendTo("#box")});</script>`,
      ),
    },
  ],
  [
    "SafeLine",
    "the challenge",
    {
      status: 468,
      html: `<!DOCTYPE html><html lang="zh"><head><title></title><link rel="icon" href="/.safeline/static/favicon.png"></head><body><div id="slg-bg"></div><div id="slg-box"><div id="slg-title"></div></div><script src="https://challenge.rivers.chaitin.cn/challenge/v2/index.js"></script><script>SafeLineChallenge("9f2a", {level: 1})</script></body></html>`,
    },
  ],
  [
    "SafeLine",
    "the block message",
    {
      html: page("Access Forbidden", `<div>访问已被拦截</div><div>安全检测能力由 雷池 WAF 驱动</div>`),
    },
  ],
  [
    "StackPath",
    "the browser check",
    {
      html: `<html><head><title>Site Verification</title><script>var sbbvscc='%3c%2f%73';var sbbgscc='%3c';function genPid(){return String.fromCharCode(69)}</script></head><body onload="sbbload()"><script>var s="/sbbi/?sbbpg=sbbShell&gprid="+genPid();</script><div id="sbbfrcc"></div></body></html>`,
    },
  ],
  [
    "Reblaze",
    "the script",
    {
      status: 247,
      html: `<html><head><meta charset="utf-8"><script src="/c3650cdf-216a-4ba2-80b0-9d6c540b105e58d2670b-ea0f-484e-b88c-0e2c1499ec9bd71e4b42-8570-44e3-89b6-845326fa43b6" type="text/javascript"></script></head><body><script>;;window.rbzns={bereshit:"1",seed:"AB=="};winsocks();</script></body></html>`,
    },
  ],
  [
    "Qrator",
    "the browser check",
    {
      html: `<!doctype html><html><head><meta charset="utf-8"><script src="/__qrator/qauth_utm_v2d_v9118.js"></script></head><body></body></html>`,
    },
  ],
  [
    "ArvanCloud",
    "the transfer page",
    {
      html: `<!DOCTYPE html><html><head><title>Transferring to the website...</title></head><body><p>Transferring to the website...</p><p>در حال انتقال به سایت مورد نظر هستید...</p><script>document.cookie="__arcsjs="+eval("1")+"; path=/";location.reload();</script></body></html>`,
    },
  ],
  [
    "ArvanCloud",
    "the transfer page with an obfuscated script",
    { html: `<html><body><h1>Transferring to the website...</h1><script>eval(atob("YQ=="))</script></body></html>` },
  ],
  ...[
    [
      "Portuguese",
      "Verificação",
      "Detectamos tráfego incomum vindo da sua rede. Para continuar navegando em loja.example, confirme que você não é um robô marcando a caixa abaixo. Isso leva apenas alguns segundos.",
    ],
    [
      "Italian",
      "Verifica",
      "Abbiamo rilevato un traffico insolito proveniente dalla tua rete. Per continuare a visitare negozio.example conferma di non essere un robot selezionando la casella qui sotto.",
    ],
    [
      "Polish",
      "Weryfikacja",
      "Wykryliśmy nietypowy ruch pochodzący z Twojej sieci. Aby przejść dalej do strony sklep.example, potwierdź, że nie jesteś robotem, zaznaczając pole poniżej.",
    ],
    [
      "Japanese",
      "確認",
      "お使いのネットワークから通常と異なるトラフィックが検出されました。このページは、リクエストがロボットではなく人間によって送信されたことを確認するためのものです。続行するには、以下のチェックボックスをオンにして、あなたがロボットではないことを確認してください。確認が完了すると、お探しのページに自動的に移動します。",
    ],
    [
      "Chinese",
      "访问验证",
      "系统检测到您的网络环境存在异常流量，为了保障您的访问安全，请先完成下方的安全验证，验证通过后即可继续访问。".repeat(
        3,
      ),
    ],
    [
      "Dutch",
      "Controle",
      "We hebben ongebruikelijk verkeer vanaf uw netwerk gezien. Bevestig dat u geen robot bent om verder te gaan naar winkel.example en vink daartoe het vakje hieronder aan.",
    ],
    [
      "Korean",
      "확인",
      "네트워크에서 비정상적인 트래픽이 감지되었습니다. 계속하려면 아래 상자를 선택하여 로봇이 아님을 확인해 주세요. 확인이 끝나면 원래 페이지로 이동합니다. ".repeat(
        2,
      ),
    ],
  ].flatMap(([language, title, text]) =>
    (
      [
        ["reCAPTCHA", "g-recaptcha"],
        ["hCaptcha", "h-captcha"],
      ] as const
    ).map(([vendor, name]): [string, string, Sample] => [
      vendor,
      `a page around it in ${language}`,
      {
        html: `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p><form method="post"><input type="hidden" name="next" value="/p"><div class="${name}" data-sitekey="6Lc"></div><button>OK</button></form></body></html>`,
      },
    ]),
  ),
  [
    "reCAPTCHA",
    "a page with the captcha in an unknown language and status 403",
    {
      status: 403,
      html: page(
        "Tarkistus",
        `<p>${"Vahvista alla olevalla ruudulla, niin pääset eteenpäin. ".repeat(4)}</p><form><div class="g-recaptcha"></div></form>`,
      ),
    },
  ],
  [
    "captcha",
    "a browser check that continues automatically",
    {
      html: page(
        "shop.example",
        `<h1>Checking your browser before accessing shop.example.</h1><p>This process is automatic. Your browser will redirect to your requested content shortly. Please allow up to five seconds.</p><script>setTimeout(function(){location.reload()},5000)</script>`,
      ),
    },
  ],
  [
    "Cloudflare Turnstile",
    "a page with the captcha in Portuguese, without a form",
    {
      html: page(
        "Atenção",
        `<p>Antes de continuar, precisamos verificar se você é humano. Por favor, resolva o captcha abaixo para acessar o site. Se o problema persistir, entre em contato com o suporte.</p><div class="cf-turnstile"></div>`,
      ),
    },
  ],
  [
    "reCAPTCHA",
    "a page with the captcha and another phrase, in Polish",
    {
      html: page(
        "Chwileczkę",
        `<p>Zanim przejdziesz dalej, musimy sprawdzić, czy jesteś człowiekiem. Rozwiąż zadanie captcha poniżej, aby uzyskać dostęp do strony. Dziękujemy za cierpliwość.</p><div class="g-recaptcha"></div>`,
      ),
    },
  ],
  [
    "hCaptcha",
    "a page with the captcha and another phrase, in Japanese",
    {
      html: page(
        "アクセス確認",
        `<form><p>大変申し訳ございませんが、お客様のネットワークから自動化されたアクセスが検出されたため、一時的にアクセスを制限しております。引き続きご利用いただくには、下のチェックボックスにチェックを入れてください。ご不便をおかけして申し訳ございませんが、何卒ご理解いただけますようお願い申し上げます。</p><div class="h-captcha"></div></form>`,
      ),
    },
  ],
  [
    "reCAPTCHA",
    "a page with the captcha and another phrase, in German",
    {
      html: page(
        "Moment",
        `<p>Bevor es weitergeht, müssen wir prüfen, ob Sie ein Mensch sind. Bitte lösen Sie das Captcha, um zur gewünschten Seite zu gelangen. Vielen Dank für Ihre Geduld.</p><div class="g-recaptcha"></div>`,
      ),
    },
  ],
  [
    "reCAPTCHA",
    "a page with the captcha and another phrase, in Turkish",
    {
      html: page(
        "Bir dakika",
        `<p>Devam etmeden önce robot olmadığınızdan emin olmalıyız. Sayfaya erişmek için aşağıdaki captcha’yı çözün. Sabrınız için teşekkür ederiz, anlayışınız için sağ olun.</p><div class="g-recaptcha"></div>`,
      ),
    },
  ],
  [
    "GeeTest",
    "the captcha's element",
    { html: page("Verify", `<div class="geetest_captcha"></div><p>Please complete verification to continue</p>`) },
  ],
  [
    "Reblaze",
    "the library",
    {
      html: page(
        "",
        `<script src="/kramericaindustries.ac_v2.lib.js"></script><noscript>Please enable JavaScript</noscript>`,
      ),
    },
  ],
  [
    "captcha",
    "the phrases of StackPath",
    { html: page("Please wait", `<p>StackPath is checking your browser before accessing shop.example.</p>`) },
  ],
  [
    "hCaptcha",
    "the captcha above a contact for help",
    {
      html: page(
        "shop.example",
        `<p>Please verify you are human.</p><div class="h-captcha"></div><p>Contact us if this goes on.</p>`,
      ),
    },
  ],
  [
    "captcha",
    "an image captcha",
    {
      html: page(
        "Check",
        `<p>Please verify that you are a human.</p><form><img src="/captcha.png"><input type="text" name="captcha_code"><button>OK</button></form>`,
      ),
    },
  ],
  [
    "captcha",
    "a page with many links and status 403",
    {
      status: 403,
      html: page(
        "shop.example",
        `<nav>${'<a href="/c">Shoes and bags</a> '.repeat(20)}</nav><p>Please verify you are human.</p>`,
      ),
    },
  ],
];

/** Sentences that only block pages contain. They identify a block page even without a captcha. */
export const DEMANDS: readonly string[] = [
  "Confirme que você não é um robô.",
  "Verifique que você é humano.",
  "Conferma di non essere un robot.",
  "Dimostra di essere un essere umano.",
  "Potwierdź, że nie jesteś robotem.",
  "あなたがロボットではないことを確認してください。",
  "请完成安全验证",
  "로봇이 아님을 확인해 주세요.",
  "Bevestig dat u geen robot bent.",
  "Підтвердіть, що ви не робот.",
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

/** Sentences that both block pages and ordinary pages contain. */
export const MENTIONS: readonly string[] = [
  "Não sou um robô",
  "Detectamos tráfego incomum.",
  "Non sono un robot",
  "Nie jestem robotem",
  "私はロボットではありません",
  "安全验证",
  "로봇이 아닙니다",
  "Ik ben geen robot",
  "Security check",
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
