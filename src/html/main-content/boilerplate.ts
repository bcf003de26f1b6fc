import { Element } from "domhandler";
import { findConsent, hasTextBeside } from "./consent";
import { isDataTable } from "./data-tables";
import type { Draft } from "./draft";
import type { Headline } from "./headline";
import type { Block } from "./outline";
import { isOverlay } from "./overlay";
import { CONTENT_NAMES, EMBED_NAMES, NEVER_NAMES, NOTE_NAMES, UNLIKELY_NAMES } from "./words";

const ROLES = new Set(
  "navigation menu menubar alert banner complementary contentinfo search tablist toolbar".split(" "),
);
/** A block with a greater share of the page's prose, or of its words, isn't beside the content, whatever its name says. */
const MAX_BOILERPLATE_SHARE = 0.6;
const MAX_UNLIKELY_SHARE = 0.3;
const MAX_UNLIKELY_WORDS_SHARE = 0.4;
const MIN_PROSE_BESIDE = 300;
/** Comments and the like go, however long they are, where this much prose is left. */
const MIN_PROSE_LEFT = 400;

/** Drops what is beside the content by its meaning: navigation, page header and footer, dialogs, consent boxes. */
export function dropBoilerplate(draft: Draft, headline: Headline | null): void {
  const { root } = draft.page;
  const maxProse = MAX_BOILERPLATE_SHARE * draft.prose(root);
  let left = draft.prose(root);
  const isBeside = (block: Block, isInContent: boolean) => {
    const prose = draft.prose(block);
    if ((prose > maxProse && left - prose < MIN_PROSE_BESIDE) || !isBoilerplate(block, { draft, isInContent }))
      return false;
    left -= prose;
    return true;
  };
  for (const block of outermost(draft, isBeside)) draft.dropBlock(block);
  // Longer than a short page's text, but over it, not in it.
  const isOver = (block: Block) =>
    isOverlay(block.element) && !holdsContent(block.element) && hasTextBeside(draft, block);
  for (const block of outermost(draft, isOver)) draft.dropBlock(block);
  for (const block of findConsent(draft, headline)) draft.dropBlock(block);
}

/** Drops blocks with class names that are seldom on content. */
export function dropUnlikely(draft: Draft, headline: Headline | null): void {
  const { root } = draft.page;
  const maxProse = MAX_UNLIKELY_SHARE * draft.prose(root);
  const maxWords = MAX_UNLIKELY_WORDS_SHARE * draft.words(root);
  let left = draft.prose(root);
  const isBeside = (block: Block) => {
    if (/^(?:a|article|main)$/.test(block.element.name) || (headline && block.holds(headline.block))) return false;
    const prose = draft.prose(block);
    const isNever = block.names.some((name) => NEVER_NAMES.test(name)) && left - prose >= MIN_PROSE_LEFT;
    const isSmall = prose <= maxProse && draft.words(block) <= maxWords;
    if (!isNever && !(isSmall && isUnlikely(block))) return false;
    left -= prose;
    return true;
  };
  for (const block of outermost(draft, isBeside)) draft.dropBlock(block);
}

/** The blocks that pass, without those inside of them, or of tables of data. */
function outermost(draft: Draft, test: (block: Block, isInContent: boolean) => boolean): Block[] {
  const found: Block[] = [];
  function visit(block: Block, isInContent: boolean): void {
    if (isDataTable(block, draft)) return;
    for (const child of block.children) {
      const { name } = child.element;
      if (test(child, isInContent)) found.push(child);
      else visit(child, isInContent || name === "article" || name === "main");
    }
  }
  visit(draft.page.root, false);
  return found;
}

function isBoilerplate(block: Block, { draft, isInContent }: { draft: Draft; isInContent: boolean }): boolean {
  const { element, names } = block;
  const { name, attribs } = element;
  if (name === "aside" && isInContent && names.some((word) => NOTE_NAMES.test(word))) return false;
  if (name === "button") return !opensAnswer(block, draft);
  if (name === "header" || name === "footer") return !isInContent && !holdsContent(element);
  const isBeside =
    name === "nav" ||
    name === "aside" ||
    ROLES.has(attribs.role?.toLowerCase() ?? "") ||
    (attribs["aria-hidden"] === "true" && attribs.role !== "tabpanel") ||
    isOverlay(element);
  return isBeside && !holdsContent(element);
}

/** A question, or what else opens a text: buttons as headings of what follows. */
function opensAnswer(button: Block, { page: { units } }: Draft): boolean {
  const { parent } = button;
  if (/^(?:h[1-6]|summary|dt)$/.test(parent?.element.name ?? "")) return true;
  if (units[button.end - 1]?.text.endsWith("?")) return true;
  const { attribs } = button.element;
  const isNext = button.end < Math.max(parent?.end ?? 0, parent?.parent?.end ?? 0);
  const isControl = attribs["aria-expanded"] !== undefined || attribs["aria-controls"] !== undefined;
  return isControl && isNext && units[button.end]?.isProse === true;
}

function isUnlikely({ names }: Block): boolean {
  return (
    names.some((name) => UNLIKELY_NAMES.test(name)) &&
    !names.some((name) => CONTENT_NAMES.test(name) || EMBED_NAMES.test(name))
  );
}

function holdsContent(element: Element): boolean {
  return element.children.some(
    (child) => child instanceof Element && (/^(?:article|main|h1)$/.test(child.name) || holdsContent(child)),
  );
}
