import { VIEWPORT } from "../../model/limits";
import { pixels } from "./length";

const MAX_QUERY_CHARS = 500;
const TYPE = /^(?:only\s+)?(?:all|screen)$/i;
/** `(min-width: 40em)`, `(width >= 600px)`. */
const FEATURE = /^\(\s*(?:(min|max)-(width|height)\s*:|(width|height)\s*([<>]=?))\s*([^\s()]+)\s*\)$/i;

/** Whether style for these media holds in a window of the size that pages are rendered in. What isn't known doesn't. */
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
  const [, limit, named, compared, sign = "", length = ""] = FEATURE.exec(feature) ?? [];
  const side = (named ?? compared)?.toLowerCase();
  const bound = pixels(length.toLowerCase());
  if ((side !== "width" && side !== "height") || bound === null) return false;
  const isLeast = limit ? limit.toLowerCase() === "min" : sign.startsWith(">");
  return isLeast ? VIEWPORT[side] >= bound : VIEWPORT[side] <= bound;
}
