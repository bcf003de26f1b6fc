import { parseHTML } from "linkedom/worker";
import type { DomDocument } from "./dom";

const INVISIBLE = /<!--[\s\S]*?(?:-->|$)|<(script|style|head|template|title|svg)(?=[\s/>])[\s\S]*?(?:<\/\1\s*>|$)/gi;
// Tags end before the next "<": without that, a page of unclosed tags takes quadratic time.
const INLINE_TAG =
  /<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|time|tt|u|var|wbr)(?=[\s/>])[^<>]*>/gi;
const TAG = /<[/a-z!?][^<>]*>/gi;

/** The words of a page, paragraph by paragraph, without building a tree: for what is too deep or too odd for one. */
export function plainText(html: string): string {
  const bare = html.replace(INVISIBLE, "\n").replace(INLINE_TAG, "").replace(TAG, "\n");
  const { document }: { document: DomDocument } = parseHTML(`<!doctype html><html><body>${bare}</body></html>`);
  return document.body.textContent
    .split("\n")
    .map((line) => line.replace(/[\s\u200b\ufeff]+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n\n");
}
