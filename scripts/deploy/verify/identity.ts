// Reports how targets see the service, and which browser renders pages.
import { toFailure } from "./content.ts";
import type { BrowserReport, Context } from "./context.ts";
import { readIdentity, runScript } from "./pages.ts";
import type { Result } from "./result.ts";

/** Older versions lack features that the page scripts use. */
const MIN_CHROME = 120;

/** Reports the headers that identify plain requests. */
export async function checkPlainIdentity({ service, targets, onCloudflare, browsers }: Context): Promise<Result> {
  const expected =
    onCloudflare && browsers.fetch_via !== "socket" ? "User-Agent and the name of the zone" : "User-Agent";
  const base = { name: "identity of plain requests", expected };
  const outcome = await service.scrape({ url: targets.headers, formats: ["text"] }, { repeat: true });
  if (outcome.kind !== "completed") return toFailure(base, outcome);
  const headers = readHeaders(outcome.data.text ?? "");
  const zone = headers.get("cf-worker");
  const agent = `User-Agent: ${headers.get("user-agent") ?? "none"}`;
  const action =
    'Targets see the name of your zone. Use a Worker on workers.dev, or FETCH_VIA = "socket" (docs/security.md).';
  if (zone === undefined || !onCloudflare) return { ...base, observed: agent, status: "info" };
  return { ...base, observed: `CF-Worker: ${zone}, ${agent}`, status: "info", action };
}

/** Reports the browser's version and the headers that identify rendered requests. */
export async function checkRenderedIdentity({ service, targets }: Context): Promise<Result[]> {
  const version = { name: "browser version", expected: `Chrome ${MIN_CHROME} or later` };
  const { outcome, result } = await runScript<{ agent: string; headers: string }>(service, {
    pages: targets.pages,
    script: readIdentity(targets.headers),
  });
  if (outcome.kind !== "completed") return [toFailure(version, outcome)];
  const agent = result?.agent ?? "";
  const major = Number(/Chrome\/(\d+)/.exec(agent)?.[1] ?? Number.NaN);
  const names = [...readHeaders(result?.headers ?? "").keys()];
  const bot = names.filter((name) => /^(?:cf-brapi|signature)/.test(name));
  return [
    {
      ...version,
      observed: Number.isNaN(major) ? `unknown (${agent})` : `Chrome ${major}`,
      status: major >= MIN_CHROME ? "ok" : "differs",
      action: "Pages may render differently from the local service. Report the version.",
    },
    {
      name: "identity of rendered requests",
      expected: "a bot, on Cloudflare",
      observed: bot.length > 0 ? bot.join(", ") : "no header identifies a bot",
      status: "info",
    },
  ];
}

/** Reports the capabilities of the browsers that Cloudflare doesn't document. */
export function reportCapabilities({ browsers }: { browsers: BrowserReport }): Result[] {
  const running = browsers.browsers.filter((browser) => browser.running);
  const report = (name: string, values: (boolean | null)[], action: string): Result => {
    const base = { name, expected: "supported" };
    if (values.length === 0) return { ...base, observed: "unknown, no browser is running", status: "unclear" };
    const isSupported = values.every((value) => value === true);
    return {
      ...base,
      observed: isSupported ? "supported" : "not supported",
      status: isSupported ? "ok" : "differs",
      action,
    };
  };
  return [
    report(
      "interception, whole browser",
      running.map((browser) => browser.intercepts_whole_browser),
      "The service intercepts each page separately (browser_interception_unsupported). Web workers are less protected: keep BROWSER_SHARED off.",
    ),
    report(
      "paused targets",
      running.map((browser) => browser.pauses_targets),
      "Pages and workers start before they are prepared (browser_targets_not_paused). They are less protected: keep BROWSER_SHARED off.",
    ),
  ];
}

/** Reads the headers from httpbin's JSON, with names in lower case. */
export function readHeaders(text: string): Map<string, string> {
  try {
    const { headers = {} } = JSON.parse(text) as { headers?: Record<string, unknown> };
    return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  } catch {
    return new Map();
  }
}
