import { VIEWPORT } from "../../model/page-limits";
import { toPixels } from "./values";

const TYPE = /^(?:only\s+)?(?:all|screen)$/i;
const SIZE = /^\(\s*(min|max)-(width|height)\s*:\s*([^\s()]+)\s*\)$/i;
/** A comparison, such as `(width >= 600px)` or `(400px <= width < 600px)`. */
const RANGE = /^\(\s*(?:([^\s()<>=]+)\s*([<>]=?)\s*)?(width|height)\s*(?:([<>]=?)\s*([^\s()<>=]+)\s*)?\)$/i;
/** The other features of the browser that renders pages. */
const FEATURE =
  /^\(\s*(?:orientation\s*:\s*landscape|prefers-color-scheme\s*:\s*light|prefers-(?:reduced-motion|contrast)\s*:\s*no-preference|scripting\s*:\s*enabled)\s*\)$/i;

/** Returns true if a media query list matches the viewport that pages are rendered in. Unknown queries don't match. */
export function isForScreen(media: string): boolean {
  if (media.trim() === "") return true;
  return media.split(",").some((query) =>
    query
      .trim()
      .split(/(?<!\s)\s+and\s+/i)
      .every((part) => TYPE.test(part) || isMet(part)),
  );
}

function isMet(feature: string): boolean {
  if (FEATURE.test(feature)) return true;
  const [, limit, side, length] = SIZE.exec(feature) ?? [];
  if (side !== undefined) return compares(side, limit?.toLowerCase() === "min" ? ">=" : "<=", length);
  const [, first, before, compared, after, last] = RANGE.exec(feature) ?? [];
  if (compared === undefined || (before ?? after) === undefined) return false;
  return (
    (before === undefined || compares(compared, MIRRORED[before], first)) &&
    (after === undefined || compares(compared, after, last))
  );
}

const MIRRORED: { readonly [operator: string]: string } = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function compares(side: string, operator = "", length = ""): boolean {
  const bound = toPixels(length.toLowerCase());
  if (bound === null) return false;
  const size = VIEWPORT[side.toLowerCase() === "width" ? "width" : "height"];
  if (operator === ">=") return size >= bound;
  if (operator === "<=") return size <= bound;
  return operator === ">" ? size > bound : size < bound;
}
