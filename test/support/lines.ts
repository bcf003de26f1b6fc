import { type MockInstance, vi } from "vitest";

export type Line = Record<string, unknown> & { event: string };

const METHODS = ["log", "warn", "error", "info", "debug"] as const;

/**
 * Records the console output of the tests and the Worker until the mocks are restored. Both run in the same isolate.
 */
export function recordLines() {
  const spies: MockInstance[] = METHODS.map((method) => vi.spyOn(console, method).mockImplementation(() => undefined));
  const written = () => spies.flatMap(({ mock }) => mock.calls.map((values) => values.map(toText).join(" ")));
  return {
    /** Returns the whole output. */
    text: () => written().join("\n"),
    /** Returns the log lines of one event. */
    of: (event: string): Line[] =>
      written()
        .map((line) => JSON.parse(line) as Line)
        .filter((line) => line.event === event),
  };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : value instanceof Error ? String(value.stack) : JSON.stringify(value);
}
