import { Budget } from "../lib/budget";
import { type Block, type Inline, type ListItem, type Mark, type MarkKind, pathOf, type Table } from "./ast/blocks";

/**
 * The maximum total length of the URLs and titles in the output. The URL of a link that spans several paragraphs is
 * repeated in each paragraph.
 */
const MAX_ADDRESSES_CHARS = 8_000_000;

const TAGS: { [K in Exclude<MarkKind, "link">]: string } = {
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
  const writer = new CleanHtmlWriter();
  writer.blocks(blocks);
  return writer.toString();
}

/** Returns the HTML of a plain text. */
export function writePlainText(text: string): string {
  return text.trim() === "" ? "" : `<pre>\n${escapeHtml(text)}</pre>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

class CleanHtmlWriter {
  readonly #parts: string[] = [];
  readonly #addresses = new Budget(MAX_ADDRESSES_CHARS);

  toString(): string {
    return this.#parts.join("").trim();
  }

  blocks(blocks: readonly Block[]): void {
    let isInList = false;
    for (const block of blocks) {
      const isListed = block.type === "term" || block.type === "description";
      if (isListed !== isInList) this.#write(isListed ? "<dl>\n" : "</dl>\n");
      isInList = isListed;
      this.#block(block);
    }
    if (isInList) this.#write("</dl>\n");
  }

  #write(...parts: string[]): void {
    this.#parts.push(...parts);
  }

  #block(block: Block): void {
    switch (block.type) {
      case "paragraph":
        this.#line("p", block.content);
        break;
      case "term":
        this.#line("dt", block.content);
        break;
      case "heading":
        this.#line(`h${block.depth}`, block.content);
        break;
      case "code":
        this.#code(block.value, block.language);
        break;
      case "math":
        this.#code(block.value, "math");
        break;
      case "quote":
        this.#container("blockquote", block.children);
        break;
      case "description":
        this.#container("dd", block.children);
        break;
      case "footnote":
        this.#write("<aside>\n<sup>", escapeHtml(block.label), "</sup>\n");
        this.blocks(block.children);
        this.#write("</aside>\n");
        break;
      case "list":
        this.#list(block);
        break;
      case "table":
        this.#table(block);
        break;
      case "rule":
        this.#write("<hr>\n");
    }
  }

  #line(tag: string, content: readonly Inline[]): void {
    this.#write(`<${tag}>`);
    this.#inline(content);
    this.#write(`</${tag}>\n`);
  }

  #container(tag: string, children: readonly Block[]): void {
    this.#write(`<${tag}>\n`);
    this.blocks(children);
    this.#write(`</${tag}>\n`);
  }

  #code(value: string, language: string): void {
    this.#write("<pre>", codeElement(value, language), "</pre>\n");
  }

  #list({ ordered, items }: Extract<Block, { type: "list" }>): void {
    const tag = ordered ? "ol" : "ul";
    const start = items[0]?.number ?? 1;
    this.#write(ordered && start !== 1 ? `<ol start="${start}">\n` : `<${tag}>\n`);
    items.forEach((item, at) => {
      this.#write(ordered && at > 0 && item.number !== start + at ? `<li value="${item.number}">` : "<li>");
      this.#item(item);
      this.#write("</li>\n");
    });
    this.#write(`</${tag}>\n`);
  }

  #item({ checked, children }: ListItem): void {
    if (checked !== null) this.#write(`<input type="checkbox" disabled${checked ? " checked" : ""}> `);
    const [first, ...others] = children;
    if (first?.type !== "paragraph") this.blocks(children);
    else {
      // The text of an item needs no <p> element unless the item has another paragraph.
      if (others.some(({ type }) => type === "paragraph")) this.#line("p", first.content);
      else this.#inline(first.content);
      this.blocks(others);
    }
  }

  #table({ alignments, rows: [header = [], ...body] }: Table): void {
    const cells = (tag: string, row: readonly Inline[][]) => {
      this.#write("<tr>");
      row.forEach((content, column) => {
        const alignment = alignments[column];
        this.#write(alignment ? `<${tag} align="${alignment}">` : `<${tag}>`);
        this.#inline(content);
        this.#write(`</${tag}>`);
      });
      this.#write("</tr>\n");
    };
    this.#write("<table>\n");
    if (header.length > 0) {
      this.#write("<thead>\n");
      cells("th", header);
      this.#write("</thead>\n");
    }
    if (body.length > 0) {
      this.#write("<tbody>\n");
      for (const row of body) cells("td", row);
      this.#write("</tbody>\n");
    }
    this.#write("</table>\n");
  }

  #inline(content: readonly Inline[]): void {
    let open: Mark[] = [];
    const closeTo = (depth: number) => {
      for (const mark of open.slice(depth).toReversed()) this.#write(`</${tagOf(mark)}>`);
      open = open.slice(0, depth);
    };
    for (const inline of content) {
      const path = pathOf(inline.marks);
      let shared = 0;
      while (shared < path.length && open[shared] === path[shared]) shared++;
      closeTo(shared);
      if (inline.space) this.#write(" ");
      for (const mark of path.slice(shared)) this.#begin(mark);
      open = path;
      this.#piece(inline);
    }
    closeTo(0);
  }

  #begin(mark: Mark): void {
    if (mark.kind !== "link") this.#write(`<${tagOf(mark)}>`);
    else this.#write("<a", this.#address("href", mark), ">");
  }

  #piece(inline: Inline): void {
    const { type, value } = inline;
    if (type === "text") this.#write(escapeHtml(value));
    else if (type === "code") this.#write(codeElement(value, ""));
    else if (type === "math") this.#write(codeElement(value, "math"));
    else if (type === "footnote") this.#write("<sup>", escapeHtml(value), "</sup>");
    else if (type === "break") this.#write("<br>\n");
    else this.#write("<img", this.#address("src", inline), ` alt="${escapeHtml(value)}">`);
  }

  /**
   * Returns the URL and the title as attributes. Returns an empty string if the total length of all URLs and titles is
   * too large.
   */
  #address(name: string, { url = "", title = "" }: Pick<Mark, "url" | "title">): string {
    const isInBudget = this.#addresses.spend(url.length + title.length);
    return isInBudget ? attribute(name, url) + attribute("title", title) : "";
  }
}

function tagOf({ kind }: Mark): string {
  return kind === "link" ? "a" : TAGS[kind];
}

/** Returns a <code> element. The class with the language is the convention of the HTML standard. */
function codeElement(value: string, language: string): string {
  return `<code${attribute("class", language && `language-${language}`)}>${escapeHtml(value)}</code>`;
}

function attribute(name: string, value = ""): string {
  return value === "" ? "" : ` ${name}="${escapeHtml(value)}"`;
}
