// Checks that requests to unusable addresses fail with the documented codes.
import { toFailure } from "./content.ts";
import type { Context } from "./context.ts";
import { formatMs, type Result } from "./result.ts";
import { describeOutcome, findPlanLimit, type Outcome } from "./service.ts";
import type { Targets } from "./targets.ts";

interface ErrorCase {
  name: string;
  target: Exclude<keyof Targets, "loopback">;
  code: string;
  /** The code of plain requests outside Cloudflare, if the local runtime doesn't report the reason. */
  localCode?: string;
  /** Codes that say nothing about the service, because the public test address may have changed. */
  unclearCodes: readonly string[];
  /** Says what the difference means if a code other than the expected one was returned. */
  action: string;
  /** Says what it means if the request succeeded. */
  success: string;
}

const FORMS =
  "Cloudflare's answer has another form than documented. Report the observed message, because src/net/platform-answer.ts must recognize it.";
export const CASES: readonly ErrorCase[] = [
  {
    name: "unknown host name",
    target: "missing_name",
    code: "dns_failure",
    unclearCodes: [],
    action: FORMS,
    success: "The host name exists. Set another one as 'missing_name' with --targets.",
  },
  {
    name: "refused port",
    target: "refused_port",
    code: "connection_failed",
    unclearCodes: ["target_timeout", "dns_failure"],
    action: FORMS,
    success: "The port is open. Set another address as 'refused_port' with --targets.",
  },
  {
    name: "expired certificate",
    target: "expired_certificate",
    code: "tls_failure",
    localCode: "connection_failed",
    unclearCodes: ["target_timeout", "dns_failure", "connection_failed"],
    action: FORMS,
    success:
      "The page was loaded, although its certificate is expired. Don't use the service for confidential pages, and report this.",
  },
];

/** Checks each unusable address with a plain request and with a render. */
export async function checkErrors({ service, targets, onCloudflare }: Context): Promise<Result[]> {
  const results: Result[] = [];
  for (const rendered of [false, true]) {
    for (const test of CASES) {
      const outcome = await service.scrape({
        url: targets[test.target],
        render: rendered ? "always" : "never",
      });
      results.push(toResult(test, outcome, { rendered, onCloudflare }));
    }
  }
  return results;
}

/** Compares the outcome with the expected code. */
export function toResult(
  test: ErrorCase,
  outcome: Outcome,
  { rendered, onCloudflare }: { rendered: boolean; onCloudflare: boolean },
): Result {
  const name = rendered ? `${test.name}, rendered` : test.name;
  const codes = [test.code, ...(rendered || onCloudflare || test.localCode === undefined ? [] : [test.localCode])];
  const base = { name, expected: codes.join(" or ") };
  const observed = describeOutcome(outcome, { withMessage: false });
  if (outcome.kind === "skipped") return toFailure(base, outcome);
  if (codes.includes(observed)) return { ...base, observed: `${observed}, ${formatMs(outcome.ms)}`, status: "ok" };
  if (outcome.kind === "failed" && test.unclearCodes.includes(outcome.code)) {
    const action = `The test address may have changed. Set another one as '${test.target}' with --targets.`;
    return { ...base, observed: describeOutcome(outcome), status: "unclear", action };
  }
  const action = findPlanLimit(outcome) ?? (outcome.kind === "completed" ? test.success : test.action);
  const isRisk = outcome.kind !== "completed" || test.code === "tls_failure";
  return { ...base, observed: describeOutcome(outcome), status: isRisk ? "failed" : "unclear", action };
}

/** Checks that private IP addresses are refused everywhere, and public IP addresses on Cloudflare. */
export async function checkAddresses({ service, targets, onCloudflare, browsers }: Context): Promise<Result[]> {
  const expected = "invalid_target";
  const [privately, publicly] = await Promise.all(
    [targets.private_address, targets.public_address].map((url) => service.scrape({ url })),
  );
  if (privately === undefined || publicly === undefined) return [];
  const isRefused = describeOutcome(privately, { withMessage: false }) === expected;
  const results: Result[] = [
    {
      name: "private IP address",
      expected,
      observed: describeOutcome(privately, { withMessage: !isRefused }),
      status: isRefused ? "ok" : "failed",
      action: "The service must refuse private addresses. Check ALLOWED_PRIVATE_HOSTS, and report this.",
    },
  ];
  const code = describeOutcome(publicly, { withMessage: false });
  const isFetched = onCloudflare && browsers.fetch_via !== "socket";
  if (isFetched) {
    results.push({
      name: "public IP address",
      expected,
      observed: describeOutcome(publicly, { withMessage: code !== expected }),
      status: code === expected ? "ok" : "differs",
      action:
        "Cloudflare's fetch usually refuses IP addresses with error 1003. Requests to host names aren't affected. Report the observed message.",
    });
  } else {
    const observed = `${code}, ${formatMs(publicly.ms)}`;
    results.push({ name: "public IP address", expected: "allowed outside Cloudflare", observed, status: "info" });
  }
  return results;
}
