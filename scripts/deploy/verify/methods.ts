// Compares the two render methods by isolation, time and price.
import type { AdminClient } from "../../admin/client.ts";
import type { Context } from "./context.ts";
import { toLoopback } from "./isolation.ts";
import { FETCHES, PARTS, readResult, readStorage, SCRIPTS, scanLoopback, toPageUrl } from "./pages.ts";
import { formatMs, type Result } from "./result.ts";

const RENDERS = 3;
/** The price of an hour of browser time, from https://developers.cloudflare.com/browser-run/pricing/. */
const DOLLARS_PER_HOUR = 0.09;
const HOUR_MS = 3_600_000;
/** The browser time of a session's render in addition to the page, at low load: the start, and the wait for the end. */
const START_MS = 1_000;
const IDLE_MS = 2_000;
const THOUSAND = 1_000;

type Method = "sessions" | "quick-actions";

/** The response of `POST /admin/v1/renders`. */
interface Render {
  outcome: string;
  ms: number;
  html: string | null;
}

/** The measurements of one method. */
export interface Measured {
  /** The outcome of the first render that returned no complete page, or null. */
  problem: string | null;
  /** The median time (ms) of the complete renders. */
  ms: number;
  /** True if no page reached the browser's loopback or found data of another render. Null if it isn't known. */
  isIsolated: boolean | null;
}

/** Renders the same pages with both methods. */
export async function compareMethods(context: Context): Promise<Result[]> {
  const sessions = await measure(context, "sessions");
  const quick = await measure(context, "quick-actions");
  return [
    report("render method sessions", sessions, priceOfSession(sessions.ms)),
    report("render method quick-actions", quick, toPrice(quick.ms)),
    recommendMethod(context.browsers.render_method, { sessions, quick }),
  ];
}

async function measure({ admin, targets, run }: Context, method: Method): Promise<Measured> {
  const render = async <Value>(script: string) => {
    const { outcome, ms, html } = await renderWith(admin, method, toPageUrl(targets.pages, script));
    return { outcome, ms, result: readResult<Value>(html ?? "") };
  };
  const times: number[] = [];
  for (let i = 0; i < RENDERS; i++) {
    const { outcome, ms, result } = await render<{ scripts: number; fetches: number }>(PARTS);
    const isComplete = result?.scripts === SCRIPTS && result.fetches === FETCHES;
    if (!isComplete) return { problem: outcome === "page" ? "incomplete" : outcome, ms, isIsolated: null };
    times.push(ms);
  }
  const ms = times.toSorted((a, b) => a - b)[Math.floor(RENDERS / 2)] ?? 0;
  const { hosts, ports } = toLoopback(targets);
  const scan = await render<{ reached: string[]; sockets: string }>(scanLoopback(hosts, ports));
  await render(readStorage(run));
  const storage = await render<{ found: string }>(readStorage(run));
  if (scan.result?.reached === undefined || storage.result?.found === undefined)
    return { problem: null, ms, isIsolated: null };
  const isReached = scan.result.reached.length > 0 || scan.result.sockets === "reached";
  return { problem: null, ms, isIsolated: !isReached && !storage.result.found.includes(run) };
}

async function renderWith(admin: AdminClient, method: Method, url: string): Promise<Render> {
  return await admin.call<Render>("POST", "/renders", { url, method, wait_for: "#done" });
}

function report(name: string, { problem, ms, isIsolated }: Measured, dollars: number): Result {
  const base = { name, expected: "isolated" };
  if (problem !== null) return { ...base, observed: problem, status: problem === "unsupported" ? "info" : "unclear" };
  const figures = `${formatMs(ms)}, $${dollars.toFixed(3)} per 1,000 rare renders`;
  if (isIsolated === null) return { ...base, observed: `unknown, ${figures}`, status: "unclear" };
  const action = "A page reached its browser, or found data of another render. Don't use this method, and report this.";
  if (!isIsolated) return { ...base, observed: `not isolated, ${figures}`, status: "failed", action };
  return { ...base, observed: `isolated, ${figures}`, status: "ok" };
}

/** Recommends a method. `current` is the value of RENDER_METHOD. */
export function recommendMethod(current: string, { sessions, quick }: { sessions: Measured; quick: Measured }): Result {
  const base = { name: "RENDER_METHOD", expected: "the safer, then the cheaper method" };
  const reason = findReasonAgainst(quick);
  if (reason !== null) {
    const observed = `${current}; ${reason}`;
    if (current !== "quick-actions") return { ...base, observed, status: "info" };
    const action = 'Set RENDER_METHOD = "sessions" under [vars] in deploy.toml.';
    return { ...base, observed, status: quick.isIsolated === false ? "failed" : "differs", action };
  }
  if (quick.isIsolated === true && (sessions.problem !== null || sessions.isIsolated !== true)) {
    const observed = `${current}; only Quick Actions are verified as isolated`;
    if (current === "quick-actions") return { ...base, observed, status: "ok" };
    const action =
      'Set RENDER_METHOD = "quick-actions" under [vars] in deploy.toml. Each page then has its own browser.';
    return { ...base, observed, status: "differs", action };
  }
  // A session's browser that is always in use costs the interval between two renders.
  const interval = formatMs(quick.ms);
  const action = `Choose quick-actions if a browser renders less than one page every ${interval}, or if pages of different accounts must never use the same browser. Choose sessions for a higher load: a page then takes ${formatMs(sessions.ms)} instead of ${interval}.`;
  return { ...base, observed: `${current}; the load decides`, status: "info", action };
}

/** Returns the reason not to use Quick Actions, or null. */
function findReasonAgainst({ problem, isIsolated }: Measured): string | null {
  if (problem === "unsupported") return "Quick Actions aren't available here";
  if (problem !== null) return "Quick Actions don't work";
  return isIsolated === false ? "Quick Actions aren't isolated" : null;
}

/** Returns the price of 1,000 renders with this browser time each. */
function toPrice(ms: number): number {
  return (THOUSAND * ms * DOLLARS_PER_HOUR) / HOUR_MS;
}

/** Returns the price of 1,000 renders, each in a new browser. */
function priceOfSession(ms: number): number {
  return toPrice(START_MS + ms + IDLE_MS);
}
