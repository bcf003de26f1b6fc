// `npm run deploy -- --verify`: tests a running service from outside, with a key that exists only for this run.
import { randomBytes } from "node:crypto";
import type { AdminClient } from "../../admin/client.ts";
import { checkFreshness, checkParts, checkPdf, checkScreenshot } from "./content.ts";
import type { BrowserReport, Context } from "./context.ts";
import { checkAddresses, checkErrors } from "./errors.ts";
import { checkPlainIdentity, checkRenderedIdentity, reportCapabilities } from "./identity.ts";
import { checkNavigation, checkScan, checkStorage, recommendSharing } from "./isolation.ts";
import { openAccess } from "./key.ts";
import { formatHead, formatResult, formatSummary, NOT_OBSERVED, type Result } from "./result.ts";
import { findPlanLimit, type Service } from "./service.ts";
import { readTargets } from "./targets.ts";
import { measureTimes } from "./times.ts";
import { checkWebhooks } from "./webhook.ts";

export interface VerifyOptions {
  admin: AdminClient;
  /** A JSON file with the targets that replace the default ones. */
  targetsFile?: string;
  /** The receiver of webhooks. */
  receiver?: string;
  print: (text: string) => void;
  /** Called with a function that revokes the key. The caller calls it if the process must end early. */
  onOpen?: (revoke: () => Promise<string | null>) => void;
}

/**
 * Tests a service and prints each expectation next to the observation, and then what to do about the differences.
 * Returns false if a check failed. Throws if the service or its admin API can't be used.
 */
export async function verify({ admin, targetsFile, receiver, print, onOpen }: VerifyOptions): Promise<boolean> {
  const run = randomBytes(5).toString("hex");
  const targets = readTargets({
    run,
    ...(targetsFile === undefined ? {} : { file: targetsFile }),
    ...(receiver === undefined ? {} : { receiver }),
  });
  const { service, revoke } = await openAccess(admin, run);
  onOpen?.(revoke);
  const results: Result[] = [];
  const add = (more: Result | Result[]) => {
    for (const result of [more].flat()) {
      results.push(result);
      print(formatResult(result));
    }
  };
  print(`Verifying ${service.base}. This takes about a minute.\n\n${formatHead()}`);
  try {
    add(await checkReadiness(service));
    const readBrowsers = () => admin.call<BrowserReport>("GET", "/browsers");
    const browsers = await readBrowsers();
    // Cloudflare adds CF-Ray to each response, and wrangler.toml sets BROWSER_NETWORK to public.
    const { headers } = await service.call("GET", "/health");
    const onCloudflare = headers.has("cf-ray") || browsers.network === "public";
    const context: Context = { service, targets, run, onCloudflare, browsers };
    await runChecks(context, add, readBrowsers);
  } finally {
    const problem = await revoke();
    const base = { name: "key of this run", expected: "revoked" };
    if (problem === null) add({ ...base, observed: "revoked", status: "ok" });
    else add({ ...base, observed: "not revoked", status: "failed", action: problem });
  }
  print(`\n${formatSummary(results)}\n\n${NOT_OBSERVED}`);
  return results.every(({ status }) => status !== "failed");
}

async function runChecks(
  context: Context,
  add: (more: Result | Result[]) => void,
  readBrowsers: () => Promise<BrowserReport>,
): Promise<void> {
  const attempt = async (name: string, check: (context: Context) => Promise<Result | Result[]>) => {
    const found = [await check(context).catch((error: unknown) => toBrokenCheck(name, error))].flat();
    add(found);
    return found;
  };
  await attempt("response times", measureTimes);
  await attempt("identity of plain requests", checkPlainIdentity);
  await attempt("IP addresses", checkAddresses);
  await attempt("unusable addresses", checkErrors);
  await attempt("document requested twice", checkFreshness);
  await attempt("PDF", checkPdf);
  await attempt("webhooks", checkWebhooks);
  await attempt("browser version", checkRenderedIdentity);
  await attempt("render with many parts", checkParts);
  await attempt("large screenshot", checkScreenshot);
  const isolation = [
    ...(await attempt("storage of an earlier render", checkStorage)),
    ...(await attempt("browser's loopback, as page", checkNavigation)),
    ...(await attempt("browser's loopback, by scripts", checkScan)),
  ];
  const browsers = await readBrowsers();
  const capabilities = reportCapabilities({ browsers });
  add(capabilities);
  add(recommendSharing({ ...context, browsers }, [...isolation, ...capabilities]));
  add(toLimitResult(context.service));
}

async function checkReadiness(service: Service): Promise<Result> {
  const { status, json, text } = await service.call("GET", "/health/ready");
  const base = { name: "readiness", expected: "ready, browser ok" };
  const data = json?.data as { status?: string; browser?: string } | undefined;
  if (data?.status !== "ready") {
    const action = "Each detail names a part that doesn't work. See 'Check the health' in docs/operating.md.";
    const observed = `status ${status}: ${text.slice(0, 300)}`;
    return { ...base, observed, status: "failed", action };
  }
  const observed = `ready, browser ${data.browser}`;
  const action = "See 'The browser doesn't start' in docs/operating.md.";
  return { ...base, observed, status: data.browser === "ok" ? "ok" : "failed", action };
}

/** Returns the result of a check that couldn't be completed. */
function toBrokenCheck(name: string, error: unknown): Result {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const observed = cause instanceof Error ? `${message}: ${cause.message}` : message;
  const action = "The service didn't respond as its API documents. Search the log (npx wrangler tail) for the error.";
  return { name, expected: "a response", observed, status: "failed", action };
}

function toLimitResult({ outcomes }: Service): Result {
  const base = { name: "limits of the plan", expected: "not reached" };
  const action = outcomes.map(findPlanLimit).find((found) => found !== null);
  if (action === undefined) return { ...base, observed: `not reached in ${outcomes.length} scrapes`, status: "ok" };
  return { ...base, observed: "reached", status: "failed", action };
}
