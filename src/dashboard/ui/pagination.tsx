import type { Context } from "hono";
import type { Child } from "hono/jsx";
import { LinkButton } from "./components";
import type { DashboardEnv } from "./env";

/** The largest offset. Larger offsets would be slow, because SQLite reads every row before the offset. */
export const MAX_OFFSET = 10_000;

/** Returns the offset in the page's query string, or 0 if it isn't a number. */
export function readOffset(c: Context<DashboardEnv>): number {
  const offset = c.req.query("offset") ?? "";
  return /^\d{1,6}$/.test(offset) ? Math.min(Number(offset), MAX_OFFSET) : 0;
}

interface PaginationProps {
  limit: number;
  offset: number;
  /** Returns the URL of the page that begins at an offset. */
  href: (offset: number) => string;
  /** The number of items on this page. */
  shown?: number;
  /** The number of items of all pages. Undefined if it isn't known. */
  total?: number;
  /** True if the list may have more than `total` items, because counting stopped there. */
  atLeast?: boolean;
  /** True if there is a next page. */
  more: boolean;
}

/** The links to the next and previous page, and the position if the total is known. Empty if there is only one page. */
export function Pagination({ limit, offset, href, shown = 0, total, atLeast = false, more }: PaginationProps) {
  const number = (value: number) => value.toLocaleString("en");
  return (
    <PageLinks newer={offset > 0 ? href(Math.max(0, offset - limit)) : null} older={more ? href(offset + limit) : null}>
      {total === undefined ? null : (
        <span>
          {number(offset + 1)}–{number(offset + shown)} of {atLeast ? "at least " : ""}
          {number(total)}
        </span>
      )}
    </PageLinks>
  );
}

interface PageLinksProps {
  /** The path of the previous or first page. Null if this is the first page. */
  newer: string | null;
  /** The path of the next page. Null if this is the last page. */
  older: string | null;
  /** The labels of the links, if `newer` isn't the previous page. */
  labels?: readonly [newer: string, older: string];
  children?: Child;
}

/** The links to other pages of a list. Empty if the list has only one page. */
export function PageLinks({ newer, older, labels, children }: PageLinksProps) {
  const [newerLabel, olderLabel] = labels ?? ["Newer", "Older"];
  const rel = labels === undefined ? "prev" : undefined;
  if (newer === null && older === null) return null;
  return (
    <nav class="pages" aria-label="Pagination">
      {children}
      {newer === null ? null : <LinkButton href={newer} tone="quiet" small label={newerLabel} rel={rel} />}
      {older === null ? null : <LinkButton href={older} tone="quiet" small label={olderLabel} rel="next" />}
    </nav>
  );
}
