import { type DefaultTreeAdapterTypes, parse } from "parse5";

/** Elements whose text isn't displayed. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(["head", "script", "style", "noscript", "template"]);
const WORD = /[\p{L}\p{N}_]+/gu;
/** A page with this number of words has content. */
const MIN_PAGE_WORDS = 200;
/** An output with fewer words is empty. */
const MIN_OUTPUT_WORDS = 10;
/** A page is lost if its recall is below this share of the peer's recall. */
const LOST_SHARE = 0.5;

/** Returns true if an output is empty although the page has text. parse5 parses the page as a browser does. */
export function isEmptyByMistake(html: string, output: string): boolean {
  return countWords(output) < MIN_OUTPUT_WORDS && countWords(visibleText(html)) >= MIN_PAGE_WORDS;
}

/** Returns the ids of the pages whose recall is much lower than the peer's. The keys are ids. */
export function findLostPages(recalls: ReadonlyMap<string, number>, peer: ReadonlyMap<string, number>): string[] {
  return Array.from(recalls).flatMap(([id, recall]) => (recall < LOST_SHARE * (peer.get(id) ?? 0) ? [id] : []));
}

function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/** Returns the text of a page's visible elements. Style sheets and attributes don't hide elements. */
function visibleText(html: string): string {
  const texts: string[] = [];
  const pending: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if ("value" in node) texts.push(node.value);
    else if ("childNodes" in node && !WITHOUT_TEXT.has(node.nodeName)) pending.push(...node.childNodes.toReversed());
  }
  return texts.join(" ");
}
