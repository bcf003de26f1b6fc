import { log, toLogged } from "../lib/log";
import type { UsageAlert, UsageAlertMessage } from "../model/period";
import { sendEmail, toEmailOrigin } from "../net/email";
import { type Account, getAccount } from "../store/accounts";
import { getListedKey } from "../store/keys";
import { listOwnerEmails } from "../store/memberships";

const RETRY_DELAY_S = 60;

/** Sends the emails of usage alerts to the owners of the accounts. A failed email is retried. */
export async function consumeUsageAlerts(messages: readonly Message<UsageAlertMessage>[], env: Env): Promise<void> {
  await Promise.all(messages.map((message) => emailAlert(message, env)));
}

async function emailAlert(message: Message<UsageAlertMessage>, env: Env): Promise<void> {
  const { accountId, keyId } = message.body;
  try {
    const origin = toEmailOrigin(env);
    const account = origin === null ? null : await getAccount(env.DB, accountId);
    // Email isn't configured, or the account was erased.
    if (origin === null || account === null) return;
    const key = keyId === null ? null : await getListedKey(env.DB, { id: keyId, accountId });
    const email = toEmail(message.body, { account, keyName: key?.name ?? keyId, origin });
    const owners = await listOwnerEmails(env.DB, accountId);
    const sent = await Promise.all(owners.map((to) => sendEmail(env, { to, ...email })));
    if (sent.includes(false)) message.retry({ delaySeconds: RETRY_DELAY_S });
  } catch (error) {
    log("warn", "usage_alert_failed", { account_id: accountId, ...toLogged(error) });
    message.retry({ delaySeconds: RETRY_DELAY_S });
  }
}

function toEmail(
  { threshold, used, limit, period }: UsageAlert,
  { account, keyName, origin }: { account: Pick<Account, "name">; keyName: string | null; origin: string },
): { subject: string; text: string } {
  const [who, what, requests, page] =
    keyName === null
      ? [`The account "${account.name}"`, "its credits", "with live keys", "usage"]
      : [`The API key "${keyName}"`, "its credit limit", "with this key", "keys"];
  const end = new Date(period.end).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  const effect =
    threshold === 100
      ? `Requests ${requests} are refused if they cost more than the remaining credits.`
      : "You get another email at 100%.";
  const amounts = `${used.toLocaleString("en")} of ${limit.toLocaleString("en")} credits`;
  return {
    subject: `${who} has used ${threshold}% of ${what}`,
    text: `${who} has used ${amounts} in this period. ${effect}\n\nThe period ends on ${end} UTC. Then the count starts at 0 again.\n\nOpen the dashboard:\n\n${origin}/dashboard/${page}\n`,
  };
}
