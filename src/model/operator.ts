import { toText } from "../lib/env.ts";

/** The variables with which the operator names a contact and the terms of use. */
export interface OperatorVariables {
  readonly SUPPORT_URL?: string;
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
export function describeInvalidContacts({ SUPPORT_URL, TERMS_URL }: OperatorVariables): string[] {
  const [support, terms] = [toText(SUPPORT_URL), toText(TERMS_URL)];
  const isWebUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "");
  const isAddress = (text: string) => /^mailto:[^\s@?]+@[^\s@?]+$/.test(text);
  return [
    ...(support === null || isWebUrl(support) || isAddress(support)
      ? []
      : [
          `SUPPORT_URL is "${support}". It must be an http or https URL, an address such as mailto:support@example.com, or empty.`,
        ]),
    ...(terms === null || isWebUrl(terms)
      ? []
      : [`TERMS_URL is "${terms}". It must be an http or https URL, or empty.`]),
  ];
}
