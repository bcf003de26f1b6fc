import { expect, it } from "vitest";
import { detectBlockPage } from "../../../src/html/block-pages/detect";
import { forAll } from "../../support/for-all";
import { MINIMAL_PAGES, type MinimalPage } from "./minimal-pages";

/** A page with one of each of the alternatives. */
interface Page {
  header?: readonly [name: string, value: string] | undefined;
  names: readonly string[];
  source?: string | undefined;
  script?: string | undefined;
  title?: string | undefined;
  text?: string | undefined;
  /** Other HTML on the page. */
  html?: string;
}

type Part = "source" | "script" | "title" | "text";
const PARTS: readonly Part[] = ["source", "script", "title", "text"];

function detect({ header, names, source, script, title = "Shop", text = "", html = "" }: Page): string | null {
  return detectBlockPage({
    status: 200,
    headers: new Headers(header ? [[header[0], header[1]]] : []),
    html: `<title>${title}</title>${html}${names.map((name) => `<b id="${name}"></b>`).join("")}${
      source === undefined ? "" : `<script src="${source.replaceAll("&", "&amp;")}"></script>`
    }${script === undefined ? "" : `<script>${script}</script>`}<p>${text.replaceAll("&", "&amp;")}</p>`,
  });
}

function firstOf({ header, names = [], source, script, title, text }: MinimalPage): Page {
  return { header, names, source: source?.[0], script: script?.[0], title: title?.[0], text: text?.[0] };
}

/** Returns one page for each alternative. */
function pagesOf(minimal: MinimalPage): Page[] {
  const first = firstOf(minimal);
  const others = PARTS.flatMap((part) => (minimal[part] ?? []).slice(1).map((value) => ({ ...first, [part]: value })));
  return [first, ...others];
}

/** Returns the page without each of its parts in turn. */
function incompletePages(minimal: MinimalPage): Page[] {
  const page = firstOf(minimal);
  const { header: _, ...withoutHeader } = page;
  return [
    ...(page.header ? [withoutHeader] : []),
    ...page.names.map((name) => ({ ...page, names: page.names.filter((other) => other !== name) })),
    ...PARTS.filter((part) => page[part] !== undefined).map((part) => ({ ...page, [part]: undefined })),
  ];
}

function withLength(page: Page, chars: number): Page {
  const text = page.text ?? "";
  return { ...page, text: text === "" ? "a".repeat(chars) : `${text} ${"a".repeat(chars - text.length - 1)}` };
}

function withLinks(page: Page, count: number): Page {
  return { ...page, html: '<a href="/"></a>'.repeat(count) };
}

forAll(MINIMAL_PAGES)("a minimal block page of each vendor is detected", (minimal) => {
  const { vendor } = minimal;
  for (const page of pagesOf(minimal)) {
    expect(detect(page), JSON.stringify(page)).toBe(vendor);
    const { title, text } = page;
    expect(detect({ ...page, title: title?.toUpperCase(), text: text?.toUpperCase() })).toBe(vendor);
  }
});

forAll(MINIMAL_PAGES)("a minimal block page of each vendor isn't detected without one of these parts", (minimal) => {
  const { vendor } = minimal;
  for (const page of incompletePages(minimal)) expect(detect(page), JSON.stringify(page)).not.toBe(vendor);
});

forAll(MINIMAL_PAGES)(
  "a minimal block page of each vendor isn't detected by a title or text that only mentions the words",
  (minimal) => {
    const { vendor } = minimal;
    const first = firstOf(minimal);
    const { isTitleOpen, place } = minimal;
    const { title, text } = first;
    if (title !== undefined) {
      expect(detect({ ...first, title: `News: ${title}` })).not.toBe(vendor);
      expect(detect({ ...first, title: `${title} | News` }) === vendor).toBe(isTitleOpen === true);
    }
    if (place !== undefined) expect(detect({ ...first, text: `News: ${text}` })).not.toBe(vendor);
    if (place === "whole") expect(detect({ ...first, text: `${text} News` })).not.toBe(vendor);
  },
);

forAll(MINIMAL_PAGES)("a minimal block page of each vendor is detected only up to its maximum length", (minimal) => {
  const { vendor } = minimal;
  const first = firstOf(minimal);
  const { maxChars = 1_900, place } = minimal;
  if (place === "whole") return;
  expect(detect(withLength(first, maxChars))).toBe(vendor);
  if (minimal.maxChars !== undefined) expect(detect(withLength(first, maxChars + 1))).not.toBe(vendor);
});

forAll(MINIMAL_PAGES)(
  "a minimal block page of each vendor has at most 10 links if its title, text or length identifies it",
  (minimal) => {
    const { vendor } = minimal;
    const first = firstOf(minimal);
    const isWeak = (first.title ?? first.text ?? minimal.maxChars) !== undefined;
    expect(detect(withLinks(first, 10))).toBe(vendor);
    expect(detect(withLinks(first, 11)) === vendor).toBe(!isWeak);
  },
);

forAll(MINIMAL_PAGES)(
  "a minimal block page of each vendor has fields or scripts of the site only if its other parts are sufficient",
  (minimal) => {
    const { vendor } = minimal;
    const first = firstOf(minimal);
    // The script of Imperva must be the only one. The last test covers it.
    if (minimal.maxChars === 0) return;
    const isAllowed = minimal.isAlone === undefined;
    for (const html of ["<input name=q>", '<script src="/app.js"></script>'])
      expect(detect({ ...first, html }) === vendor, html).toBe(isAllowed);
  },
);

forAll([
  "https://a.token.awswaf.com/challenge.js",
  "/__qrator/qauth.js",
  "/sbbi/a.js",
  "/c9/ac.lib.js",
  "/c9/ac_v2.lib.js",
  "/0a1b2c3d-1111-2222-3333-444455556666",
  "/kramericaindustries.js",
  "/safeline.js",
  "https://a.chaitin.cn/a.js",
  "/jquery-3.7.1.min.js",
])("a block page of AWS WAF is detected next to the script %s", (source) => {
  const page = { names: ["challenge-container"], script: "AwsWafIntegration" };
  expect(detect({ ...page, html: `<script src="${source}"></script>` })).toBe("AWS WAF");
});

it("an empty page with another script next to the one of Imperva isn't a block page", () => {
  const html = '<script src="/app.js"></script>';
  expect(detect({ names: [], source: "/_Incapsula_Resource?SWJIYLWA=1", html })).toBeNull();
});
