import TurndownService from "turndown";
import { PARAGRAPH_END } from "./breaks";
import { LANGUAGE } from "./code";
import type { DomElement } from "./dom";
import { isBlock, plainTextOf } from "./dom";
import { escapeBrackets, escapeMarkdown, linkDestination, unescapeStart } from "./escape";
import { MARKER } from "./lists";
import { emphasis, strikethrough, strong } from "./stress";
import { ALIGNMENT } from "./tables";
import { tidy } from "./tidy";

const service = createService();

/** A prepared tree as GitHub-flavoured markdown. */
export function toMarkdown(root: DomElement): string {
  return tidy(service.turndown(root));
}

function createService(): TurndownService {
  const turndown = new TurndownService({ headingStyle: "atx", hr: "---", codeBlockStyle: "fenced", br: "\\" });
  turndown.escape = escapeMarkdown;
  return turndown
    .addRule("heading", { filter: ["h1", "h2", "h3", "h4", "h5", "h6"], replacement: heading })
    .addRule("break", { filter: isParagraphEnd, replacement: () => "\n\n" })
    .addRule("strong", { filter: ["strong", "b"], replacement: strong })
    .addRule("emphasis", { filter: ["em", "i"], replacement: emphasis })
    .addRule("strikethrough", { filter: ["del", "s", "strike"], replacement: strikethrough })
    .addRule("link", { filter: "a", replacement: link })
    .addRule("image", { filter: "img", replacement: (_, image) => toImage(image) })
    .addRule("task", { filter: isTask, replacement: (_, task) => task.textContent.trim() })
    .addRule("codeBlock", { filter: "pre", replacement: (_, pre) => toCodeBlock(pre) })
    .addRule("list", { filter: ["ul", "ol"], replacement: list })
    .addRule("item", { filter: "li", replacement: item })
    .addRule("cell", { filter: ["th", "td"], replacement: cell })
    .addRule("row", { filter: "tr", replacement: row })
    .addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
}

function heading(content: string, node: DomElement): string {
  const line = unescapeStart(oneLine(content)).replace(/(?<=\s)#+$/, "\\$&");
  return line ? `\n\n${"#".repeat(Number(node.localName[1]))} ${line}\n\n` : "";
}

function link(content: string, node: DomElement): string {
  const text = unescapeStart(oneLine(content));
  const href = node.getAttribute("href");
  if (!text || !href) return text;
  const title = oneLine(node.getAttribute("title") ?? "");
  const titled =
    title && title.toLowerCase() !== plainTextOf(node).toLowerCase() ? ` "${title.replace(/["\\]/g, "\\$&")}"` : "";
  const label = text.includes("![") ? text : escapeBrackets(text);
  // Right after "!", it would be an image.
  const gap = node.previousSibling?.textContent.endsWith("!") ? " " : "";
  return `${gap}[${label}](${linkDestination(href)}${titled})`;
}

function toImage(image: DomElement): string {
  const source = image.getAttribute("src");
  const alternative = escapeBrackets(oneLine(image.getAttribute("alt") ?? ""));
  return source ? `![${alternative}](${linkDestination(source)})` : "";
}

function isTask(node: DomElement): boolean {
  return node.hasAttribute("data-task");
}

function isParagraphEnd(node: DomElement): boolean {
  return node.localName === "br" && node.hasAttribute(PARAGRAPH_END);
}

function toCodeBlock(pre: DomElement): string {
  const code = pre.textContent;
  const runs = Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length);
  const longest = runs.reduce((most, length) => Math.max(most, length), 2);
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}${pre.getAttribute(LANGUAGE) ?? ""}\n${code}\n${fence}\n\n`;
}

function list(content: string, node: DomElement): string {
  if (node.parentNode?.localName !== "li") return `\n\n${content}\n\n`;
  // A numbered list that doesn't begin with 1 can't follow a line of text directly.
  const canFollow = !isBlock(node.previousSibling) && !/^(?!1[.)])\d/.test(content);
  return `${canFollow ? "\n" : "\n\n"}${content}${node.nextSibling ? "\n\n" : ""}`;
}

function item(content: string, node: DomElement): string {
  const marker = `${node.getAttribute(MARKER) ?? "-"} `;
  const text = content.replace(/^\n+/, "").trimEnd();
  const indented = text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(marker.length)}`);
  const isLoose = text.includes("\n\n");
  return marker + indented + (node.nextSibling ? (isLoose ? "\n\n" : "\n") : "");
}

function cell(content: string): string {
  const lines = content.trim().split(/\s*\\?\n\s*/);
  return ` ${lines.map(unescapeStart).join("<br>").replace(/\|/g, "\\|")} |`;
}

/** The first row is the header: `prepareTable` saw to that. */
function row(content: string, node: DomElement): string {
  if (node.previousSibling) return `\n|${content}`;
  const columns = (node.parentNode?.getAttribute(ALIGNMENT) ?? "").split(",");
  return `\n|${content}\n|${columns.map(toDelimiter).join("")}`;
}

function toDelimiter(alignment: string): string {
  const left = alignment === "left" || alignment === "center" ? ":" : "";
  const right = alignment === "right" || alignment === "center" ? ":" : "";
  return ` ${left}---${right} |`;
}

function oneLine(text: string): string {
  return text.replace(/\s*\\?\n\s*|\s+/g, " ").trim();
}
