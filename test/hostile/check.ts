import { expect, inject } from "vitest";
import type { ErrorCode } from "../../src/model/errors";
import { createClient, read, site } from "../support/client";
import { WORDS } from "../support/hostile/article";

const CREDITS = 100_000;

/** Its code when it fails; when it succeeds, what the page's text contains (or is, when it is empty). */
export type Outcome = ErrorCode | { text: string };
export type Case = [name: string, behavior: string, outcome: Outcome, request?: Record<string, unknown>];

export const PAGE: Outcome = { text: WORDS };
export const EMPTY: Outcome = { text: "" };

/** An address of the hostile site that no other test uses. */
export function hostileUrl(behavior: string): string {
  return `${inject("hostile")}/${crypto.randomUUID()}/${behavior}`;
}

/** What came of a case, and what it cost. */
interface Came {
  error: { code: string; message: string } | null;
  text: string | null;
  charged: number;
  reserved: number;
}

/** Scrapes the case through the public API, and writes its row into the table. */
export async function scrapeCase(part: string, [name, behavior, , request = {}]: Case): Promise<Came> {
  const client = await createClient();
  const began = Date.now();
  const response = await client.scrape({ url: hostileUrl(behavior), formats: ["text"], ...request });
  const { data, error } = await read(response);
  await addRow({ part, name, outcome: error?.code ?? "success", ms: String(Date.now() - began) });
  const usage = await client.call("GET", "/v1/usage");
  const { balance, reserved } = (await usage.json<{ data: { balance: number; reserved: number } }>()).data;
  return { error: error ?? null, text: data?.text ?? null, charged: CREDITS - balance, reserved };
}

/** What has to come of it: a failure names its cause and is never charged. */
export function toExpected([, , outcome, request = {}]: Case): Came {
  if (typeof outcome === "string") {
    const error = expect.objectContaining({ code: outcome, message: expect.stringMatching(/\.$/) });
    return { error, text: null, charged: 0, reserved: 0 };
  }
  const text = outcome.text === "" ? "" : expect.stringContaining(outcome.text);
  return { error: null, text, charged: request.js_render === true ? 2 : 1, reserved: 0 };
}

async function addRow(row: Record<string, string>): Promise<void> {
  await fetch(`${site}/__add-row?${new URLSearchParams(row)}`);
}
