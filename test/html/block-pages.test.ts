import { describe, expect, it } from "vitest";
import { wallOf } from "../../src/html/block-pages/detect";
import { PAGES } from "./block-pages/pages";
import { DEMANDS, REMARKS, type Sample, WALLS } from "./block-pages/walls";

function wallOfSample({ status = 200, headers = {}, html }: Sample, text?: string): string | null {
  return wallOf({ status, headers: new Headers(headers), html, ...(text !== undefined && { text }) });
}

describe("a wall", () => {
  it.each(WALLS)("of %s is recognised: %s", (wall, _, sample) => {
    expect(wallOfSample(sample)).toBe(wall);
  });

  it("is recognised below long scripts and styles", () => {
    const filler = `<style>${".a{b:c}".repeat(10_000)}</style><script>${"f();".repeat(10_000)}</script>`;
    expect(wallOfSample({ html: `<head>${filler}</head><body><div id="px-captcha"></div></body>` })).toBe("HUMAN");
  });
});

describe("a wall with more script than a page has", () => {
  it.each([
    ["before its mark", (filler: string, mark: string) => `<script>${filler}</script><script>${mark}</script>`],
    ["after it", (filler: string, mark: string) => `<script>${mark}${filler}</script>`],
    ["around it", (filler: string, mark: string) => `<script>${filler}${mark}</script><script>${filler}</script>`],
  ])("is recognised: %s", (_, toScripts) => {
    const scripts = toScripts("f();".repeat(200_000), "(function(){window._cf_chl_opt = {cvId: '3'};}());");
    expect(
      wallOfSample({ html: `<html><head><title>Just a moment...</title></head><body>${scripts}</body></html>` }),
    ).toBe("Cloudflare");
  });
});

describe("a page of no known wall", () => {
  it.each(DEMANDS)("is one when all that it says is: %s", (sentence) => {
    expect(wallOfSample({ html: `<p>${sentence}</p>` })).toBe("captcha");
    expect(wallOfSample({ html: `<p>${sentence}</p><form><input name="email"></form>` })).toBeNull();
  });

  it.each(REMARKS)("is one when it has a captcha, or refuses, and says: %s", (sentence) => {
    const html = `<p>${sentence}</p>`;
    expect(wallOfSample({ html })).toBeNull();
    expect(wallOfSample({ html, status: 403 })).toBe("captcha");
    expect(wallOfSample({ html: `${html}<div id="captcha-box"></div>` })).toBe("captcha");
  });
});

describe("no wall", () => {
  it.each(PAGES)("is %s", (_, sample) => {
    expect(wallOfSample(sample)).toBeNull();
  });

  it("is what a caller knows to say much", () => {
    const html = `<div id="px-captcha"></div>`;
    expect(wallOfSample({ html }, "a word ".repeat(500))).toBeNull();
    expect(wallOfSample({ html }, "a word")).toBe("HUMAN");
  });

  it.each(WALLS)("is a page that says much besides the wall of %s: %s", (_wall, _what, sample) => {
    const html = sample.html.replace(
      /<body[^>]*>|<noscript>|<\/head>/i,
      (tag) => `${tag}<p>${"a word ".repeat(500)}</p>`,
    );
    expect(wallOfSample({ ...sample, html })).toBeNull();
  });
});

describe("the check", () => {
  it.each([
    ["open tags", "<div class=a "],
    ["open comments", "<!--"],
    ["words of a request", "verify confirm check you are "],
    ["sources", '<img src="/_Incapsula_Resource?/cdn-cgi/challenge-platform/'],
    ["one long source", "/_Incapsula_Resource?/cdn-cgi/challenge-platform/", '<img src="'],
    ["inline scripts", "<script>fromCharCode _cf_chl sucuri</script>"],
    ["nested elements", "<b><svg><script>"],
    ["white space", " \n\t"],
  ])("is quick for half a megabyte of %s", { timeout: 10_000 }, (_, part, before = "") => {
    const html = before + part.repeat(Math.floor(500_000 / part.length));
    expect(wallOfSample({ html })).toBeNull();
  });
});
