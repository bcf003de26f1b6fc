import { describe, expect, it } from "vitest";
import type { ViewOptions } from "../../src/contract/view-options";
import { viewOrOutline, viewResult } from "../../src/text-view/view";
import { HOSTILE_TEXTS } from "./markdown-texts";

const MARKDOWN =
  "Lead.\n\n# Pumps\n\nIntro.\n\n## Prices\n\nFive euros.\n\n### 2026\n\nSix.\n\n## 3\n\nThree.\n\n# End\n";
const PAGE = { markdown: MARKDOWN, metadata: { title: "Pumps" } };
const at = (text: string) => MARKDOWN.indexOf(text);
const OUTLINE = [
  { number: 1, level: 1, heading: "Pumps", offset: at("# Pumps"), chars: at("# End") - at("# Pumps") },
  { number: 2, level: 2, heading: "Prices", offset: at("## Prices"), chars: at("## 3") - at("## Prices") },
  { number: 3, level: 3, heading: "2026", offset: at("### 2026"), chars: at("## 3") - at("### 2026") },
  { number: 4, level: 2, heading: "3", offset: at("## 3"), chars: at("# End") - at("## 3") },
  { number: 5, level: 1, heading: "End", offset: at("# End"), chars: "# End\n".length },
];

function textOf(options: ViewOptions) {
  return viewResult(PAGE, options).result.markdown;
}

describe("a view of a result", () => {
  it("has a part of the text and all other members", () => {
    const { result, meta } = viewResult(PAGE, { max_chars: 30 });
    expect(result).toEqual({ ...PAGE, markdown: "Lead.\n\n# Pumps\n\nIntro.\n\n" });
    expect(meta).toEqual({ total_chars: MARKDOWN.length, next_offset: at("## Prices"), truncated: true });
  });

  it("ends with next_offset null", () => {
    const { result, meta, isEnd } = viewResult(PAGE, { offset: at("# End") });
    expect(result.markdown).toBe("# End\n");
    expect(meta).toEqual({ total_chars: MARKDOWN.length, next_offset: null, truncated: false });
    expect(isEnd).toBe(true);
  });

  it("is empty beyond the end", () => {
    const { result, meta, isEnd } = viewResult(PAGE, { offset: 10_000, max_chars: 5 });
    expect(result.markdown).toBe("");
    expect(meta.next_offset).toBe(null);
    // The end wasn't read, so a result with `store: false` isn't deleted.
    expect(isEnd).toBe(false);
  });

  it("is empty for a page that redirects to an earlier page of its crawl", () => {
    const { result, meta } = viewResult({}, { section: "Prices" });
    expect([result, meta]).toEqual([{}, { total_chars: 0, next_offset: null, truncated: false }]);
  });

  it("has the outline instead of the text", () => {
    const { result, meta, isEnd } = viewResult(PAGE, { outline: true });
    expect(result).toEqual({ metadata: PAGE.metadata, outline: OUTLINE });
    expect(meta).toEqual({ total_chars: MARKDOWN.length, next_offset: 0, truncated: true });
    expect(isEnd).toBe(false);
  });

  it("has both the outline and the text if the text is requested", () => {
    expect(viewResult(PAGE, { outline: true, max_chars: 10 }).result).toEqual({
      ...PAGE,
      markdown: "Lead.\n\n",
      outline: OUTLINE,
    });
  });

  it("has one section, by its heading or its number", () => {
    const prices = MARKDOWN.slice(at("## Prices"), at("## 3"));
    expect(textOf({ section: "  prices " })).toBe(prices);
    expect(textOf({ section: 2 })).toBe(prices);
    expect(textOf({ section: "2" })).toBe(prices);
    // A heading that looks like a number comes first.
    expect(textOf({ section: "3" })).toBe(MARKDOWN.slice(at("## 3"), at("# End")));
    expect(textOf({ section: 3 })).toBe(MARKDOWN.slice(at("### 2026"), at("## 3")));
  });

  it("continues within a section", () => {
    const first = viewResult(PAGE, { section: "Prices", max_chars: 25 });
    expect(first.meta).toMatchObject({ next_offset: at("### 2026"), truncated: true });
    const last = viewResult(PAGE, { section: "Prices", max_chars: 25, offset: at("### 2026") });
    expect(last.result.markdown).toBe("### 2026\n\nSix.\n\n");
    expect(last.meta).toMatchObject({ next_offset: null, truncated: false });
    expect(last.isEnd).toBe(false);
  });
});

it("names the headings if a section is unknown", () => {
  const details = OUTLINE.map(({ number, heading }) => ({ path: `outline.${number}`, message: heading }));
  expect(() => viewResult(PAGE, { section: "Price" })).toThrow(
    expect.objectContaining({ code: "section_not_found", status: 422, details }),
  );
  expect(viewOrOutline(PAGE, { section: "Price" }).result.outline).toEqual(OUTLINE);
  expect(() => viewResult({ markdown: `# ${"a😀".repeat(99)}` }, { section: "Price" })).toThrow(
    expect.objectContaining({ details: [expect.toSatisfy(({ message }) => message.isWellFormed())] }),
  );
});

it.each<[object, ViewOptions, path: string, message: string]>([
  [
    { html: "", markdown: "" },
    { max_chars: 1 },
    "max_chars",
    "can't be combined with the format 'html'; use only markdown or text",
  ],
  [{ text: "", markdown: "" }, { offset: 0 }, "offset", "needs one text format; use markdown or text, not both"],
  [{ links: [] }, { max_tokens: 1 }, "max_tokens", "needs the format markdown or text"],
  [{ text: "" }, { section: "a" }, "section", "needs the format markdown"],
  [{ text: "" }, { max_chars: 9, outline: true }, "outline", "needs the format markdown"],
])("refuses to view %j with %j", (result, options, path, message) => {
  expect(() => viewResult({ ...result }, options)).toThrow(
    expect.objectContaining({ code: "invalid_request", details: [{ path, message }] }),
  );
});

it.each(HOSTILE_TEXTS)("outlines %s in linear time", { timeout: 10_000 }, (_, markdown) => {
  expect(viewResult({ markdown }, { outline: true }).meta.total_chars).toBe(markdown.length);
});
