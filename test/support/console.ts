// Buffers the console output of the Worker and prints it only for tests that fail. Vitest's own interception sends each
// line to the main process with an RPC call. If the Durable Object that made such a call has stopped, the call never
// ends. The test file would wait for the call and never end either.
import { afterEach, beforeEach } from "vitest";

const METHODS = ["debug", "info", "log", "warn", "error"] as const;
const MAX_LINES = 500;

type Print = (...values: unknown[]) => void;

interface ConsoleBuffer {
  lines: { print: Print; values: unknown[] }[];
}

const holder = globalThis as { consoleBuffer?: ConsoleBuffer };
// Replaces the console methods only once for each runtime, because the test files of a runtime share its console.
holder.consoleBuffer ??= replaceMethods();
const { lines } = holder.consoleBuffer;

function replaceMethods(): ConsoleBuffer {
  const buffer: ConsoleBuffer = { lines: [] };
  for (const method of METHODS) {
    const print: Print = console[method].bind(console);
    console[method] = (...values) => {
      if (buffer.lines.length < MAX_LINES) buffer.lines.push({ print, values });
    };
  }
  return buffer;
}

beforeEach(() => {
  lines.length = 0;
});
afterEach(({ task }) => {
  if (task.result?.state === "fail") for (const { print, values } of lines) print(...values);
});
