import { describeInvalidChoice, toChoice, toHttpOrigin, toText } from "../lib/env.ts";
import { JURISDICTIONS, LOCATIONS } from "./account.ts";
import { FETCH_VIA } from "./fetch-via.ts";
import { RENDER_METHODS } from "./render-method.ts";

/** The variables that must be empty or have one of these values. */
const CHOICES = {
  FETCH_VIA,
  RENDER_METHOD: RENDER_METHODS,
  SERP_PROVIDER: ["serper", "serpapi"],
  SIGNUP: ["open", "closed"],
  ACCOUNT_LOCATION: LOCATIONS,
  ACCOUNT_JURISDICTION: JURISDICTIONS,
  JURISDICTION: JURISDICTIONS,
} as const;

type ChoiceName = keyof typeof CHOICES;

/** Returns the variable, or null if it is empty or not set. Throws an Error for an unknown value. */
export function readChoice<Name extends ChoiceName>(
  vars: { readonly [Key in Name]?: string },
  name: Name,
): (typeof CHOICES)[Name][number] | null {
  return toChoice<(typeof CHOICES)[Name][number]>(name, CHOICES[name], vars[name]);
}

/** Returns a message for each variable with an invalid value. */
export function describeInvalidVariables(vars: { readonly [Name in ChoiceName | "PUBLIC_URL"]?: string }): string[] {
  const choices = Object.entries(CHOICES) as [ChoiceName, readonly string[]][];
  const problems = choices.flatMap(([name, values]) => describeInvalidChoice(name, values, vars[name]) ?? []);
  if (toText(vars.PUBLIC_URL) === null || toHttpOrigin(vars.PUBLIC_URL) !== null) return problems;
  return [...problems, `PUBLIC_URL is "${vars.PUBLIC_URL}". It must be an http or https URL, or empty.`];
}
