import type { AdminClient } from "./client.ts";

interface Page {
  accounts: number;
  resealed: number;
  unreadable: string[];
  unreachable: string[];
  two_factor: { resealed: number; unreadable: number } | null;
  next: string | null;
}

/**
 * Encrypts all stored secrets with the current ENCRYPTION_KEY and SIGNING_SECRET. Returns the lines to print, and whether
 * the previous keys can be deleted.
 */
export async function resealAll(admin: AdminClient): Promise<{ lines: string[]; isComplete: boolean }> {
  const pages: Page[] = [];
  for (let after: string | null = null; pages.length === 0 || after !== null; ) {
    const page: Page = await admin.call<Page>("POST", "/reseal", { after });
    pages.push(page);
    after = page.next;
  }
  const total = (count: (page: Page) => number) => pages.reduce((sum, page) => sum + count(page), 0);
  const unreachable = pages.flatMap((page) => page.unreachable);
  const unreadable = pages.flatMap((page) => page.unreadable);
  const users = total((page) => page.two_factor?.unreadable ?? 0);
  const isComplete = unreachable.length === 0;
  return {
    isComplete,
    lines: [
      `Accounts: ${total((page) => page.accounts)}. Secrets encrypted again: ${total((page) => page.resealed)}. Users with two-factor sign-in encrypted again: ${total((page) => page.two_factor?.resealed ?? 0)}.`,
      ...unreadable.map((id) => `Account ${id} has secrets that neither key can decrypt. Rotate its webhook secrets.`),
      ...(users === 0 ? [] : [`${users} users have a two-factor secret that neither key can decrypt.`]),
      ...unreachable.map((id) => `Account ${id} couldn't be reached.`),
      isComplete
        ? "You can now delete ENCRYPTION_KEY_PREVIOUS. Without SIGNING_SECRET_PREVIOUS, links to screenshots and PDFs that were signed before the rotation break. They expire after RETENTION_DAYS."
        : "Run the command again. Keep the previous keys until the command no longer reports such accounts.",
    ],
  };
}
