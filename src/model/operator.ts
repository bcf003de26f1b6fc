import { toText } from "../lib/env.ts";

/** The variables that name the service, its operator's contact, the terms of use and the page for upgrades. */
export interface OperatorVariables {
  readonly OPERATOR_NAME?: string;
  readonly OPERATOR_LOGO_URL?: string;
  readonly OPERATOR_COLOR?: string;
  readonly SUPPORT_URL?: string;
  readonly UPGRADE_URL?: string;
  readonly TERMS_URL?: string;
}

/** The name of the service if the operator hasn't set one. */
export const DEFAULT_NAME = "Web data extraction";

/** A longer name wouldn't fit into the header of a phone. */
const MAX_NAME_CHARS = 40;

export interface Brand {
  name: string;
  /** An https URL or a path of this service. Null if the service's own logo is shown. */
  logoUrl: string | null;
  /** `#rrggbb` in lowercase. Null if the default colors are used. */
  color: string | null;
}

/** Returns the name, the logo and the color of the service. An invalid variable has no effect. */
export function toBrand({ OPERATOR_NAME, OPERATOR_LOGO_URL, OPERATOR_COLOR }: OperatorVariables): Brand {
  const [name, logo, color] = [toText(OPERATOR_NAME), toText(OPERATOR_LOGO_URL), toText(OPERATOR_COLOR)];
  return {
    name: name !== null && name.length <= MAX_NAME_CHARS ? name : DEFAULT_NAME,
    logoUrl: logo !== null && isLogoUrl(logo) ? logo : null,
    color: color !== null && isColor(color) ? color.toLowerCase() : null,
  };
}

/** Returns the source of another site's logo for the directive `img-src`. Empty if the logo is a file of this service. */
export function toLogoSource(variables: OperatorVariables): string {
  const { logoUrl } = toBrand(variables);
  return logoUrl === null || logoUrl.startsWith("/") ? "" : new URL(logoUrl).origin;
}

function isLogoUrl(text: string): boolean {
  return /^\/(?![/\\])/.test(text) || URL.parse(text)?.protocol === "https:";
}

function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

const IN_TEXT = /\b(?:the operator of (?:this|the) service|Contact the operator)(?!:)\b/i;

const isWebUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "");
const isContact = (text: string) => isWebUrl(text) || /^mailto:[^\s@?]+@[^\s@?]+$/.test(text);

/** Returns the addresses of the operator's pages. An address is null if its variable is empty or invalid. */
export function toOperatorLinks({ SUPPORT_URL, UPGRADE_URL, TERMS_URL }: OperatorVariables) {
  const check = (value: string | undefined, isValid: (text: string) => boolean) => {
    const text = toText(value);
    return text !== null && isValid(text) ? text : null;
  };
  return {
    support: check(SUPPORT_URL, isContact),
    upgrade: check(UPGRADE_URL, isContact),
    terms: check(TERMS_URL, isWebUrl),
  };
}

/** Returns the operator's support page or email address in the form in which texts show it, or null. */
export function toContact(variables: Pick<OperatorVariables, "SUPPORT_URL">): string | null {
  return toOperatorLinks(variables).support?.replace(/^mailto:/, "") ?? null;
}

/** Adds the operator's contact, if one is set, to a text that mentions the operator. */
export function nameOperator(text: string, variables: Pick<OperatorVariables, "SUPPORT_URL">): string {
  const contact = toContact(variables);
  return contact === null ? text : text.replace(IN_TEXT, (match) => `${match} (${contact})`);
}

/** Returns a message for each variable with an invalid value. */
export function describeInvalidOperator(variables: OperatorVariables): string[] {
  const contact = "an http or https URL, an address such as mailto:support@example.com";
  const rules: [name: keyof OperatorVariables, isValid: (text: string) => boolean, rule: string][] = [
    ["OPERATOR_NAME", ({ length }) => length <= MAX_NAME_CHARS, `a name of at most ${MAX_NAME_CHARS} characters`],
    ["OPERATOR_LOGO_URL", isLogoUrl, "an https URL, a path of this service such as /logo.svg"],
    ["OPERATOR_COLOR", isColor, "a hex color such as #0b6b5f"],
    ["SUPPORT_URL", isContact, contact],
    ["UPGRADE_URL", isContact, contact],
    ["TERMS_URL", isWebUrl, "an http or https URL"],
  ];
  return rules.flatMap(([name, isValid, rule]) => {
    const text = toText(variables[name]);
    return text === null || isValid(text) ? [] : [`${name} is "${text}". It must be ${rule}, or empty.`];
  });
}

/** Returns true if anyone may sign up. An invalid value counts as closed, because it may be a misspelled `closed`. */
export function isSignUpOpen({ SIGNUP }: { readonly SIGNUP?: string }): boolean {
  return (toText(SIGNUP) ?? "open").toLowerCase() === "open";
}
