import type { Child } from "hono/jsx";
import { toShown } from "./format";

export interface Column<Row> {
  /** The heading. In `Table`, it is also the label of the value on narrow screens. */
  label: string;
  /** Returns the content of a cell. Numbers get separators. */
  cell: (row: Row) => Child;
  /** The class of the cells. `number` also aligns the heading. */
  class?: string;
  /** True if only screen readers see the heading. */
  isHidden?: boolean;
}

interface TableProps<Row> {
  /** The name of the table for screen readers. */
  caption?: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}

/** A table of records. On narrow screens, each row is a card. Without rows, only the text `empty` is shown. */
export function Table<Row>(props: TableProps<Row> & { class?: string; empty?: string }) {
  const { class: className, empty, ...table } = props;
  if (table.rows.length === 0) return empty === undefined ? null : <p class="muted">{empty}</p>;
  return (
    <div class="table-scroll">
      <table class={className === undefined ? "stacking" : `stacking ${className}`}>
        <Head {...table} />
        <tbody>
          {table.rows.map((row) => (
            <tr>
              {table.columns.map(({ label, cell, class: cellClass }) => (
                <td data-label={label} class={cellClass}>
                  <div>{toShown(cell(row))}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A dense table whose rows link to a job or batch in the first column. A script selects rows with arrow keys. */
export function LinkedRows<Row>(table: TableProps<Row>) {
  return (
    <table class="jobs" data-rows>
      <Head {...table} />
      <tbody>
        {table.rows.map((row) => (
          <tr>
            {table.columns.map(({ cell, class: cellClass }) => (
              <td class={cellClass}>{toShown(cell(row))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FiguresProps<Row> extends TableProps<Row> {
  /** The accessible name of the area, which scrolls on narrow screens. */
  label: string;
  /** An additional class of the area. */
  class?: string;
  isCurrent?: (row: Row) => boolean;
}

/** A table of numbers. The first column is the heading of each row. */
export function Figures<Row>({ label, class: className = "", isCurrent, ...table }: FiguresProps<Row>) {
  const [first, ...others] = table.columns;
  return (
    <section class={`table-scroll ${className}`.trim()} aria-label={label} tabindex={0}>
      <table class="figures">
        <Head {...table} />
        <tbody>
          {table.rows.map((row) => (
            <tr {...(isCurrent?.(row) ? { "aria-current": "true", class: "present" } : {})}>
              <th scope="row">{toShown(first?.cell(row))}</th>
              {others.map(({ cell, class: cellClass }) => (
                <td class={cellClass}>{toShown(cell(row))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Head<Row>({ caption, columns }: TableProps<Row>) {
  return (
    <>
      {caption === undefined ? null : <caption class="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ label, class: cellClass, isHidden = false }) => (
            <th scope="col" class={cellClass === "number" ? "number" : undefined}>
              {isHidden ? <span class="visually-hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}
