import { expect } from "vitest";
import { site } from "./client";
import type { SentEmail } from "./email-service";

/** Waits until an address has received `count` emails, and returns them. */
export async function readEmails(to: string, count: number): Promise<SentEmail[]> {
  const fetchEmails = async () => {
    const response = await fetch(`${site}/__emails?path=${encodeURIComponent(to)}`);
    return await response.json<SentEmail[]>();
  };
  await expect.poll(async () => (await fetchEmails()).length).toBe(count);
  return await fetchEmails();
}

/** Returns the path and the query of the first link in an email. */
export function toLink(sent: SentEmail | undefined): string {
  const link = URL.parse(/https:\S+/.exec(sent?.text ?? "")?.[0] ?? "");
  if (link === null) throw new Error("The email has no link.");
  return `${link.pathname}${link.search}`;
}
