import type { Mode } from "../model/api-key";
import type { Transaction } from "./transaction";

/** Returns the account's webhook URL for a mode, or null. */
export function getWebhookUrl(tx: Transaction, mode: Mode): string | null {
  return tx.first<{ url: string | null }>("SELECT url FROM webhooks WHERE mode = ?1", mode)?.url ?? null;
}
