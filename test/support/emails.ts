import { expect } from "vitest";
import { site } from "./client";
import type { SentEmail } from "./email-service";

/** The emails that this address got, once there are so many. */
export async function readEmails(to: string, count: number): Promise<SentEmail[]> {
  const ask = async () => {
    const response = await fetch(`${site}/__emails?path=${encodeURIComponent(to)}`);
    return await response.json<SentEmail[]>();
  };
  await expect.poll(async () => (await ask()).length, { timeout: 10_000 }).toBe(count);
  return await ask();
}

/** The path of the link in a sent. */
export function toLink(sent: SentEmail | undefined): string {
  const link = URL.parse(/https:\S+/.exec(sent?.text ?? "")?.[0] ?? "");
  if (link === null) throw new Error("There is no link in this email.");
  return `${link.pathname}${link.search}`;
}
