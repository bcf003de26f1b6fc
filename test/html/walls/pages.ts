import type { Sample } from "./walls";

const page = (title: string, body: string, head = ""): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;

const PROSE =
  "The harbour was rebuilt after the flood of 1953, and its warehouses became homes, workshops and two small museums. ";
const ARTICLE = `<article>${`<p>${PROSE.repeat(4)}</p>`.repeat(6)}</article>`;
const NAVIGATION = `<nav>${'<a href="/c">Shoes</a> '.repeat(12)}</nav>`;

/** Pages that have something of a wall and aren't one. */
export const PAGES: readonly (readonly [what: string, sample: Sample])[] = [
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
    "a contact form that asks whether its sender is human",
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
    "an article that shows a wall's code",
    {
      html: page(
        "How challenges work",
        `${ARTICLE}<pre>&lt;script&gt;window._cf_chl_opt = {}&lt;/script&gt; &lt;div id="px-captcha"&gt; geo.captcha-delivery.com</pre>`,
      ),
    },
  ],
  [
    "a short note with a wall's code",
    {
      html: page(
        "window._cf_chl_opt",
        `<p>What is <code>_cf_chl_opt</code>?</p><pre>&lt;script src="https://ct.captcha-delivery.com/c.js"&gt;</pre>`,
      ),
    },
  ],
  [
    "a page with Cloudflare's analytics",
    {
      html: page(
        "Opening hours",
        `<p>Open from nine to five.</p><script defer src="https://static.cloudflareinsights.com/beacon.min.js" data-cf-beacon='{"token":"1"}'></script>`,
      ),
    },
  ],
  [
    "a page with Cloudflare's detections",
    {
      headers: { server: "cloudflare", "cf-ray": "8f1a-AMS" },
      html: page(
        "Opening hours",
        `<p>Open from nine to five.</p><script>(function(){window.__CF$cv$params={r:'8f1a',t:'MTcw'};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js';document.head.appendChild(a);})();</script><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`,
      ),
    },
  ],
  [
    "Cloudflare's error of a server that is down",
    {
      html: page(
        "shop.example | 521: Web server is down",
        `<div id="cf-wrapper"><div id="cf-error-details"><h1><span>Web server is down</span> <span class="code-label">Error code 521</span></h1></div></div>`,
      ),
    },
  ],
  [
    "an app's shell",
    {
      html: page(
        "App",
        `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.js"></script>`,
      ),
    },
  ],
  [
    "an app's shell with Imperva's script",
    {
      html: page(
        "",
        `<div id="root"></div><script src="/app.js"></script><script src="/_Incapsula_Resource?SWJIYLWA=719d34d3"></script>`,
      ),
    },
  ],
  [
    "an app's shell with an invisible reCAPTCHA",
    {
      html: page(
        "App",
        `<div id="root"></div><div class="g-recaptcha" data-size="invisible"></div><script src="/app.js"></script>`,
      ),
    },
  ],
  ["an app's shell that loads", { html: page("Just a moment...", `<div id="root">Loading your dashboard</div>`) }],
  [
    "a page with DataDome's tag",
    {
      headers: { "x-datadome": "protected" },
      html: page(
        "Tickets",
        `<p>Two tickets left.</p><script>window.ddjskey='ABC';window.ddoptions={};</script><script src="https://js.datadome.co/tags.js" async></script>`,
      ),
    },
  ],
  [
    "a page with HUMAN's sensor",
    {
      html: page(
        "Shoes",
        `<p>Size 42 is sold out.</p><script>window._pxAppId='PXabc';</script><script src="https://client.px-cloud.net/PXabc/main.min.js"></script>`,
      ),
    },
  ],
  [
    "a page with Akamai's sensor",
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
    "a page with AWS WAF's library",
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
    "a page of its own about access",
    { html: page("Access Denied", "<h1>Access Denied</h1><p>A film by Ann Lee. Runtime 91 minutes.</p>") },
  ],
  [
    "a page behind a login",
    { html: page("Members only", `<p>Please log in to read on.</p><a href="/login">Log in</a>`) },
  ],
  ["a page not found", { status: 404, html: page("404 Not Found", "<h1>Not Found</h1><p>Nothing is here.</p>") }],
  [
    "a server's plain refusal",
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
    "a product called so",
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
    "a newsletter's sign-up with hCaptcha",
    {
      html: page(
        "News",
        `<p>Once a week.</p><form><input type="email"><div class="h-captcha"></div><button>Subscribe</button></form>`,
      ),
    },
  ],
  [
    "a page with comments behind reCAPTCHA",
    { html: page("Post", `${ARTICLE}<div class="g-recaptcha"></div><p>Please verify you are human to comment.</p>`) },
  ],
  [
    "a page with a form called captcha",
    {
      html: page(
        "Demo",
        `<form id="captcha-form"><div class="g-recaptcha"></div><input name="email"></form><script src="https://www.google.com/recaptcha/api.js"></script>`,
      ),
    },
  ],
  [
    "a page that goes on to another",
    {
      html: page(
        "You are being redirected...",
        `<p>You are being redirected to the <a href="/new">new site</a>.</p>`,
        '<meta http-equiv="refresh" content="0; url=/new">',
      ),
    },
  ],
  [
    "a long page that a challenge's header came with",
    { headers: { "cf-mitigated": "challenge" }, html: page("Harbour", ARTICLE) },
  ],
];
