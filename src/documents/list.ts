import type { Block, Inline } from "../html/ast/blocks";

/** Adds an item to the list at the end of `blocks`. `level` is the number of lists around the item's list. */
export function appendItem(blocks: Block[], level: number, ordered: boolean, content: Inline[]): void {
  let siblings = blocks;
  for (let depth = 0; ; depth++) {
    const last = siblings.at(-1);
    const isSame = last?.type === "list" && (depth < level || last.ordered === ordered);
    const list = isSame ? last : { type: "list" as const, ordered, items: [] };
    if (!isSame) siblings.push(list);
    const item = list.items.at(-1);
    if (depth === level || item === undefined) {
      list.items.push({ number: list.items.length + 1, checked: null, children: [{ type: "paragraph", content }] });
      return;
    }
    siblings = item.children;
  }
}
