import { afterEach } from "vitest";
import type { AccountRef } from "../../src/model/account";
import { openObject, sqlIn } from "./account";
import { dropMessages } from "./webhooks";

const accounts: AccountRef[] = [];

afterEach(async () => {
  // Delete the deliveries, because the alarm would send the remaining ones after a restart of the Durable Object.
  for (const account of accounts.splice(0)) await sqlIn(account, "DELETE FROM deliveries");
});

/** Opens an account that sends no queue messages, so that only the test makes delivery attempts. */
export async function openSilentObject(): Promise<AccountRef> {
  const account = await openObject();
  await dropMessages(account);
  accounts.push(account);
  return account;
}
