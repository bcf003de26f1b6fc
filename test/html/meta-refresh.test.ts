import { expect, it } from "vitest";
import { metaRefresh, onlyRedirect } from "../../src/html/meta-refresh";

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
])("parses %j like browsers", (content, delaySeconds, url) => {
  expect(metaRefresh(`<meta http-equiv="refresh" content="${content}">`, PAGE)).toEqual({ delaySeconds, url });
});

it.each([
  "",
  "5",
  "5;",
  "5; url=",
  "url=/next",
  "x;url=/next",
  "0url=/next",
  "-1;url=/next",
  "0;url=javascript:x()",
  "0;url=http://[",
])("returns null for %j", (content) => {
  expect(metaRefresh(`<meta http-equiv="refresh" content="${content}">`, PAGE)).toBeNull();
});

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
    "by location.replace",
    String.raw`<script>window.opener = null; location.replace("https:\/\/a.example\/next")</script>`,
  ],
  [
    "by location.href",
    `<p>If you are not redirected, <a href="/next">go on</a>.</p><script>location.href = '/next';</script>`,
  ],
  ["by location", `<title>Redirecting</title><script>window.location="/next"</script><noscript>Go to /next</noscript>`],
])("finds the target of a page that only redirects %s", (_, html) => {
  expect(onlyRedirect(html, PAGE)?.url).toBe(NEXT);
});

it.each([
  ["with text", `<p>The pier opens on Monday, and the cafe with it.</p><script>location.href = "/next"</script>`],
  ["with several targets", `<script>if (a) location.href = "/next"; else location.href = "/other"</script>`],
  ["with a computed target", `<script>location.href = "/next" + id</script>`],
  ["with a mount element", `<div id="root"></div><script>if (!user) location.href = "/next"</script>`],
  ["with a comparison", `<script>if (location.href == "/next") run()</script>`],
])("ignores the scripts of a page %s", (_, html) => {
  expect(onlyRedirect(html, PAGE)).toBeNull();
});
