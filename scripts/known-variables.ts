import { didYouMean } from "./options.ts";

/** The secrets of the service. src/secrets.d.ts describes them. */
export const SECRETS: readonly string[] = [
  "SIGNING_SECRET",
  "SIGNING_SECRET_PREVIOUS",
  "ENCRYPTION_KEY",
  "ENCRYPTION_KEY_PREVIOUS",
  "ADMIN_TOKEN",
  "DATA_JURISDICTION",
  "MAIL_KEY",
  "TURNSTILE_SECRET_KEY",
  "ALERT_WEBHOOK_SECRET",
  "ANALYTICS_TOKEN",
  "GITHUB_CLIENT_SECRET",
  "BOT_PRIVATE_KEY",
  "PROXIES",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "WORKERS_AI_API_KEY",
  "YANDEX_API_KEY",
  "YANDEX_FOLDER_ID",
  "SERP_PROVIDER_KEY",
];

/** Returns a message for the first name that the service doesn't know, or null. */
export function describeUnknownVariable(given: Iterable<string>, known: readonly string[]): string | null {
  const unknown = [...given].find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  return `the service has no variable ${unknown}.${didYouMean(unknown, known)} docs/configuration.md lists all variables.`;
}
