import { expect, it } from "vitest";
import { metaRefresh, onlyRedirect, scriptRedirect } from "../../src/html/meta-refresh";
import { parseDocument } from "../../src/html/parse/document";

const PAGE = "https://a.example/b/c";
const NEXT = "https://a.example/next";

it.each([
  ["0; url=/next", 0, NEXT],
  ["5;URL=/next", 5, NEXT],
  ["  3 , url = /next ", 3, NEXT],
  ["0 url=/next", 0, NEXT],
  ["0;/next", 0, NEXT],
  ["0;url='/next' trailing", 0, NEXT],
  ["0;'/next'", 0, NEXT],
  ["0;url=&quot;/next&quot;", 0, NEXT],
  ["1.9;url=/next", 1, NEXT],
  [".5;url=/next", 0, NEXT],
  ["0;url=next?x=1&amp;y=2", 0, "https://a.example/b/next?x=1&y=2"],
  ["0;url=http://other.example", 0, "http://other.example/"],
  ["5", 5, PAGE],
  ["5;", 5, PAGE],
  ["5; url=", 5, PAGE],
])("parses %j like browsers", (content, delaySeconds, url) => {
  expect(metaRefresh(`<meta http-equiv="refresh" content="${content}">`, PAGE)).toEqual({ delaySeconds, url });
});

it.each(["", "url=/next", "x;url=/next", "0url=/next", "-1;url=/next", "0;url=javascript:x()", "0;url=http://["])(
  "returns null for %j",
  (content) => {
    expect(metaRefresh(`<meta http-equiv="refresh" content="${content}">`, PAGE)).toBeNull();
  },
);

it.each([
  ["in a comment", '<!-- <meta http-equiv="refresh" content="0;url=/next"> -->'],
  ["in <noscript>", '<noscript><meta http-equiv="refresh" content="0;url=/next"></noscript>'],
  ["in <template>", '<template><meta http-equiv="refresh" content="0;url=/next"></template>'],
  ["in a script", '<script>"<meta http-equiv=refresh content=0;url=/next>"</script>'],
  ["with another attribute", '<meta name="refresh" content="0;url=/next">'],
  ["on a page without one", "<p>refresh</p>"],
])("ignores a refresh %s", (_, html) => {
  expect(metaRefresh(html, PAGE)).toBeNull();
});

it("returns the first refresh with a URL, resolved against <base>, also in capitals", () => {
  const html = `<HTML><BASE HREF="/z/"><META HTTP-EQUIV=Refresh CONTENT="9"><META HTTP-EQUIV=REFRESH CONTENT="2;URL=next">
    <meta http-equiv=refresh content="1;url=/later">`;
  expect(metaRefresh(html, PAGE)).toEqual({ delaySeconds: 2, url: "https://a.example/z/next" });
});

it.each([
  ["in <noscript>", `<noscript><meta http-equiv=refresh content="0;url=/next"></noscript><title>x</title>`],
  [
    "in <noscript> with other text",
    `<noscript><meta http-equiv=refresh content="0;url=/next"></noscript><p>This catalog works best with scripts.</p>`,
  ],
  [
    "by location.replace",
    String.raw`<script>window.opener = null; location.replace("https:\/\/a.example\/next")</script>`,
  ],
  [
    "by location.href",
    `<p>If you are not redirected, <a href="/next">go on</a>.</p><script>location.href = '/next';</script>`,
  ],
  ["by location", `<title>Redirecting</title><script>window.location="/next"</script><noscript>Go to /next</noscript>`],
  ["by a timer", `<p>Please wait while we open the page</p><script>setTimeout("location.href='/next'", 9)</script>`],
  ["by a variable", "<script>const to = `/next`; window.location['href'] = to;</script>"],
  ["by an escaped address", String.raw`<script>location.assign("\x2fn\u0065xt")</script>`],
  ["by an attribute", `<body onload="location.href='/next'">`],
  ["after other scripts", `<script>a = a || {}\ngtag("b", "c")\nlocation.href = "/next"</script>`],
  ["after the page has loaded", `<script>addEventListener("load", () => { location.href = "/next" })</script>`],
  ["by a function", `<script>function go() { location.href = "/next" }\nsetTimeout(go, 3000)</script>`],
  [
    "by a computed target with one link",
    `<p>You will be redirected. If not, <a href="/next">click here</a>.</p><script>location.href = atob(x)</script>`,
  ],
])("finds the target of a page that only redirects %s", (_, html) => {
  expect(onlyRedirect(html, PAGE)?.url).toBe(NEXT);
});

