import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { DashboardEnv } from "./env";

/** The largest offset. Larger offsets would be slow, because SQLite reads every row before the offset. */
export const MAX_OFFSET = 10_000;

/** Returns the offset in the page's query string, or 0 if it isn't a number. */
export function readOffset(c: Context<DashboardEnv>): number {
  const offset = c.req.query("offset") ?? "";
  return /^\d{1,6}$/.test(offset) ? Math.min(Number(offset), MAX_OFFSET) : 0;
}

interface UncountedProps {
  limit: number;
  offset: number;
  /** Returns the URL of the page that begins at an offset. */
  href: (offset: number) => string;
}

interface PaginationProps extends UncountedProps {
  total: number;
  /** True if the list may have more than `total` items, because counting stopped there. */
  atLeast?: boolean;
}

/** The position in a list, and links to the next and previous page. Empty if the list has only one page. */
export function Pagination({ total, atLeast = false, ...page }: PaginationProps) {
  const { limit, offset } = page;
  const last = Math.min(offset + limit, total);
  return (
    <UncountedPagination {...page} more={last < total}>
      <span>
        {(offset + 1).toLocaleString("en")}–{last.toLocaleString("en")} of {atLeast ? "at least " : ""}
        {total.toLocaleString("en")}
      </span>
    </UncountedPagination>
  );
}

/** The links to the next and previous page of a list. Empty if the list has only one page. */
export function UncountedPagination({ limit, offset, href, more, children }: UncountedProps & MoreProps) {
  return (
    <PageLinks newer={offset > 0 ? href(Math.max(0, offset - limit)) : null} older={more ? href(offset + limit) : null}>
      {children}
    </PageLinks>
  );
}

interface MoreProps {
  more: boolean;
  children?: Child;
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
  if (newer === null && older === null) return null;
  return (
    <nav class="pages" aria-label="Pagination">
      {children}
      {newer === null ? null : (
        <a class="button quiet small" href={newer} rel={labels === undefined ? "prev" : undefined}>
          {newerLabel}
        </a>
      )}
      {older === null ? null : (
        <a class="button quiet small" href={older} rel="next">
          {olderLabel}
        </a>
      )}
    </nav>
  );
}
