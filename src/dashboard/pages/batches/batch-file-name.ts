import { decodeUri } from "../../../lib/text";

const MAX_NAME_CHARS = 100;
/** The number of digits of a page's number. They sort the files in the order of the pages. */
const NUMBER_DIGITS = 5;

/**
 * Returns a file name for a page of a batch, such as `00012-example.com-docs-intro.md`. It is unique because it starts
 * with the page's number. It contains only letters, digits, `.`, `_` and `-`, so it is valid on every system and can't
 * leave the folder.
 */
export function toFileName({ number, url }: { number: number; url: string }, extension: string): string {
  const { host = "", pathname = "", search = "" } = URL.parse(url) ?? { pathname: url };
  const words = decodeUri(`${host}${pathname}${search}`)
    .normalize("NFC")
    .replace(/\.(?:html?|md|php|aspx?)$/i, "")
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, "-")
    .replace(/\.{2,}/g, ".");
  const name = [...words]
    .slice(0, MAX_NAME_CHARS)
    .join("")
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, "");
  return `${String(number).padStart(NUMBER_DIGITS, "0")}-${name === "" ? "page" : name}.${extension}`;
}
