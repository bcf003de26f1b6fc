import type { Region, TextLine } from "../main-content/regions";
import { isCellName } from "../parse/element-categories";

/** A short text is a part of the site's template if it's at the same place of this number of tiles. */
const MIN_TILES = 6;
const MAX_WORDS = 20;

/**
 * Drops the short texts that all tiles next to each other share, such as the button "Compare" of each product. Keeps
 * labels, which end with a colon, and the texts of table cells, which can be a column of equal values. `tileParts`: see
 * `partsOfTiles`.
 */
export function dropTemplateText(
  lines: readonly TextLine[],
  tileParts: readonly (readonly number[])[],
  chosen: boolean[],
): void {
  for (const part of tileParts) {
    const first = lines[part[0] ?? -1];
    if (part.length < MIN_TILES || !first || first.words > MAX_WORDS || first.text.endsWith(":")) continue;
    if (isCell(first) || part.some((at) => lines[at]?.text !== first.text)) continue;
    for (const at of part) chosen[at] = false;
  }
}

/** Returns true for the only line of a table cell. */
function isCell({ region }: TextLine): boolean {
  let at: Region | null = region;
  while (at && at.end - at.start === 1) {
    if (isCellName(at.element.name)) return true;
    at = at.parent;
  }
  return false;
}
