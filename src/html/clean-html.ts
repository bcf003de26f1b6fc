import { Budget } from "../lib/budget";
import {
  type Block,
  type Inline,
  type List,
  type ListItem,
  type Mark,
  type MarkKind,
  pathOf,
  type Table,
} from "./ast/blocks";

/**
 * The maximum total length of the URLs and titles in the output. The URL of a link that spans several paragraphs is
 * repeated in each paragraph.
 */
const MAX_ADDRESSES_CHARS = 8_000_000;

const TAGS: { [K in MarkKind]: string } = {
  link: "a",
  strong: "strong",
  emphasis: "em",
  strike: "del",
  superscript: "sup",
  subscript: "sub",
};

/**
 * Converts blocks to HTML that is safe to insert into a page. The blocks contain no markup of the page. This function
 * writes each tag and attribute, and escapes each text and value. URLs are absolute, and `absoluteUrl` has checked
 * their schemes.
 */
export function writeCleanHtml(blocks: readonly Block[]): string {
  return writeBlocks(blocks, new Budget(MAX_ADDRESSES_CHARS)).trim();
}

/** Returns the HTML of a plain text. */
export function writePlainText(text: string): string {
  return text.trim() === "" ? "" : `<pre>\n${escapeHtml(text)}</pre>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** `addresses`: the budget for the characters of URLs and titles. */
function writeBlocks(blocks: readonly Block[], addresses: Budget): string {
  let html = "";
  let isInList = false;
  for (const block of blocks) {
    const isListed = block.type === "term" || block.type === "description";
    if (isListed !== isInList) html += isListed ? "<dl>\n" : "</dl>\n";
    isInList = isListed;
    html += writeBlock(block, addresses);
  }
  return isInList ? `${html}</dl>\n` : html;
}

function writeBlock(block: Block, addresses: Budget): string {
  switch (block.type) {
    case "paragraph":
      return `<p>${writeInline(block.content, addresses)}</p>\n`;
    case "term":
      return `<dt>${writeInline(block.content, addresses)}</dt>\n`;
    case "heading":
      return `<h${block.depth}>${writeInline(block.content, addresses)}</h${block.depth}>\n`;
    case "code":
      return `<pre>${codeElement(block.value, block.language)}</pre>\n`;
    case "math":
      return `<pre>${codeElement(block.value, "math")}</pre>\n`;
    case "quote":
      return `<blockquote>\n${writeBlocks(block.children, addresses)}</blockquote>\n`;
    case "description":
      return `<dd>\n${writeBlocks(block.children, addresses)}</dd>\n`;
    case "footnote":
      return `<aside>\n<sup>${escapeHtml(block.label)}</sup>\n${writeBlocks(block.children, addresses)}</aside>\n`;
    case "list":
      return writeList(block, addresses);
    case "table":
      return writeTable(block, addresses);
    case "rule":
      return "<hr>\n";
    case "page":
      return `<!-- page ${block.number} -->\n`;
  }
}

function writeList({ ordered, items }: List, addresses: Budget): string {
  const tag = ordered ? "ol" : "ul";
  const start = items[0]?.number ?? 1;
  let html = ordered && start !== 1 ? `<ol start="${start}">\n` : `<${tag}>\n`;
  items.forEach((item, at) => {
    html += ordered && item.number !== start + at ? `<li value="${item.number}">` : "<li>";
    html += `${writeItem(item, addresses)}</li>\n`;
  });
  return `${html}</${tag}>\n`;
}

function writeItem({ checked, children }: ListItem, addresses: Budget): string {
  const box = checked === null ? "" : `<input type="checkbox" disabled${checked ? " checked" : ""}> `;
  const [first, ...others] = children;
  // The text of an item needs no <p> element unless the item has another paragraph.
  const isBare = first?.type === "paragraph" && !others.some(({ type }) => type === "paragraph");
  if (!isBare) return box + writeBlocks(children, addresses);
  return box + writeInline(first.content, addresses) + writeBlocks(others, addresses);
}

function writeTable({ alignments, rows: [header = [], ...body] }: Table, addresses: Budget): string {
  const writeRow = (tag: string, row: readonly Inline[][]) => {
    const cells = row.map(
      (content, column) =>
        `<${tag}${attribute("align", alignments[column])}>${writeInline(content, addresses)}</${tag}>`,
    );
    return `<tr>${cells.join("")}</tr>\n`;
  };
  const head = header.length > 0 ? `<thead>\n${writeRow("th", header)}</thead>\n` : "";
  const rows = body.map((row) => writeRow("td", row)).join("");
  return `<table>\n${head}${rows && `<tbody>\n${rows}</tbody>\n`}</table>\n`;
}

function writeInline(content: readonly Inline[], addresses: Budget): string {
  let html = "";
  let open: Mark[] = [];
  const closeTo = (depth: number) => {
    for (const { kind } of open.splice(depth).toReversed()) html += `</${TAGS[kind]}>`;
  };
  for (const inline of content) {
    const path = pathOf(inline.marks);
    let shared = 0;
    while (shared < path.length && open[shared] === path[shared]) shared++;
    closeTo(shared);
    if (inline.space) html += " ";
    for (const mark of path.slice(shared)) html += `<${TAGS[mark.kind]}${addressOf("href", mark, addresses)}>`;
    open = path;
    html += PIECES[inline.type](inline, addresses);
  }
  closeTo(0);
  return html;
}

const PIECES: { [Type in Inline["type"]]: (inline: Inline, addresses: Budget) => string } = {
  text: ({ value }) => escapeHtml(value),
  code: ({ value }) => codeElement(value, ""),
  math: ({ value }) => codeElement(value, "math"),
  footnote: ({ value }) => `<sup>${escapeHtml(value)}</sup>`,
  break: () => "<br>\n",
  image: (inline, addresses) => `<img${addressOf("src", inline, addresses)} alt="${escapeHtml(inline.value)}">`,
};

/** Returns the URL and the title as attributes. Returns an empty string if they exceed the budget. */
function addressOf(name: string, { url = "", title = "" }: Pick<Mark, "url" | "title">, addresses: Budget): string {
  return addresses.spend(url.length + title.length) ? attribute(name, url) + attribute("title", title) : "";
}

/** Returns a <code> element. The class with the language is the convention of the HTML standard. */
function codeElement(value: string, language: string): string {
  return `<code${attribute("class", language && `language-${language}`)}>${escapeHtml(value)}</code>`;
}

function attribute(name: string, value = ""): string {
  return value === "" ? "" : ` ${name}="${escapeHtml(value)}"`;
}
