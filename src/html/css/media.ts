import { VIEWPORT } from "../../model/limits";
import { toPixels } from "./values";

const MAX_QUERY_CHARS = 500;
const TYPE = /^(?:only\s+)?(?:all|screen)$/i;
/** A media feature, such as `(min-width: 40em)` or `(width >= 600px)`. */
const FEATURE = /^\(\s*(?:(min|max)-(width|height)\s*:|(width|height)\s*([<>]=?))\s*([^\s()]+)\s*\)$/i;

/** Returns true if a media query list matches the viewport that pages are rendered in. Unknown queries don't match. */
export function isForScreen(media: string): boolean {
  if (media.trim() === "") return true;
  if (media.length > MAX_QUERY_CHARS) return false;
  return media.split(",").some((query) =>
    query
      .trim()
      .split(/\s+and\s+/i)
      .every((part) => TYPE.test(part) || isMet(part)),
  );
}

function isMet(feature: string): boolean {
  const [, limit, named, compared, operator = "", length = ""] = FEATURE.exec(feature) ?? [];
  const side = (named ?? compared)?.toLowerCase();
  const bound = toPixels(length.toLowerCase());
  if ((side !== "width" && side !== "height") || bound === null) return false;
  const isLeast = limit ? limit.toLowerCase() === "min" : operator.startsWith(">");
  return isLeast ? VIEWPORT[side] >= bound : VIEWPORT[side] <= bound;
}
