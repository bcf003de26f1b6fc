import type { Child } from "hono/jsx";

/** A cell of a `table.stacking`, whose rows are cards on narrow windows: each value under its column's name. */
export function Cell({ of, children, class: className }: { of: string; children: Child; class?: string }) {
  return (
    <td data-label={of} class={className}>
      <div>{children}</div>
    </td>
  );
}
