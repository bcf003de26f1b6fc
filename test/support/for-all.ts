import { expect, it } from "vitest";

type Arguments<Row> = Row extends readonly unknown[] ? [...Row] : [Row];

/** The maximum length of a row's description in a failure. */
const MAX_ROW_CHARS = 120;

/**
 * Declares one test for all rows of a table, instead of a test for each row. The test lists the rows for which `check`
 * fails. Placeholders such as `%s` in the title are replaced by `…`.
 */
export function forAll<const Row>(rows: readonly Row[]) {
  return (title: string, check: (...row: Arguments<Row>) => void): void => {
    it(title.replace(/%[a-z]|\$\w+/g, "…"), { timeout: 120_000 }, () => {
      const failures = rows.flatMap((row) => {
        try {
          check(...((Array.isArray(row) ? row : [row]) as unknown as Arguments<Row>));
          return [];
        } catch (error) {
          return [`${JSON.stringify(row).slice(0, MAX_ROW_CHARS)}: ${error instanceof Error ? error.message : error}`];
        }
      });
      expect(failures).toEqual([]);
    });
  };
}