const SCRIPTS_ONLY: [kind: string, html: string][] = [
  ["with several targets", `<script>if (a) location.href = "/next"; else location.href = "/other"</script>`],
  ["with a computed target", `<script>location.href = "/next" + id</script>`],
  ["with a computed variable", `<script>var to = "/next" + id; location.href = to</script>`],
  ["with a variable that changes", `<script>var to = "/next"; if (a) to = "/other"; location.href = to</script>`],
  ["that sets a cookie", `<script>document.cookie = "a=1"; location.href = "/next"</script>`],
  ["that submits a form", `<form action="/next"><input type=hidden></form><script>document.forms[0].submit()</script>`],
  ["that redirects to the page itself in some cases", `<script>if (a) location.href = "/b/c"</script>`],
  [
    "that redirects old browsers",
    `<script>if (!window.fetch) { location.href = "/next" }</script><script src=a.js></script>`,
  ],
  ["that redirects after an error", `<script>try { a() } catch (e) { location.href = "/next" }</script>`],
  ["that redirects small screens", `<script>if (screen.width < 700)\nlocation = "/next"</script>`],
];

it.each([
  ["with text", `<p>The pier opens on Monday, and the cafe with it.</p><script>location.href = "/next"</script>`],
  ...SCRIPTS_ONLY,
  ["with a mount element", `<div id="root"></div><script>if (!user) location.href = "/next"</script>`],
  ["with a comparison", `<script>if (location.href == "/next") run()</script>`],
  ["with a view of an application", `<script>location.href = "#/next"</script>`],
  [
    "with an image and a target for phones",
    `<img src=a.png><script>if (/Mobi/.test(navigator.userAgent)) location.href = "/m"</script>`,
  ],
  ["with a comment", `<script>// location.href = "/next"\n/* location.href = "/next" */ a()</script>`],
  ["with a text", `<script>const help = "location.href = '/next'"; a("Set location.href = '/next'")</script>`],
  ["with a template", `<script type="text/template">location.href = "/next"</script>`],
  ["with a button", `<button id=b>Enter</button><script>b.onclick = () => { location.href = "/next" }</script>`],
  ["with a listener", `<script>b.addEventListener("click", function () { location.href = "/next" })</script>`],
  [
    "with a function for a link",
    `<a href="javascript:go()">Go</a><script>function go() { location = "/next" }</script>`,
  ],
  ["with the end of a session", `<p>Chart</p><script>setTimeout("location.href = '/next'", 900000)</script>`],
  ["with a late refresh", '<noscript><meta http-equiv=refresh content="3600;url=/next"></noscript>'],
  ["with a field", `<input name=q><script>function search() { location.href = "/?q=" + q.value }</script>`],
])("ignores the scripts of a page %s", (_, html) => {
  expect(onlyRedirect(html, PAGE)).toBeNull();
});

it.each([
  ["an application", "<div id=root></div><script src=a.js></script>", "noscript"],
  ["a page whose script has the same target", `<script>location.replace("/next")</script>`, "refresh"],
  ["a page without scripts", "", "refresh"],
])("knows who is redirected by a refresh in <noscript> of %s", (_, html, by) => {
  const refresh = '<noscript><meta http-equiv=refresh content="0;url=/next"></noscript>';
  expect(onlyRedirect(refresh + html, PAGE)).toEqual({ url: NEXT, by });
});

it.each(SCRIPTS_ONLY)("recognizes that a page only redirects %s", (_, html) => {
  expect(scriptRedirect(html, parseDocument(html), PAGE)).toEqual({ url: null });
});
