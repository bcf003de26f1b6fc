// Checks that a page can't reach the browser itself, and finds no data of another render.
import { toBrokenPage, toFailure } from "./content.ts";
import type { Context } from "./context.ts";
import { readStorage, runScript, scanLoopback } from "./pages.ts";
import type { Result } from "./result.ts";
import { describeOutcome, type Outcome } from "./service.ts";

/** The ports that are tried from a page: those of DevTools and WebDriver, and usual ports of other local servers. */
const PORTS = [9222, 9223, 9229, 9515, 4444, 80, 443, 3000, 5000, 8000, 8080, 8081, 8443, 8787, 9000, 9090];
/** With these codes, the browser's request reached no server. */
const UNREACHED = ["invalid_target", "dns_failure", "connection_failed", "tls_failure", "target_timeout"];
const DANGER =
  "A page could control the browser and read the pages of other accounts. Keep BROWSER_SHARED off, and report this.";

/** Opens host names with a loopback address in the browser. DevTools answers there in some browsers. */
export async function checkNavigation({ service, targets }: Context): Promise<Result> {
  const outcomes: Outcome[] = [];
  for (const url of targets.loopback) outcomes.push(await service.scrape({ url, render: "always" }));
  const reached = targets.loopback.filter((_, i) => isReached(outcomes[i]));
  const unclear = outcomes.find((outcome) => !isReached(outcome) && !isUnreached(outcome));
  const base = { name: "browser's loopback, as page", expected: "not reached" };
  if (reached.length > 0)
    return { ...base, observed: `reached: ${reached.join(", ")}`, status: "failed", action: DANGER };
  if (unclear !== undefined) return toFailure(base, unclear);
  const codes = new Set(outcomes.map((outcome) => describeOutcome(outcome, { withMessage: false })));
  return { ...base, observed: `not reached (${[...codes].join(", ")})`, status: "ok" };
}

function isReached(outcome: Outcome | undefined): boolean {
  if (outcome?.kind === "failed")
    return [
      "target_http_error",
      "payment_required",
      "blocked_by_target",
      "unsupported_content",
      "target_too_large",
    ].includes(outcome.code);
  return outcome?.kind === "completed";
}

function isUnreached(outcome: Outcome): boolean {
  return outcome.kind === "failed" && UNREACHED.includes(outcome.code);
}

/** Runs a page whose scripts request loopback addresses and names at many ports. */
export async function checkScan({ service, targets }: Context): Promise<Result> {
  const urls = targets.loopback.map((url) => new URL(url));
  const hosts = [...new Set(["127.0.0.1", "localhost", "[::1]", ...urls.map(({ hostname }) => hostname)])];
  const ports = [...new Set([...PORTS, ...urls.map(({ port }) => Number(port || 80))])];
  const base = { name: "browser's loopback, by scripts", expected: `none of ${hosts.length * ports.length} reached` };
  const { outcome, result } = await runScript<{ reached: string[]; sockets: string }>(service, {
    pages: targets.pages,
    script: scanLoopback(hosts, ports),
  });
  if (outcome.kind !== "completed") return toFailure(base, outcome);
  if (result === null || result.error !== undefined) return toBrokenPage(base, result?.error);
  const { reached, sockets } = result;
  const all = sockets === "reached" ? [...reached, "ws://127.0.0.1:9222"] : reached;
  if (all.length > 0) return { ...base, observed: `reached: ${all.join(", ")}`, status: "failed", action: DANGER };
  return { ...base, observed: `none reached, WebSocket ${sockets}`, status: "ok" };
}

/** Renders the same page twice. The second render must not find what the first stored. */
export async function checkStorage({ service, targets: { pages }, run }: Context): Promise<Result> {
  const base = { name: "storage of an earlier render", expected: "not found" };
  const visit = () => runScript<{ found: string; stored: string }>(service, { pages, script: readStorage(run) });
  const [first, second] = [await visit(), await visit()];
  for (const { outcome, result } of [first, second]) {
    if (outcome.kind !== "completed") return toFailure(base, outcome);
    if (result === null || result.error !== undefined) return toBrokenPage(base, result?.error);
  }
  if (first.result?.stored.includes(run) !== true) return toBrokenPage(base, "The page could not store anything.");
  const found = second.result?.found.includes(run) === true;
  return {
    ...base,
    observed: found ? "found" : "not found",
    status: found ? "failed" : "ok",
    action:
      "Renders share cookies or storage, so accounts can see each other's sessions. Don't use rendering, and report this.",
  };
}

/** Says whether accounts can share a browser, from the results of the other checks of this file. */
export function recommendSharing({ browsers, onCloudflare }: Context, results: readonly Result[]): Result {
  const base = { name: "BROWSER_SHARED", expected: "off until isolation is verified" };
  const current = browsers.shared ? "on" : "off";
  if (browsers.network !== "public") {
    const observed = `${current}, without effect (BROWSER_NETWORK isn't public)`;
    if (!onCloudflare) return { ...base, observed, status: "info" };
    const action = 'Every request of a page takes a round trip. Set BROWSER_NETWORK = "public", as in wrangler.toml.';
    return { ...base, observed, status: "differs", action };
  }
  if (results.some(({ status }) => status !== "ok")) {
    const status = browsers.shared ? "failed" : "info";
    const action =
      "The isolation of renders isn't verified. Keep BROWSER_SHARED off, so that accounts never share a browser at the same time.";
    return { ...base, observed: current, status, action };
  }
  const action =
    'No page reached the browser. If you want fewer browsers, set BROWSER_SHARED = "on" under [vars] in deploy.toml.';
  return {
    ...base,
    observed: `${current}, isolation verified`,
    status: "info",
    ...(browsers.shared ? {} : { action }),
  };
}
