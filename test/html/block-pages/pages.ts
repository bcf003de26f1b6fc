import type { Sample } from "./block-pages";

const page = (title: string, body: string, head = ""): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;

const PROSE =
  "The harbour was rebuilt after the flood of 1953, and its warehouses became homes, workshops and two small museums. ";
const ARTICLE = `<article>${`<p>${PROSE.repeat(4)}</p>`.repeat(6)}</article>`;
const NAVIGATION = `<nav>${'<a href="/c">Shoes</a> '.repeat(12)}</nav>`;

/** Ordinary pages that resemble a block page in some way. */
export const PAGES: readonly (readonly [name: string, sample: Sample])[] = [
  ["an empty page", { html: "" }],
  ["a page of one line", { html: page("It works!", "<h1>It works!</h1>") }],
  [
    "a contact form with reCAPTCHA",
    {
      html: page(
        "Contact us",
        `<h1>Contact us</h1><form><input name="name"><input type="email" name="email"><textarea name="message"></textarea><div class="g-recaptcha" data-sitekey="6Lc"></div><button>Send</button></form><script src="https://www.google.com/recaptcha/api.js"></script>`,
      ),
    },
  ],
  [
    "a contact form with a question for humans",
    {
      html: page(
        "Contact",
        `<form><input name="email"><textarea name="text"></textarea><div class="h-captcha"></div>Please confirm that you are not a robot. <button>Send</button></form>`,
      ),
    },
  ],
  [
    "a login page with Turnstile",
    {
      html: page(
        "Sign in",
        `<h1>Sign in</h1><form><input type="email" name="login"><input type="password" name="password"><div class="cf-turnstile"></div><button>Sign in</button></form><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
      ),
    },
  ],
  [
    "a page with an invisible reCAPTCHA",
    {
      html: page(
        "Weather in Oslo",
        `<h1>Oslo</h1><p>Rain, 7 °C</p><div class="grecaptcha-badge"></div><script src="https://www.google.com/recaptcha/api.js?render=6Lc"></script>`,
      ),
    },
  ],
  [
    "an article about captchas",
    {
      html: page(
        "Are you a robot? A history of the captcha",
        `<article><h1>Verify you are human</h1>${`<p>Sites ask you to confirm that you are not a robot, and to complete the CAPTCHA. ${PROSE}</p>`.repeat(12)}</article>`,
      ),
    },
  ],
  [
    "an article that shows the code of a block page",
    {
      html: page(
        "How challenges work",
        `${ARTICLE}<pre>&lt;script&gt;window._cf_chl_opt = {}&lt;/script&gt; &lt;div id="px-captcha"&gt; geo.captcha-delivery.com</pre>`,
      ),
    },
  ],
  [
    "a short text with the code of a block page",
    {
      html: page(
        "window._cf_chl_opt",
        `<p>What is <code>_cf_chl_opt</code>?</p><pre>&lt;script src="https://ct.captcha-delivery.com/c.js"&gt;</pre>`,
      ),
    },
  ],
  [
    "a page with Cloudflare analytics",
    {
      html: page(
        "Opening hours",
        `<p>Open from nine to five.</p><script defer src="https://static.cloudflareinsights.com/beacon.min.js" data-cf-beacon='{"token":"1"}'></script>`,
      ),
    },
  ],
  [
    "a page with Cloudflare's detection script",
    {
      headers: { server: "cloudflare", "cf-ray": "8f1a-AMS" },
      html: page(
        "Opening hours",
        `<p>Open from nine to five.</p><script>(function(){window.__CF$cv$params={r:'8f1a',t:'MTcw'};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js';document.head.appendChild(a);})();</script><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`,
      ),
    },
  ],
  [
    "Cloudflare's error for a server that is down",
    {
      html: page(
        "shop.example | 521: Web server is down",
        `<div id="cf-wrapper"><div id="cf-error-details"><h1><span>Web server is down</span> <span class="code-label">Error code 521</span></h1></div></div>`,
      ),
    },
  ],
  [
    "an empty app",
    {
      html: page(
        "App",
        `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.js"></script>`,
      ),
    },
  ],
  [
    "an empty app with Imperva's script",
    {
      html: page(
        "",
        `<div id="root"></div><script src="/app.js"></script><script src="/_Incapsula_Resource?SWJIYLWA=719d34d3"></script>`,
      ),
    },
  ],
  [
    "an empty app with an invisible reCAPTCHA",
    {
      html: page(
        "App",
        `<div id="root"></div><div class="g-recaptcha" data-size="invisible"></div><script src="/app.js"></script>`,
      ),
    },
  ],
  ["an app that is loading", { html: page("Just a moment...", `<div id="root">Loading your dashboard</div>`) }],
  [
    "a page with DataDome's script",
    {
      headers: { "x-datadome": "protected" },
      html: page(
        "Tickets",
        `<p>Two tickets left.</p><script>window.ddjskey='ABC';window.ddoptions={};</script><script src="https://js.datadome.co/tags.js" async></script>`,
      ),
    },
  ],
  [
    "a page with HUMAN's script",
    {
      html: page(
        "Shoes",
        `<p>Size 42 is sold out.</p><script>window._pxAppId='PXabc';</script><script src="https://client.px-cloud.net/PXabc/main.min.js"></script>`,
      ),
    },
  ],
  [
    "a page with Akamai's script",
    {
      html: page(
        "Flights",
        `<p>No flights today.</p><script src="/akam/13/3f1a" defer></script><noscript><img src="/akam/13/pixel_3f1a?a=dD0x"></noscript><script>bmak={};</script>`,
      ),
    },
  ],
  [
    "a page with Imperva's script",
    {
      html: page(
        "Hotel",
        `<p>Rooms from 80 euros.</p><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=1&cb=12" async></script>`,
      ),
    },
  ],
  [
    "a page with the AWS WAF library",
    {
      html: page(
        "Catalogue",
        `<p>Twelve items.</p><script src="https://1a2b.edge.sdk.awswaf.com/1a2b/challenge.js" defer></script>`,
      ),
    },
  ],
  [
    "a page with Kasada's library",
    {
      html: page(
        "Sneakers",
        `<p>Out now.</p><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/p.js"></script>`,
      ),
    },
  ],
  [
    "a form with Yandex SmartCaptcha",
    {
      html: page(
        "Заявка",
        `<form><input name="phone" type="tel"><div class="smart-captcha" data-sitekey="y"></div><button>Отправить</button></form>`,
      ),
    },
  ],
  [
    "a site's own page about denied access",
    { html: page("Access Denied", "<h1>Access Denied</h1><p>A film by Ann Lee. Runtime 91 minutes.</p>") },
  ],
  [
    "a page that requires a login",
    { html: page("Members only", `<p>Please log in to read on.</p><a href="/login">Log in</a>`) },
  ],
  ["a page not found", { status: 404, html: page("404 Not Found", "<h1>Not Found</h1><p>Nothing is here.</p>") }],
  [
    "a server's refusal without bot protection",
    { status: 403, html: page("403 Forbidden", "<center><h1>403 Forbidden</h1></center><hr><center>nginx</center>") },
  ],
  [
    "a list of posts, one about captchas",
    {
      html: page(
        "Blog",
        `${NAVIGATION}<ul><li><a href="/1">How to verify you are human without a captcha</a></li><li><a href="/2">Spring in the garden</a></li></ul>`,
      ),
    },
  ],
  [
    "a product named like a block page",
    {
      html: page(
        "I, Robot – DVD",
        `${NAVIGATION}<h1>I am not a robot: the T-shirt</h1><p>Cotton, 19 euros.</p><button>Add to cart</button>`,
      ),
    },
  ],
  [
    "a page in German about traffic",
    {
      html: page(
        "Verkehr",
        `<h1>Ungewöhnlich viel Verkehr auf der A7</h1><p>Zwischen Kassel und Göttingen stockt es.</p>`,
      ),
    },
  ],
  [
    "a page in Russian about robots",
    { html: page("Роботы", `<h1>Робот-пылесос</h1><p>Вы можете купить его в нашем магазине.</p>`) },
  ],
  [
    "a newsletter form with hCaptcha",
    {
      html: page(
        "News",
        `<p>Once a week.</p><form><input type="email"><div class="h-captcha"></div><button>Subscribe</button></form>`,
      ),
    },
  ],
  [
    "a page with a comment form and reCAPTCHA",
    { html: page("Post", `${ARTICLE}<div class="g-recaptcha"></div><p>Please verify you are human to comment.</p>`) },
  ],
  [
    "a page with a form named captcha",
    {
      html: page(
        "Demo",
        `<form id="captcha-form"><div class="g-recaptcha"></div><input name="email"></form><script src="https://www.google.com/recaptcha/api.js"></script>`,
      ),
    },
  ],
  [
    "a page that redirects to another",
    {
      html: page(
        "You are being redirected...",
        `<p>You are being redirected to the <a href="/new">new site</a>.</p>`,
        '<meta http-equiv="refresh" content="0; url=/new">',
      ),
    },
  ],
  [
    "a contact page with a form created by a script",
    {
      html: page(
        "Contact",
        `<h1>Contact</h1><p>Call 0800.</p><div class="g-recaptcha" data-sitekey="6Lc"></div><script src="https://www.google.com/recaptcha/api.js"></script>`,
      ),
    },
  ],
  [
    "a page that begins with contact data above such a form",
    {
      html: page(
        "Harbor museum",
        `<h1>Contact</h1><p>Please confirm that you are not a robot.</p><div class="g-recaptcha" data-sitekey="6Lc"></div><script src="https://www.google.com/recaptcha/api.js"></script>`,
      ),
    },
  ],
  [
    "an empty app with a reCAPTCHA",
    {
      html: page(
        "Shop",
        `<div id="root"></div><div class="g-recaptcha" data-sitekey="6Lc"></div><script src="/app.js"></script>`,
      ),
    },
  ],
  [
    "an empty app with a reCAPTCHA and no title",
    { html: `<div id="root"></div><div class="g-recaptcha"></div><script type="module">import("/app.js")</script>` },
  ],
  [
    "an empty app with a reCAPTCHA and a waiting title",
    {
      html: page(
        "Please wait",
        `<div class="page">Loading the app</div><div class="g-recaptcha"></div><script src="/app.js"></script>`,
      ),
    },
  ],
  [
    "a poll with reCAPTCHA",
    {
      html: page(
        "Poll",
        `<p>Tea or coffee?</p><form><label><input type="radio" name="a" value="1">Tea</label><label><input type="radio" name="a" value="2">Coffee</label><div class="g-recaptcha" data-sitekey="6Lc"></div><button>Vote</button></form>`,
      ),
    },
  ],
  [
    "a settings page with check boxes and hCaptcha",
    {
      html: page(
        "Newsletter",
        `<p>Once a week.</p><form><input type="checkbox" name="sports"> Sports<div class="h-captcha"></div><button>Save</button></form>`,
      ),
    },
  ],
  [
    "a line of text with a button for an invisible reCAPTCHA",
    { html: page("Captcha", `<button class="g-recaptcha" data-sitekey="6Lc" data-callback="send">Send</button>`) },
  ],
  [
    "a glossary entry about captchas",
    {
      html: page(
        "CAPTCHA – Glossary",
        `<h1 id="captcha">CAPTCHA</h1><div class="captcha-entry"><p>A test by which a site lets you verify that you are human. Some ask: are you a robot? Others let you complete the challenge of a picture.</p><img src="/img/captcha-example.png"></div>`,
      ),
    },
  ],
  [
    "a short glossary entry about captchas",
    { html: page("CAPTCHA", "<dl><dt>CAPTCHA</dt><dd>Asks whether you are human.</dd></dl>") },
  ],
  [
    "an FAQ with an answer about a captcha",
    {
      html: page(
        "FAQ",
        `<h1>FAQ</h1><h2>How do I post?</h2><p>First complete the captcha, then press Send.</p><h2>And where?</h2><p>Complete the captcha, then choose a board.</p><div class="g-recaptcha"></div>`,
      ),
    },
  ],
  ["a help text about a captcha", { html: page("Help", "<p>First complete the captcha, then press Send.</p>") }],
  [
    "a forum post that quotes Incapsula",
    {
      html: page(
        "Blocked? – Forum",
        `<h1>Blocked?</h1><p>I get “Request unsuccessful. Incapsula incident ID: 123-456” on my phone. What now?</p><p>Try another network.</p>`,
      ),
    },
  ],
  [
    "a poem",
    {
      html: page(
        "Just a moment in time",
        `<h1>Just a moment in time</h1><p>No verification, no proof,<br>a swallow under the roof.</p>`,
      ),
    },
  ],
  [
    "a poem with the title of a block page",
    { html: page("Just a moment", `<h1>Just a moment</h1><p>Needs no verification.</p>`) },
  ],
  [
    "a novel",
    {
      html: page(
        "Pardon Our Interruption: a novel",
        `<h1>Pardon Our Interruption</h1><p>A novel by Ann Lee. 12 euros.</p>`,
      ),
    },
  ],
  [
    "a novel with the title of a block page",
    { html: page("Pardon Our Interruption", `<h1>Pardon Our Interruption</h1><p>A novel by Ann Lee. 12 euros.</p>`) },
  ],
  [
    "a help page about HUMAN's block page",
    {
      html: page(
        "Access to this page has been denied: how to fix",
        `<h1>Access to this page has been denied: how to fix</h1><p>Turn off automation tools and note the reference ID.</p>`,
      ),
    },
  ],
  [
    "a help page about Wordfence's block page",
    {
      html: page(
        "Your access to this site has been limited",
        `<h1>Your access to this site has been limited</h1><p>You see this when the shop is closed. It opens at nine.</p>`,
      ),
    },
  ],
  [
    "a help page about Sucuri",
    { html: page("Sucuri Website Firewall: a review", `<p>It hides your IP. Three stars.</p>`) },
  ],
  [
    "a list on a page with the AWS WAF integration",
    {
      html: page(
        "Catalogue",
        `<script>window.awsWafCookieDomainList = [".shop.example"];</script><script src="https://1a2b.edge.sdk.awswaf.com/1a2b/challenge.js" defer></script>${'<a href="/i">Item</a> '.repeat(30)}`,
      ),
    },
  ],
  [
    "an empty app with the AWS WAF integration",
    {
      html: page(
        "App",
        `<script>window.awsWafCookieDomainList = ["shop.example"];</script><div id="root"></div><script src="/app.js"></script>`,
      ),
    },
  ],
  [
    "an empty app with StackPath's script",
    {
      html: page(
        "App",
        `<script>var sbbvscc='';var sbbgscc='';</script><div id="root"></div><script src="/app.js"></script><div id="sbbfrcc"><img src="/sbbi/?sbbpg=utMedia&vii=f"></div>`,
      ),
    },
  ],
  [
    "an empty app with Fastly's script",
    { html: page("App", `<div id="root"></div><script src="/_fs-ch-1T1wmsGaOgGaSxcX/challenge.js"></script>`) },
  ],
  [
    "an empty app with Aliyun's element",
    {
      html: page(
        "App",
        `<div id="root"></div><script src="/app.js"></script>`,
        '<meta name="aliyun_waf_aa" content="a">',
      ),
    },
  ],
  [
    "an empty app with Tencent's captcha",
    {
      html: page(
        "登录",
        `<div id="app"></div><script src="https://turing.captcha.qcloud.com/TCaptcha.js"></script><script src="/js/app.js"></script>`,
      ),
    },
  ],
  [
    "a page with a button and GeeTest",
    {
      html: page(
        "优惠券",
        `<h1>优惠券</h1><p>满两百减二十。</p><button>领取</button><script src="https://static.geetest.com/v4/gt4.js"></script><script>initGeetest4({product:"bind"},function(c){})</script>`,
      ),
    },
  ],
  [
    "a page that is loading",
    { html: page("One moment, please...", `<div id="root">Loading</div><script src="/app.js"></script>`) },
  ],
  ["a book titled like a block page", { html: page("Client Challenge", "<p>A book on negotiation. 12 euros.</p>") }],
  [
    "a news page in Chinese about captchas",
    { html: page("科技新闻", `${NAVIGATION}<p>不少网站要求用户证明自己不是机器人。</p>`) },
  ],
  ["a page in Japanese about robots", { html: page("ロボット", "<p>このロボットは掃除ができます。</p>") }],
  [
    "a page in Italian about checks",
    { html: page("Sicurezza", `<p>Verifica di sicurezza dell’auto: 40 euro.</p><button>Prenota</button>`) },
  ],
  ["a 404 page with a reCAPTCHA", { status: 404, html: page("404", `<p>Nothing.</p><div class="g-recaptcha"></div>`) }],
  [
    "a T-shirt with the words of a block page",
    {
      html: page(
        "Verify you are human",
        `<h1>Verify you are human</h1><p>A T-shirt of heavy cotton, 19 euros.</p><button>Add to cart</button>`,
      ),
    },
  ],
  [
    "an empty app with data about block pages",
    {
      html: page(
        "Docs",
        `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"text":"window._cf_chl_opt, geo.captcha-delivery.com, acw_sc__v2"}</script><script src="/app.js"></script>`,
      ),
    },
  ],
  [
    "traffic news with a reCAPTCHA for comments",
    {
      html: page(
        "Verkehr",
        `<h1>Unusual traffic on the A7</h1><p>Trafic inhabituel sur l’A7, tráfico inusual en la A-7.</p><div class="g-recaptcha"></div>`,
      ),
    },
  ],
  [
    "a help page about captchas with a captcha",
    {
      html: page(
        "Sign in",
        `<h1>Sign in</h1><p>How do I sign in? Solve the captcha. Then press OK.</p><div class="g-recaptcha"></div>`,
      ),
    },
  ],
  [
    "a glossary entry with a demand",
    {
      html: page(
        "Turing test",
        `<dl><dt>Turing test</dt><dd>Please verify you are human.</dd></dl><div class="h-captcha"></div>`,
      ),
    },
  ],
  [
    "a contact page with a demand",
    {
      html: page(
        "Kontakt",
        `<h1>Kontakt</h1><p>Rufen Sie uns an: 0800. Bitte bestätigen Sie, dass Sie kein Roboter sind, bevor Sie schreiben.</p><div class="g-recaptcha"></div>`,
      ),
    },
  ],
  [
    "a poll with buttons",
    {
      html: page(
        "Tea",
        `<form><p>Which tea?</p><button name="a">Green</button><button name="b">Black</button><div class="g-recaptcha"></div></form>`,
      ),
    },
  ],
  [
    "a download with a captcha",
    {
      html: page(
        "File.zip",
        `<h1>File.zip</h1><p>12 MB. Solve the captcha to download.</p><form><div class="g-recaptcha"></div><button>Download</button></form>`,
      ),
    },
  ],
  [
    "a play titled like a demand",
    {
      html: page(
        "Are you a robot?",
        `<h1>Are you a robot?</h1><p>A play by Jo Field. 12 March, 8 pm.</p><div class="h-captcha"></div>`,
      ),
    },
  ],
  [
    "a song titled like a demand",
    { html: page("Prove you are human", `<h1>Prove you are human</h1><p>A song by Jo Field, 3:12.</p>`) },
  ],
  [
    "a contest",
    {
      html: page(
        "Challenge",
        `<h1>Please complete the challenge by Sunday</h1><p>Bake a bread.</p><form id="challenge-form"><button>Join</button></form>`,
      ),
    },
  ],
  [
    "a locksmith's page",
    {
      html: page(
        "Acme",
        `<h1>Security check</h1><p>We check locks and doors. Call 0800.</p><div class="g-recaptcha"></div>`,
      ),
    },
  ],
  [
    "a page in Chinese with phone verification",
    {
      html: page(
        "账户安全",
        `<h1>账户安全</h1><p>请完成手机验证后再下单。</p><p>登录时请先完成安全验证，然后输入密码。</p>`,
      ),
    },
  ],
  [
    "a poem with a demand",
    { html: page("Just a moment", `<p>Just a moment, checking you, my love, verification of our days</p>`) },
  ],
  [
    "a page with the AWS WAF captcha and much other content",
    {
      html: page(
        "Home",
        `<h1>Welcome</h1><script>window.awsWafCookieDomainList=['.a.example']</script><div id="captcha-container"></div>${'<a href="/x">Item</a>'.repeat(30)}`,
      ),
    },
  ],
  [
    "a help page that quotes Wordfence's block page",
    {
      html: page(
        "Your access to this site has been limited",
        `<h1>Your access to this site has been limited</h1><p>Wait an hour, or write to the owner. HTTP response code 503 means that the server is busy.</p>`,
      ),
    },
  ],
  [
    "a story titled like a block page",
    {
      html: page(
        "One moment, please...",
        `<h1>One moment, please...</h1><p>A short story by Ann Lee.</p><script>track()</script>`,
      ),
    },
  ],
  [
    "a guide for moving a shop",
    { html: page("Transferring to the website", `<h1>Transferring to the website</h1><p>${PROSE.repeat(4)}</p>`) },
  ],
  [
    "an empty app behind Qrator",
    {
      html: page("App", `<div id="root"></div><script src="/__qrator/qauth.js"></script><script src="/a.js"></script>`),
    },
  ],
  [
    "an empty app with GeeTest",
    {
      html: page(
        "登录",
        `<div id="app"></div><script src="https://static.geetest.com/v4/gt4.js"></script><script>initGeetest4({},function(){})</script>`,
      ),
    },
  ],
  [
    "documentation of location.reload",
    {
      html: page(
        "location.reload()",
        `<p>Reloads the page. Checking your browser supports it is easy.</p><script>function f(){location.reload()}</script>`,
      ),
    },
  ],
  [
    "a long page with the header of a challenge",
    { headers: { "cf-mitigated": "challenge" }, html: page("Harbour", ARTICLE) },
  ],
];
