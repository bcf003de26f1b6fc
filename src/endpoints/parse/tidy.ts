import type { Block, Inline, Mark } from "../../html/ast/blocks";
import { withoutInvisible } from "./invisible-characters";

/** The same blocks without invisible characters, and their addresses as `toUrl` gives them. */
export function tidyBlocks(blocks: readonly Block[], toUrl: (url: string) => string = (url) => url): Block[] {
  return new Tidier(toUrl).blocks(blocks);
}

class Tidier {
  readonly #toUrl: (url: string) => string;
  /** Each mark is one object, wherever it goes on. */
  readonly #marks = new Map<Mark, Mark>();

  constructor(toUrl: (url: string) => string) {
    this.#toUrl = toUrl;
  }

  blocks(blocks: readonly Block[]): Block[] {
    return blocks.map((block) => this.#block(block)).filter(isSomething);
  }

  #block(block: Block): Block {
    switch (block.type) {
      case "paragraph":
      case "heading":
      case "term":
        return { ...block, content: this.#line(block.content) };
      case "quote":
      case "description":
      case "footnote":
        return { ...block, children: this.blocks(block.children) };
      case "list":
        return { ...block, items: block.items.map((item) => ({ ...item, children: this.blocks(item.children) })) };
      case "table":
        return { ...block, rows: block.rows.map((row) => row.map((cell) => this.#line(cell))) };
      case "code":
      case "math":
        return { ...block, value: withoutInvisible(block.value) };
      case "rule":
        return block;
    }
  }

  #line(content: readonly Inline[]): Inline[] {
    return content.flatMap((inline) => {
      const words = withoutInvisible(inline.value);
      const value = inline.type === "text" && words !== inline.value ? words.replace(/ {2,}/g, " ").trim() : words;
      if (value === "" && inline.value !== "" && inline.type !== "image") return [];
      const marks = this.#mark(inline.marks);
      return [{ ...inline, value, marks, ...this.#addressed(inline) }];
    });
  }

  #mark(mark: Mark | null): Mark | null {
    if (mark === null) return null;
    const known = this.#marks.get(mark);
    if (known) return known;
    const tidy: Mark = { ...mark, outer: this.#mark(mark.outer), ...this.#addressed(mark) };
    this.#marks.set(mark, tidy);
    return tidy;
  }

  #addressed({ url, title }: { url?: string; title?: string }): { url?: string; title?: string } {
    return {
      ...(url !== undefined && { url: this.#toUrl(url) }),
      ...(title !== undefined && { title: withoutInvisible(title) }),
    };
  }
}

function isSomething(block: Block): boolean {
  if ("content" in block) return block.content.length > 0;
  if ("children" in block) return block.children.length > 0;
  return !("value" in block) || block.value.trim() !== "";
}
