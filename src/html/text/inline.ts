import type { Inline } from "../ast/blocks";

/** The words of a line. A picture within a sentence stands for its own words; alone, it says nothing. */
export function inlineText(content: Inline[]): string {
  let text = "";
  content.forEach((inline, at) => {
    const words = wordsOf(inline, content[at - 1], content[at + 1]);
    if (words === "") return;
    text += (inline.space && text !== "" && !text.endsWith("\n") ? " " : "") + words;
  });
  return text.trim();
}

function wordsOf(inline: Inline, before: Inline | undefined, after: Inline | undefined): string {
  switch (inline.type) {
    case "break":
      return "\n";
    case "image":
      return before?.type === "text" || after?.type === "text" ? inline.value : "";
    case "footnote":
      return `[${inline.value}]`;
    default:
      return inline.value;
  }
}
