import { type MockInstance, vi } from "vitest";

export type Line = Record<string, unknown> & { event: string };

const WAYS = ["log", "warn", "error", "info", "debug"] as const;

/** What is written to the console from now on, until the mocks are restored. The Worker runs in this isolate. */
export function recordLines() {
  const spies: MockInstance[] = WAYS.map((way) => vi.spyOn(console, way).mockImplementation(() => undefined));
  const written = () => spies.flatMap(({ mock }) => mock.calls.map((words) => words.map(toText).join(" ")));
  return {
    /** Everything, as it was written. */
    text: () => written().join("\n"),
    /** The lines of one event. */
    of: (event: string): Line[] =>
      written()
        .map((line) => JSON.parse(line) as Line)
        .filter((line) => line.event === event),
  };
}

function toText(word: unknown): string {
  return typeof word === "string" ? word : word instanceof Error ? String(word.stack) : JSON.stringify(word);
}
