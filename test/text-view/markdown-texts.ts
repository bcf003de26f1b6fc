import fc from "fast-check";

/** Lines that have a meaning in Markdown. Some have a meaning only in combination. */
const line = fc.constantFrom(
  ...[
    "",
    "",
    " ",
    "Words of a paragraph. More words, and more.",
    "漢字の文。次の文。",
    "😀😀😀😀",
    "# Top",
    "## Part",
    "#",
  ],
  ...["- item", "- ", "10. numbered", "  - nested", "  more of the item", "> quote", "> > deep", ">", "> # Quoted"],
  ...["```", "```js", "````", "  ```", "> ```", "~~~", "let a = 1;", "| a | b |", "| --- | :-: |", "| c | d |"],
  ...["- | x |", "  | - |", "---", "a|b", "-|-", "$$", "[^1]: Note.", "    code", "😀".repeat(40), "word ".repeat(60)],
);

/** Texts that can be Markdown with any blocks, closed or not. */
export const markdownTexts = fc.array(line, { maxLength: 30 }).map((lines) => lines.join("\n"));

/** Large texts that a reader with quadratic time can't read in time. */
export const HOSTILE_TEXTS: [name: string, text: string][] = [
  ["a table with 100,000 rows", `| a |\n| --- |\n${"| b |\n".repeat(100_000)}`],
  ["100,000 heads of tables", "| a |\n| --- |\n".repeat(100_000)],
  ["deeply nested quotes", `${"> ".repeat(1_000)}a\n`.repeat(500)],
  ["deeply nested lists", `${"- ".repeat(1_000)}a\n`.repeat(500)],
  ["100,000 opening fences", "```js\n".repeat(100_000)],
  ["an unclosed fence", `\`\`\`\n${"a\n".repeat(300_000)}`],
  ["a fence with a long language", `\`\`\`${"a".repeat(1_000_000)}\nb`],
  ["a line of fences", "```a".repeat(250_000)],
  ["one line of words", "word ".repeat(200_000)],
  ["one line of letters", "a".repeat(1_000_000)],
  ["one line of spaces", `a${" ".repeat(1_000_000)}b`],
  ["one line of numbers", "1".repeat(1_000_000)],
  ["a heading of brackets", `# ${"[".repeat(500_000)}${"](".repeat(250_000)}`],
  ["a heading of number signs", `# ${"#".repeat(500_000)} a ${"# ".repeat(250_000)}`],
  ["a heading of emphasis", `# ${"_".repeat(500_000)}a${"*_".repeat(250_000)}\\`],
  ["a heading of spaces", `# a${" ".repeat(1_000_000)}b`],
  ["a delimiter row of dashes", `a|\n${"-".repeat(1_000_000)}`],
  ["a delimiter row of spaces", `a|\n-${" ".repeat(1_000_000)}x|`],
  ["a delimiter row with many columns", `a|\n${"-|".repeat(500_000)}x`],
  ["only line feeds", "\n".repeat(1_000_000)],
  ["100,000 headings", "# a\n\n".repeat(100_000)],
];
