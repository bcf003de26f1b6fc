import type { Child } from "hono/jsx";
import type { MarkedToken, Token } from "marked";
import { ExternalLink } from "../../ui/components";
import { decodeEntities } from "./entities";

/** Emphasis in links in emphasis …: deeper than this, the text stands as it is written. */
const MAX_DEPTH = 12;

/** What stands inside of lines. Tags stay text, but for the few that our own markdown has: `<br>`, `<sup>`, `<sub>`. */
export function toInline(tokens: readonly Token[], depth = 0): Child[] {
  if (depth > MAX_DEPTH) return [tokens.map(({ raw }) => raw).join("")];
  const children: Child[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const tag = token.type === "html" ? /^<(sup|sub)>$/i.exec(token.raw)?.[1]?.toLowerCase() : undefined;
    const end = tag === undefined ? -1 : findEnd(tokens, at + 1, `</${tag}>`);
    if (end === -1) {
      children.push(toElement(token as MarkedToken, depth));
      continue;
    }
    const inner = toInline(tokens.slice(at + 1, end), depth + 1);
    children.push(tag === "sup" ? <sup>{inner}</sup> : <sub>{inner}</sub>);
    at = end;
  }
  return children;
}

/** Raised and lowered text is short: an end is looked for among the next few. */
function findEnd(tokens: readonly Token[], from: number, tag: string): number {
  for (let at = from; at < Math.min(tokens.length, from + 8); at++) {
    const token = tokens[at];
    if (token?.type === "html" && token.raw.toLowerCase() === tag) return at;
  }
  return -1;
}

function toElement(token: MarkedToken, depth: number): Child {
  const inner = (tokens: readonly Token[]) => toInline(tokens, depth + 1);
  switch (token.type) {
    case "strong":
      return <strong>{inner(token.tokens)}</strong>;
    case "em":
      return <em>{inner(token.tokens)}</em>;
    case "del":
      return <del>{inner(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "escape":
      return token.text;
    case "link":
      return (
        <ExternalLink href={token.href} title={token.title ?? undefined}>
          {inner(token.tokens)}
        </ExternalLink>
      );
    // Not loaded: it lies elsewhere, and would tell there who looks.
    case "image":
      return (
        <span class="md-image">
          <span class="tag">picture</span>{" "}
          <ExternalLink href={token.href}>{decodeEntities(token.text) || token.href}</ExternalLink>
        </span>
      );
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw;
    case "text":
      return token.tokens === undefined ? decodeEntities(token.text) : inner(token.tokens);
    case "checkbox":
      return <input type="checkbox" checked={token.checked} disabled aria-label={token.checked ? "done" : "to do"} />;
    default:
      return token.raw;
  }
}
