import { describe, expect, it } from "vitest";
import { detectBlockPage } from "../../../src/html/block-pages/detect";
import { forAll } from "../../support/for-all";
import { ERROR_LOOKALIKES } from "../outcome/error-lookalikes";
import { BLOCK_PAGES, DEMANDS, MENTIONS, type Sample } from "./block-pages";
import { PAGES } from "./pages";
import { REFUSALS } from "./refusals";

function detect({ status = 200, headers = {}, html }: Sample): string | null {
  return detectBlockPage({ status, headers: new Headers(headers), html });
}

describe("a block page", () => {
  forAll(BLOCK_PAGES)("of %s is detected: %s", (vendor, _, sample) => {
    expect(detect(sample)).toBe(vendor);
  });

  it("is detected after long scripts and styles", () => {
    const filler = `<style>${".a{b:c}".repeat(10_000)}</style><script>${"f();".repeat(10_000)}</script>`;
    expect(detect({ html: `<head>${filler}</head><body><div id="px-captcha"></div></body>` })).toBe("HUMAN");
  });
});

describe("a block page with very long scripts", () => {
  it.each([
    [
      "the script that identifies it is last",
      (filler: string, mark: string) => `<script>${filler}</script><script>${mark}</script>`,
    ],
    ["the script that identifies it is first", (filler: string, mark: string) => `<script>${mark}${filler}</script>`],
    [
      "the script that identifies it is between others",
      (filler: string, mark: string) => `<script>${filler}${mark}</script><script>${filler}</script>`,
    ],
  ])("is detected if %s", (_, toScripts) => {
    const scripts = toScripts("f();".repeat(200_000), "(function(){window._cf_chl_opt = {cvId: '3'};}());");
    expect(detect({ html: `<html><head><title>Just a moment...</title></head><body>${scripts}</body></html>` })).toBe(
      "Cloudflare",
    );
  });
});

describe("a page of an unknown vendor", () => {
  forAll(DEMANDS)("is a block page if its only sentence is: %s", (sentence) => {
    expect(detect({ html: `<p>${sentence}</p>` })).toBe("captcha");
    expect(detect({ html: `<p>${sentence}</p><form><input name="email"></form>` })).toBeNull();
  });

  forAll(MENTIONS)("is a block page if it has a captcha or an error status and contains: %s", (sentence) => {
    const html = `<p>${sentence}</p>`;
    expect(detect({ html })).toBeNull();
    expect(detect({ html, status: 403 })).toBe("captcha");
    expect(detect({ html: `${html}<div id="captcha-box"></div>` })).toBe("captcha");
  });
});

describe("a page that only refuses the request", () => {
  forAll(REFUSALS)("is a block page: %s", (_, html) => {
    expect(detect({ html })).not.toBeNull();
  });
});

describe("a page that isn't a block page", () => {
  forAll(ERROR_LOOKALIKES)("is %s", (_, html) => {
    expect(detect({ html })).toBeNull();
  });

  forAll(PAGES)("is %s", (_, sample) => {
    expect(detect(sample)).toBeNull();
  });

  forAll(BLOCK_PAGES)("has long text next to the block page of %s: %s", (_vendor, _what, sample) => {
    const html = sample.html.replace(
      /<body[^>]*>|<noscript>|<\/head>/i,
      (tag) => `${tag}<p>${"a word ".repeat(500)}</p>`,
    );
    expect(detect({ ...sample, html })).toBeNull();
  });
});

describe("detecting block pages", () => {
  it.each([
    ["unclosed tags", "<div class=a "],
    ["unclosed comments", "<!--"],
    ["words from demands", "verify confirm check you are "],
    ["sources of images", '<img src="/_Incapsula_Resource?/cdn-cgi/challenge-platform/'],
    ["one long source", "/_Incapsula_Resource?/cdn-cgi/challenge-platform/", '<img src="'],
    ["inline scripts", "<script>fromCharCode _cf_chl sucuri</script>"],
    ["nested elements", "<b><svg><script>"],
    ["white space", " \n\t"],
  ])("is fast for half a megabyte of %s", { timeout: 60_000 }, (_, part, before = "") => {
    const html = before + part.repeat(Math.floor(500_000 / part.length));
    expect(detect({ html })).toBeNull();
  });
});
