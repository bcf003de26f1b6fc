import { expect, inject } from "vitest";
import type { ErrorCode } from "../../src/errors";
import { createClient, read, site } from "../support/client";
import { WORDS } from "../support/hostile/words";

const CREDITS = 100_000;

/** Its code when it fails; when it succeeds, what the page's text contains (or is, when it is empty). */
export type Outcome = ErrorCode | { text: string };
export type Case = [name: string, behaviour: string, outcome: Outcome, request?: Record<string, unknown>];

export const PAGE: Outcome = { text: WORDS };
export const EMPTY: Outcome = { text: "" };

/** An address of the hostile site that no other test uses. */
export function hostile(behaviour: string): string {
  return `${inject("hostile")}/${crypto.randomUUID()}/${behaviour}`;
}

/** Scrapes the case through the public API, checks what came of it and what it cost, and writes its row into the table. */
export async function check(part: string, [name, behaviour, outcome, request = {}]: Case): Promise<void> {
  const client = await createClient();
  const began = Date.now();
  const response = await client.scrape({ url: hostile(behaviour), formats: ["text"], ...request });
  const { data, error } = await read(response);
  const ms = Date.now() - began;
  if (typeof outcome === "string")
    expect(error).toMatchObject({ code: outcome, message: expect.stringMatching(/\.$/) });
  else {
    expect(error).toBeUndefined();
    if (outcome.text === "") expect(data.text).toBe("");
    else expect(data.text).toContain(outcome.text);
  }
  const rendered = request.js_render === true;
  const usage = await client.call("GET", "/v1/usage");
  const { balance, reserved } = (await usage.json<{ data: { balance: number; reserved: number } }>()).data;
  expect([balance, reserved]).toEqual([CREDITS - (typeof outcome === "string" ? 0 : rendered ? 2 : 1), 0]);
  await addRow({ part, name, outcome: error?.code ?? "success", ms: String(ms) });
}

async function addRow(row: Record<string, string>): Promise<void> {
  await fetch(`${site}/__row?${new URLSearchParams(row)}`);
}
