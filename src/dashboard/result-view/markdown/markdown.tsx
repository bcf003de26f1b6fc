import type { Child } from "hono/jsx";
import type { MarkedToken, Token, Tokens } from "marked";
import { toInline } from "./inline";
import { type Lexed, lexMarkdown } from "./lex";

/** A page of a browser stays quick with so many blocks, rows and items. */
const MAX_PARTS = 4_000;
const MAX_DEPTH = 24;

/** Counts what is drawn, over all of a text. */
interface Room {
  left: number;
}

/** Somebody else's markdown as elements of our own: whatever it says, it is text, and its links lead to http and https alone. */
export async function renderMarkdown(markdown: string): Promise<{ content: Child; isCut: boolean }> {
  const lexed: Lexed = await lexMarkdown(markdown);
  const room: Room = { left: MAX_PARTS };
  const blocks = toBlocks(lexed.tokens, room, 0);
  return {
    content: (
      <div class="md" dir="auto">
        {blocks}
      </div>
    ),
    isCut: lexed.isCut || room.left <= 0,
  };
}

function toBlocks(tokens: readonly Token[], room: Room, depth: number): Child[] {
  if (depth > MAX_DEPTH) return [tokens.map(({ raw }) => raw).join("")];
  const blocks: Child[] = [];
  for (const token of tokens) {
    if (room.left-- <= 0) break;
    blocks.push(toBlock(token as MarkedToken, room, depth));
  }
  return blocks;
}

function toBlock(token: MarkedToken, room: Room, depth: number): Child {
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
      return <blockquote>{toBlocks(token.tokens, room, depth + 1)}</blockquote>;
    case "list":
      return <List list={token} room={room} depth={depth} />;
    case "table":
      return <Table table={token} room={room} />;
    // Of a tight list's item.
    case "text":
      return toInline(token.tokens ?? [token]);
    default:
      return toInline([token]);
  }
}

/** The page has its own first and second level. */
function Heading({ depth, children }: { depth: number; children: Child }) {
  if (depth === 1) return <h3 class="md-1">{children}</h3>;
  if (depth === 2) return <h4 class="md-2">{children}</h4>;
  if (depth === 3) return <h5 class="md-3">{children}</h5>;
  return <h6 class="md-4">{children}</h6>;
}

function List({ list, room, depth }: { list: Tokens.List; room: Room; depth: number }) {
  const items: Child[] = [];
  for (const { tokens } of list.items) {
    if (room.left-- <= 0) break;
    items.push(<li>{toBlocks(tokens, room, depth + 1)}</li>);
  }
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={typeof list.start === "number" && list.start !== 1 ? list.start : undefined}>{items}</ol>;
}

function Table({ table, room }: { table: Tokens.Table; room: Room }) {
  const rows: Child[] = [];
  for (const row of table.rows) {
    room.left -= row.length;
    if (room.left <= 0) break;
    rows.push(
      <tr>
        {row.map(({ tokens, align }) => (
          <td class={align === "right" ? "number" : undefined}>{toInline(tokens)}</td>
        ))}
      </tr>,
    );
  }
  return (
    <section class="table-scroll" tabindex={0} aria-label="A table of the page">
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
