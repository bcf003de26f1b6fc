import type { DomElement } from "./dom";
import { isElement, isText } from "./dom";
import { unescapeStart } from "./escape";

const LEADING_SIGNS = /^(?:\\?[\p{P}\p{S}])+/u;
const OPENING_SIGN = /^[\p{Ps}\p{Pi}"']/u;
const SIGN = /^[\p{P}\p{S}]$/u;
const SPACE_OR_SIGN = /^[\s\p{P}\p{S}]?$/u;

export function strong(content: string, node: DomElement): string {
  return stress(content, node, () => "**");
}

export function strikethrough(content: string, node: DomElement): string {
  return stress(content, node, () => "~~");
}

/** `_` reads better, but only `*` works beside letters. */
export function emphasis(content: string, node: DomElement): string {
  return stress(content, node, (touchesWord) => (touchesWord ? "*" : "_"));
}

/**
 * Sets delimiters where CommonMark takes them as such. Between a sign inside and a letter outside it doesn't, so such signs
 * move outside: `**Note**:read`.
 */
function stress(content: string, node: DomElement, delimiterFor: (touchesWord: boolean) => string): string {
  const paragraphs = content.split(/\n{2,}/);
  if (paragraphs.length > 1)
    return paragraphs.map((part) => part.trim() && stress(part.trim(), node, delimiterFor)).join("\n\n");
  if (!content.trim()) return "";

  const text = node.textContent;
  const wordBefore = !/^\s/.test(text) && !SPACE_OR_SIGN.test(lastCharacter(node));
  const wordAfter = !/\s$/.test(text) && !SPACE_OR_SIGN.test(firstCharacter(node));
  const signsBefore = isText(node.firstChild) ? (LEADING_SIGNS.exec(content)?.[0] ?? "") : "";
  const signsAfter = isText(node.lastChild) ? trailingSigns(content) : "";
  // Quotes and brackets move in pairs.
  const isPair = OPENING_SIGN.test(signsBefore) && signsAfter !== "";
  const head = wordBefore || (wordAfter && isPair) ? signsBefore : "";
  const tail = wordAfter || (wordBefore && isPair) ? signsAfter : "";
  const core = unescapeStart(content.slice(head.length, content.length - tail.length));
  if (!core.trim() || head.length + tail.length >= content.length) return content;
  const delimiter = delimiterFor((wordBefore && !head) || (wordAfter && !tail));
  return `${head}${delimiter}${core}${delimiter}${tail}`;
}

function trailingSigns(content: string): string {
  const characters = Array.from(content);
  let at = characters.length;
  while (at > 0 && SIGN.test(characters[at - 1] ?? "")) at--;
  return characters.slice(at).join("");
}

function lastCharacter(node: DomElement): string {
  const { previousSibling: before } = node;
  return isText(before) || (isElement(before) && !isStress(before))
    ? (Array.from(before.textContent).at(-1) ?? "")
    : "";
}

function firstCharacter(node: DomElement): string {
  const { nextSibling: after } = node;
  return isText(after) || (isElement(after) && !isStress(after)) ? (Array.from(after.textContent)[0] ?? "") : "";
}

function isStress(element: DomElement): boolean {
  return /^(?:b|strong|i|em|del|s|strike|a|code|img|br)$/.test(element.localName);
}
