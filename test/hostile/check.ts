import { expect, inject } from "vitest";
import type { ErrorCode } from "../../src/model/errors";
import { createClient, read, site } from "../support/client";
import { WORDS } from "../support/hostile/article";

const CREDITS = 100_000;

/**
 * The error code of a failed case, or the text of a successful case. `text` is an excerpt of the page's text, or the
 * empty string if the page has no text.
 */
export type Outcome = ErrorCode | { text: string };
export type Case = [name: string, behavior: string, outcome: Outcome, request?: Record<string, unknown>];

export const PAGE: Outcome = { text: WORDS };
export const EMPTY: Outcome = { text: "" };

/** Returns a URL of the hostile website that no other test uses. */
export function hostileUrl(behavior: string): string {
  return `${inject("hostile")}/${crypto.randomUUID()}/${behavior}`;
}

/** The result of a case and its cost in credits. */
interface CaseResult {
  error: { code: string; message: string } | null;
  text: string | null;
  charged: number;
  reserved: number;
}

/** Scrapes the page of a case through the public API and adds a row to the outcome table. */
export async function scrapeCase(part: string, [name, behavior, , request = {}]: Case): Promise<CaseResult> {
  const client = await createClient();
  const startedAt = Date.now();
  const response = await client.scrape({ url: hostileUrl(behavior), formats: ["text"], ...request });
  const { data, error } = await read(response);
  await addRow({ part, name, outcome: error?.code ?? "success", ms: String(Date.now() - startedAt) });
  const usage = await client.call("GET", "/v1/usage");
  const { balance, reserved } = (await usage.json<{ data: { balance: number; reserved: number } }>()).data;
  return { error: error ?? null, text: data?.text ?? null, charged: CREDITS - balance, reserved };
}

/** Returns the expected result. A failure must have an error code. It costs nothing, and neither does an empty page. */
export function toExpected([, , outcome, request = {}]: Case): CaseResult {
  if (typeof outcome === "string") {
    const error = expect.objectContaining({ code: outcome, message: expect.stringMatching(/\.$/) });
    return { error, text: null, charged: 0, reserved: 0 };
  }
  const text = outcome.text === "" ? "" : expect.stringContaining(outcome.text);
  const price = request.js_render === true ? 2 : 1;
  return { error: null, text, charged: outcome.text === "" ? 0 : price, reserved: 0 };
}

/** Adds the name of each case, for the titles of tests. */
export function withNames(cases: Case[]): [name: string, row: Case][] {
  return cases.map((row) => [row[0], row]);
}

async function addRow(row: Record<string, string>): Promise<void> {
  await fetch(`${site}/__add-row?${new URLSearchParams(row)}`);
}
