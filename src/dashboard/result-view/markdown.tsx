import { decodeHTMLStrict } from "entities/decode";
import type { Child } from "hono/jsx";
import type { MarkedToken, Token, Tokens } from "marked";
import { type LexedMarkdown, lexMarkdown } from "../../html/markdown/lexer";
import { ExternalLink } from "../ui/components";
import type { Rendered } from "./views";

/** The maximum number of rendered blocks, cells and list items. More of them would make the browser slow. */
const MAX_PARTS = 4_000;
const MAX_BLOCK_DEPTH = 24;

/** The maximum nesting of inline content. Deeper content is shown as Markdown source. */
const MAX_INLINE_DEPTH = 12;

/** The number of parts that can still be rendered. */
interface PartBudget {
  left: number;
}

/** Renders untrusted Markdown. Shows HTML tags as text, and only http: and https: URLs as links. */
export async function renderMarkdown(markdown: string): Promise<Rendered> {
  const lexed: LexedMarkdown = await lexMarkdown(markdown);
  const budget: PartBudget = { left: MAX_PARTS };
  const blocks = toBlocks(lexed.tokens, budget, 0);
  return {
    content: (
      <div class="md" dir="auto">
        {blocks}
      </div>
    ),
    isCut: lexed.isCut || budget.left <= 0,
  };
}

function toBlocks(tokens: readonly Token[], budget: PartBudget, depth: number): Child[] {
  if (depth > MAX_BLOCK_DEPTH) return [tokens.map(({ raw }) => raw).join("")];
  const blocks: Child[] = [];
  for (const token of tokens) {
    if (budget.left-- <= 0) break;
    blocks.push(toBlock(token as MarkedToken, budget, depth));
  }
  return blocks;
}

function toBlock(token: MarkedToken, budget: PartBudget, depth: number): Child {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "heading":
      return <Heading depth={token.depth}>{toInline(token.tokens)}</Heading>;
    case "paragraph":
      return <p>{toInline(token.tokens)}</p>;
    case "code":
      return (
        <pre class="code" tabindex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "html":
      return <p class="md-raw">{token.raw.trim()}</p>;
    case "blockquote":
      return <blockquote>{toBlocks(token.tokens, budget, depth + 1)}</blockquote>;
    case "list":
      return <List list={token} budget={budget} depth={depth} />;
    case "table":
      return <Table table={token} budget={budget} />;
    // marked uses `text` for the items of a list without empty lines between them.
    case "text":
      return toInline(token.tokens ?? [token]);
    default:
      return toInline([token]);
  }
}

/** A heading of the Markdown. The highest level is h3, because the dashboard's page uses h1 and h2. */
function Heading({ depth, children }: { depth: number; children: Child }) {
  if (depth === 1) return <h3 class="md-1">{children}</h3>;
  if (depth === 2) return <h4 class="md-2">{children}</h4>;
  if (depth === 3) return <h5 class="md-3">{children}</h5>;
  return <h6 class="md-4">{children}</h6>;
}

function List({ list, budget, depth }: { list: Tokens.List; budget: PartBudget; depth: number }) {
  const items: Child[] = [];
  for (const { tokens } of list.items) {
    if (budget.left-- <= 0) break;
    items.push(<li>{toBlocks(tokens, budget, depth + 1)}</li>);
  }
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={typeof list.start === "number" && list.start !== 1 ? list.start : undefined}>{items}</ol>;
}

function Table({ table, budget }: { table: Tokens.Table; budget: PartBudget }) {
  const rows: Child[] = [];
  for (const row of table.rows) {
    budget.left -= row.length;
    if (budget.left <= 0) break;
    rows.push(
      <tr>
        {row.map(({ tokens, align }) => (
          <td class={align === "right" ? "number" : undefined}>{toInline(tokens)}</td>
        ))}
      </tr>,
    );
  }
  return (
    <section class="table-scroll" tabindex={0} aria-label="Table from the page">
      <table>
        <thead>
          <tr>
            {table.header.map(({ tokens, align }) => (
              <th scope="col" class={align === "right" ? "number" : undefined}>
                {toInline(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </section>
  );
}

/** Renders inline content. Shows HTML tags as text, except `<br>`, `<sup>` and `<sub>` of our converter. */
function toInline(tokens: readonly Token[], depth = 0): Child[] {
  if (depth > MAX_INLINE_DEPTH) return [tokens.map(({ raw }) => raw).join("")];
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

/** Returns the index of the closing tag, or -1. Searches only the next eight tokens, because superscripts are short. */
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
    // Shows a link instead of the image, because loading it would reveal the user's IP address to its server.
    case "image":
      return (
        <span class="md-image">
          <span class="tag">image</span>{" "}
          <ExternalLink href={token.href}>{decodeHTMLStrict(token.text) || token.href}</ExternalLink>
        </span>
      );
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw;
    case "text":
      return token.tokens === undefined ? decodeHTMLStrict(token.text) : inner(token.tokens);
    case "checkbox":
      return <input type="checkbox" checked={token.checked} disabled aria-label={token.checked ? "done" : "to do"} />;
    default:
      return token.raw;
  }
}
