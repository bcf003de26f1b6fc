import { toText } from "../lib/env.ts";

/** The variables with which the operator names a contact, the terms of use and the page for upgrades. */
export interface OperatorVariables {
  readonly SUPPORT_URL?: string;
  readonly UPGRADE_URL?: string;
  readonly TERMS_URL?: string;
}

const IN_TEXT = /\b(?:the operator of (?:this|the) service|Contact the operator)(?!:)\b/i;

/** Returns the operator's support page or email address in the form in which texts show it, or null. */
export function toContact({ SUPPORT_URL }: Pick<OperatorVariables, "SUPPORT_URL">): string | null {
  return toText(SUPPORT_URL)?.replace(/^mailto:/, "") ?? null;
}

/** Adds the operator's contact, if one is set, to a text that mentions the operator. */
export function nameOperator(text: string, variables: Pick<OperatorVariables, "SUPPORT_URL">): string {
  const contact = toContact(variables);
  return contact === null ? text : text.replace(IN_TEXT, (match) => `${match} (${contact})`);
}

/** Returns a message for each variable with an invalid value. */
export function describeInvalidContacts(variables: OperatorVariables): string[] {
  const isWebUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "");
  const isAddress = (text: string) => /^mailto:[^\s@?]+@[^\s@?]+$/.test(text);
  return (["SUPPORT_URL", "UPGRADE_URL", "TERMS_URL"] as const).flatMap((name) => {
    const text = toText(variables[name]);
    const canBeAddress = name !== "TERMS_URL";
    if (text === null || isWebUrl(text) || (canBeAddress && isAddress(text))) return [];
    const address = canBeAddress ? " an address such as mailto:support@example.com," : "";
    return [`${name} is "${text}". It must be an http or https URL,${address} or empty.`];
  });
}
