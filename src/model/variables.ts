import { describeInvalidChoice, toHttpOrigin, toText, toWholeNumber } from "../lib/env.ts";
import { JURISDICTIONS, LOCATIONS } from "./account.ts";
import { describeInvalidOperator, type OperatorVariables } from "./operator.ts";
import { describeInvalidPlanLimits, parsePlanPrices } from "./plan.ts";
import { describeInvalidPrices, type PriceVariables } from "./prices.ts";

/**
 * Parses the variable MODEL_OCR, such as `anthropic` or `workers_ai/@cf/meta/llama-4`. Returns null if it is invalid.
 * `none` has no provider.
 */
export function parseOcrModel(text: string): { provider: string | null; id: string | null } | null {
  const match = /^(none|(openai|anthropic|workers_ai)(?:\/(\S+))?)$/.exec(text);
  return match && { provider: match[2] ?? null, id: match[3] ?? null };
}

function describeInvalidOcrModel(text: string | undefined): string[] {
  const value = toText(text);
  if (value === null || parseOcrModel(value) !== null) return [];
  return [
    `MODEL_OCR is "${value}". It must be empty, none, or a provider (openai, anthropic, workers_ai), such as openai/gpt-5.4.`,
  ];
}

/** The doors: the interfaces of similar services that this service also offers. */
export const DOOR_NAMES = ["firecrawl", "serpapi", "jina", "tavily"] as const;
export type DoorName = (typeof DOOR_NAMES)[number];

/** Returns true if the variable DOORS names the door. Without the variable, every door is open. `none` closes all. */
export function isDoorOpen({ DOORS }: { DOORS?: string }, name: DoorName): boolean {
  const names = toDoorNames(DOORS);
  return names.length === 0 || names.includes(name);
}

function toDoorNames(text: string | undefined): string[] {
  return toText(text)?.split(/[\s,]+/) ?? [];
}

function describeInvalidDoors(text: string | undefined): string[] {
  const known: readonly string[] = [...DOOR_NAMES, "none"];
  const rule = `It must be empty, none, or a list of ${DOOR_NAMES.join(", ")}.`;
  return toDoorNames(text).every((name) => known.includes(name)) ? [] : [`DOORS is "${text}". ${rule}`];
}

/** The variables that must be empty or have one of these values. */
const CHOICES = {
  /** The ways to send plain requests to targets: with Cloudflare's `fetch`, or over a TCP socket. */
  FETCH_VIA: ["fetch", "socket"],
  SERP_PROVIDER: ["serper", "serpapi"],
  SIGNUP: ["open", "closed"],
  ACCOUNT_LOCATION: LOCATIONS,
  ACCOUNT_JURISDICTION: JURISDICTIONS,
  JURISDICTION: JURISDICTIONS,
} as const;

type ChoiceName = keyof typeof CHOICES;
export type FetchVia = (typeof CHOICES)["FETCH_VIA"][number];

/** Returns the variable, or null if it is empty or not set. Throws an Error for an unknown value. */
export function readChoice<Name extends ChoiceName>(
  vars: { readonly [Key in Name]?: string },
  name: Name,
): (typeof CHOICES)[Name][number] | null {
  const choices: readonly (typeof CHOICES)[Name][number][] = CHOICES[name];
  const problem = describeInvalidChoice(name, choices, vars[name]);
  if (problem !== null) throw new Error(problem);
  return choices.find((choice) => choice === toText(vars[name])) ?? null;
}

/** The variables that must be empty or a number above 0. */
const NUMBERS = ["ALERT_FAILURE_PERCENT", "ALERT_QUEUE_SECONDS", "ALERT_ABANDONED_DELIVERIES"] as const;

/** The variables that must be empty or a whole number of at least 0. */
const WHOLE_NUMBERS = ["CREDITS_FREE", "CREDITS_PRO", "CREDITS_BUSINESS"] as const;

type CheckedName =
  | ChoiceName
  | (typeof NUMBERS)[number]
  | (typeof WHOLE_NUMBERS)[number]
  | "PUBLIC_URL"
  | "ALERT_EMAIL"
  | "ALERT_WEBHOOK";

/** Returns a message for each variable with an invalid value. */
export function describeInvalidVariables(
  vars: {
    readonly [Name in CheckedName | "PLAN_LIMITS" | "PLAN_PRICES" | "DOORS" | "MODEL_OCR"]?: string;
  } & OperatorVariables &
    PriceVariables,
): string[] {
  const choices = Object.entries(CHOICES) as [ChoiceName, readonly string[]][];
  const problems = [
    ...choices.flatMap(([name, values]) => describeInvalidChoice(name, values, vars[name]) ?? []),
    ...describeInvalidPlanLimits(vars.PLAN_LIMITS),
    ...parsePlanPrices(vars.PLAN_PRICES).problems,
    ...describeInvalidPrices(vars),
    ...describeInvalidOperator(vars),
    ...describeInvalidDoors(vars.DOORS),
    ...describeInvalidOcrModel(vars.MODEL_OCR),
  ];
  for (const name of NUMBERS) {
    if (toText(vars[name]) !== null && !(Number(vars[name]) > 0))
      problems.push(`${name} is "${vars[name]}". It must be a number greater than 0, or empty.`);
  }
  for (const name of WHOLE_NUMBERS) {
    if (toText(vars[name]) !== null && toWholeNumber(vars[name], -1) < 0)
      problems.push(`${name} is "${vars[name]}". It must be a whole number of credits of at least 0, or empty.`);
  }
  const email = toText(vars.ALERT_EMAIL);
  if (email !== null && !/^[^\s@,]+@[^\s@,]+$/.test(email))
    problems.push(`ALERT_EMAIL is "${email}". It must be one email address, or empty.`);
  // The message doesn't contain the URL, because such a URL is often a secret and everyone can read /health/ready.
  if (toText(vars.ALERT_WEBHOOK) !== null && toHttpOrigin(vars.ALERT_WEBHOOK) === null)
    problems.push("ALERT_WEBHOOK is invalid. It must be an http or https URL, or empty.");
  if (toText(vars.PUBLIC_URL) === null || toHttpOrigin(vars.PUBLIC_URL) !== null) return problems;
  return [...problems, `PUBLIC_URL is "${vars.PUBLIC_URL}". It must be an http or https URL, or empty.`];
}
