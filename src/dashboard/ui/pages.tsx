import type { Child } from "hono/jsx";

interface TurningProps {
  limit: number;
  offset: number;
  /** The address of the page that begins there. */
  href: (offset: number) => string;
}

interface PagesProps extends TurningProps {
  total: number;
  /** Counting stopped at `total`: there may be more. */
  atLeast?: boolean;
}

/** Where in a list one is, and the ways on and back. */
export function Pages({ total, atLeast = false, ...turning }: PagesProps) {
  const { limit, offset } = turning;
  const last = Math.min(offset + limit, total);
  return (
    <UncountedPages {...turning} more={last < total}>
      <span>
        {(offset + 1).toLocaleString("en")}–{last.toLocaleString("en")} of {atLeast ? "at least " : ""}
        {total.toLocaleString("en")}
      </span>
    </UncountedPages>
  );
}

/** The ways on and back in a list that nobody counted; nothing where all of it is shown. */
export function UncountedPages(props: TurningProps & { more: boolean; children?: Child }) {
  const { limit, offset, href, more, children } = props;
  if (offset === 0 && !more) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {children}
      {offset > 0 ? (
        <a class="button quiet small" href={href(Math.max(0, offset - limit))} rel="prev">
          Newer
        </a>
      ) : null}
      {more ? (
        <a class="button quiet small" href={href(offset + limit)} rel="next">
          Older
        </a>
      ) : null}
    </nav>
  );
}
