import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../../src/model/engine";
import { ENGINES } from "../../../src/search/engines/engines";
import { type LinkTarget, readTarget } from "../../../src/search/results/links";

const BASES: { readonly [E in EngineName]: string } = {
  google: "https://www.google.com/search?q=x",
  bing: "https://www.bing.com/search?q=x",
  yandex: "https://yandex.ru/search/?text=x",
};
const targetOf = (name: EngineName, href: string): LinkTarget | null =>
  readTarget(ENGINES[name].page.links, href, BASES[name]);

function base64Url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const WRAPPINGS: readonly (readonly [EngineName, (url: string) => string])[] = [
  ["google", (url) => `/url?q=${encodeURIComponent(url)}&sa=U&ved=2ah`],
  ["google", (url) => `https://www.google.com.tr/url?esrc=s&q=&url=${encodeURIComponent(url)}`],
  ["bing", (url) => `https://www.bing.com/ck/a?!&&p=1&u=a1${base64Url(url)}&ntb=1`],
  ["yandex", (url) => `https://yandex.ru/clck/jsredir?from=x&url=${encodeURIComponent(url)}&l10n=ru`],
  ["yandex", (url) => `//yandex.com.tr/clck/dtype=stred/*${url}`],
];

describe.each(WRAPPINGS)("a redirect of %s", (name, wrap) => {
  it("is replaced with its target", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (address) => {
        const { href } = new URL(address);
        fc.pre(!/google|bing|yandex|srsltid|:~:/.test(href));
        expect(targetOf(name, wrap(href))).toEqual({ url: href });
      }),
    );
  });

  it("is unwrapped even if it leads to another redirect", () => {
    const url = "https://port.example.com/?a=1&b=%C3%A4#c";
    const absolute = new URL(wrap(url), BASES[name]).href;
    expect(targetOf(name, wrap(absolute))).toEqual({ url });
  });

  it("never returns a target that isn't http(s)", () => {
    for (const target of ["javascript:alert(1)", "data:text/html,x", "/search?q=y", "mailto:a@example.com", ""]) {
      const found = targetOf(name, wrap(target));
      const { href } = new URL(wrap(target), BASES[name]);
      // The parser may return the redirect URL itself, but only with `unresolved`.
      expect(found ?? { url: href, unresolved: true }).toEqual({ url: href, unresolved: true });
    }
  });
});

it.each(ENGINE_NAMES)("%s reads any text as an http(s) URL or null", (name) => {
  const hrefs = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl({ withQueryParameters: true }),
    ...WRAPPINGS.map(([, wrap]) => fc.string({ unit: "grapheme" }).map(wrap)),
    fc.string().map((text) => `/ck/a?u=a1${text}`),
    fc.string().map((text) => `/goto?url=${text}`),
  );
  fc.assert(
    fc.property(hrefs, (href) => {
      const target = targetOf(name, href);
      if (target) expect(new URL(target.url).protocol).toMatch(/^https?:$/);
    }),
  );
});

const NOTHING = [
  ["google", "/search?q=more"],
  ["google", "https://www.google.com/aclk?sa=l"],
  ["google", "https://www.google.co.uk/maps?q=crane"],
  ["google", "https://www.google.com/maps/place/Crane"],
  ["google", "https://www.google.com/finance?q=crane"],
  ["google", "https://www.google.com/url?q="],
  ["google", "javascript:void(0)"],
  ["bing", "https://www.bing.com/aclick?ld=1"],
  ["bing", "javascript:;"],
  ["yandex", "https://yabs.yandex.ru/count/1"],
  ["yandex", "http://an.yandex.ru/count/1"],
  ["yandex", "https://yandex.ru/images/search?text=x"],
  ["yandex", "/search/?text=y"],
] as const;
it.each(NOTHING)("%s: %s is not a result", (name, href) => {
  expect(targetOf(name, href)).toBeNull();
});

const KEPT = [
  ["google", "https://support.google.com/websearch/answer/1", "https://support.google.com/websearch/answer/1"],
  ["google", "https://www.google.com/chrome/", "https://www.google.com/chrome/"],
  ["google", "https://notgoogle.com/search", "https://notgoogle.com/search"],
  ["google", "https://a.example/#:~:text=words%20here", "https://a.example/"],
  ["google", "https://a.example/#top:~:text=words", "https://a.example/#top"],
  ["google", "https://a.example/?srsltid=AfmB&b=2", "https://a.example/?b=2"],
  ["google", "https://a.example/?b=+2%20&srsltid=AfmB#c", "https://a.example/?b=+2%20#c"],
  ["google", "https://a.example/?srsltid=AfmB", "https://a.example/"],
  ["bing", "https://www.bing.com/rebates/welcome?url=x", "https://www.bing.com/rebates/welcome?url=x"],
  ["bing", "https://www.bing.com/images", "https://www.bing.com/images"],
  ["yandex", "//market.yandex.ru/catalog", "https://market.yandex.ru/catalog"],
  ["yandex", "https://market.example.ru/search?text=x", "https://market.example.ru/search?text=x"],
  ["yandex", "https://yandex.ru/maps/org/port/1/", "https://yandex.ru/maps/org/port/1/"],
] as const;
it.each(KEPT)("%s: the URL of the result %s is %s", (name, href, url) => {
  expect(targetOf(name, href)).toEqual({ url });
});

it.each([
  ["google", "https://www.google.com/goto?url=CAESAbc-_1&ved=2"],
  ["bing", "https://www.bing.com/ck/a?u=b1abc"],
  ["bing", "https://www.bing.com/ck/a?u=a1%%%"],
  ["yandex", "https://yandex.ru/clck/redir/AiuY0DBWFJ4"],
] as const)("%s: a link that only the engine can resolve is kept and marked: %s", (name, url) => {
  expect(targetOf(name, url)).toEqual({ url, unresolved: true });
});
