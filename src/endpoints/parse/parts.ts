import { PARSE_HEAD_SHARE } from "../../model/limits";
import { cutPart } from "../../text-view/cut";
import { readOutline } from "../../text-view/outline";
import { endOfTokens, tokensOf } from "../../text-view/tokens";
import { writePageFacts } from "./page-facts";
import type { PageContent } from "./read-page";

export interface Parts {
  /** The parts of the page, as text for the model. Each has at most `maxTokens` estimated tokens. */
  parts: string[];
  /** True if the page continues after the last part. */
  isTruncated: boolean;
  /** The page as plain text, and all parts as the model sees them. Quotes are searched for in this text. */
  text: string;
}

interface PartLimits {
  /** The maximum number of estimated tokens of each part. */
  maxTokens: number;
  maxParts: number;
}

const TITLE = "What the page says about itself:";
const CONTENT = "The page:";
const CONTINUED = "The page, continued";
const MAX_PATH_SHARE = 0.1;
const MAX_HEADING_CHARS = 120;
const MIN_PART_TOKENS = 50;
/** The estimated number of tokens of the labels and blank lines between facts and content. */
const LABEL_TOKENS = tokensOf(`${TITLE}\n\n\n${CONTINUED} under “”:\n\n\n`) + 5;

/** Splits the content, if possible between blocks. Each part begins with the page's facts and its headings. */
export function toParts({ facts, body }: PageContent, { maxTokens, maxParts }: PartLimits): Parts {
  const about = writePageFacts(facts, PARSE_HEAD_SHARE * maxTokens);
  const room = Math.max(MIN_PART_TOKENS, maxTokens - tokensOf(about) - LABEL_TOKENS);
  const { markdown, text: plain } = body;
  const whole = markdown ?? plain;
  const outline = markdown === null ? [] : readOutline(whole);
  const contents: string[] = [];
  const parts: string[] = [];
  let start = 0;
  do {
    const above = outline.filter(({ offset, chars }) => offset < start && start < offset + chars);
    const headings = above.map(({ heading }) => heading.slice(0, MAX_HEADING_CHARS)).join(" › ");
    const path = headings.slice(0, endOfTokens(headings, MAX_PATH_SHARE * room));
    const range = { start, end: whole.length, maxTokens: room - tokensOf(path) };
    const part = cutPart(whole, markdown === null ? "text" : "markdown", range);
    const content = part.text.trim();
    const label = start === 0 ? CONTENT : `${CONTINUED}${path === "" ? "" : ` under “${path}”`}:`;
    contents.push(content);
    parts.push([about && `${TITLE}\n${about}`, content && `${label}\n\n${content}`].filter(Boolean).join("\n\n"));
    start = part.end;
  } while (start < whole.length && parts.length < maxParts);
  const text = [about, removeEscapes(about), ...(plain === whole ? [] : [plain]), ...contents].join("\n\n");
  return { parts, isTruncated: start < whole.length, text };
}

/** Returns the text without backslashes before quotation marks, because models quote JSON with or without them. */
function removeEscapes(json: string): string {
  return json.includes("\\") ? json.replace(/\\(["\\])/g, "$1") : "";
}
