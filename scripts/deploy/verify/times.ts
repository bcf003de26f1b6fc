// Measures response times from this machine.
import type { Context } from "./context.ts";
import { formatMs, type Result } from "./result.ts";

const CALLS = 5;

/** Measures a response without a key, one with a key, and a plain scrape. The first call is slower, so it isn't counted. */
export async function measureTimes({ service, targets }: Context): Promise<Result[]> {
  const health = await measure(() => service.call("GET", "/health"));
  const usage = await measure(() => service.call("GET", "/v1/usage"));
  const processing: number[] = [];
  const scrape = await measure(async () => {
    const outcome = await service.scrape({ url: targets.headers, formats: ["text"] });
    if (outcome.kind === "completed") processing.push(outcome.processingMs);
  });
  const own = processing.length === 0 ? "" : `, processing_time_ms ${median(processing)}`;
  const report = (name: string, observed: string): Result => ({ name, expected: "", observed, status: "info" });
  return [
    report("time of /health", formatMs(median(health))),
    report("time of a request with a key", formatMs(median(usage))),
    report("time of a plain scrape", `${formatMs(median(scrape))}${own}`),
  ];
}

async function measure(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i <= CALLS; i++) {
    const startedAt = performance.now();
    await call();
    if (i > 0) times.push(performance.now() - startedAt);
  }
  return times;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
