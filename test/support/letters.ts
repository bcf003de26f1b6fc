import { expect } from "vitest";
import { site } from "./client";
import type { Letter } from "./mail";

/** The letters that this address got, once there are so many. */
export async function readLetters(to: string, count: number): Promise<Letter[]> {
  const ask = async () => {
    const response = await fetch(`${site}/__letters?path=${encodeURIComponent(to)}`);
    return await response.json<Letter[]>();
  };
  await expect.poll(async () => (await ask()).length, { timeout: 10_000 }).toBe(count);
  return await ask();
}

/** The path of the link in a letter. */
export function toLink(letter: Letter | undefined): string {
  const link = URL.parse(/https:\S+/.exec(letter?.text ?? "")?.[0] ?? "");
  if (link === null) throw new Error("There is no link in this letter.");
  return `${link.pathname}${link.search}`;
}
