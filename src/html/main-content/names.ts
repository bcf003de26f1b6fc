import type { Element } from "domhandler";

/** Classes that say how an element looks, what is beside it, or how a blog filed it, not what it is. */
const IRRELEVANT =
  /--(?:has|with|without|no|is|hide)-|^(?:has|is|with|without|no|js|category|tag|format|status|type|post-\d|elementor|wp-block|vc|et|uk|col|row|u|hentry)(?:[-_]|$)/i;
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** Longer ones are made by machines. */
const MAX_NAME_CHARS = 80;

/** The words in an id, classes and a custom name: `<div class="articleBody post__share">` has article, body, post, share. */
export function nameWords({ name, attribs }: Element): string[] {
  const words: string[] = [];
  const names = [...(attribs.class ?? "").split(/\s+/), attribs.id ?? "", name.includes("-") ? name : ""];
  for (const one of names) {
    if (one === "" || one.length > MAX_NAME_CHARS || IRRELEVANT.test(one)) continue;
    for (const [word] of one.matchAll(WORD)) words.push(word.toLowerCase());
  }
  return words;
}
