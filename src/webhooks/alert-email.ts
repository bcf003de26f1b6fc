import { callAccount, callAccountOrGone } from "../account/client";
import type { WebhookAlert } from "../account/deliveries/webhook-alerts";
import { log, toLogged } from "../lib/log";
import { ACCOUNT_ENDPOINT, REQUEST_ENDPOINT, type WebhookAlertMessage } from "../model/delivery";
import { sendEmail, toEmailOrigin } from "../net/email";
import { listOwnerEmails } from "../store/memberships";

const RETRY_DELAY_S = 5;

/** Sends the emails about abandoned deliveries. */
export async function consumeAlerts(messages: readonly Message<WebhookAlertMessage>[], env: Env): Promise<void> {
  for (const message of messages) {
    try {
      await sendAlert(env, message.body);
      message.ack();
    } catch (error) {
      log("warn", "webhook_alert_failed", { account_id: message.body.account.id, ...toLogged(error) });
      message.retry({ delaySeconds: RETRY_DELAY_S });
    }
  }
}

/**
 * Sends the email about an endpoint's abandoned deliveries to the account's owners. If email isn't configured, or no
 * owner has a verified email address, the alert ends without an email. If the email service refuses the emails to all
 * owners, the account's alarm sends the message again later.
 */
async function sendAlert(env: Env, { account, mode, endpoint }: WebhookAlertMessage): Promise<void> {
  const key = { mode, id: endpoint };
  const alert = await callAccountOrGone(env, account, (object) => object.readAlert(key));
  if (alert === null || "kind" in alert) return;
  const origin = toEmailOrigin(env);
  const owners = origin === null ? [] : await listOwnerEmails(env.DB, account.id);
  if (origin !== null) {
    const email = toEmail(alert, { mode, endpoint, origin });
    const isAccepted: boolean[] = [];
    for (const to of owners) isAccepted.push(await sendEmail(env, { to, ...email }));
    // If one address is always refused, the other owners must not get the email again.
    if (owners.length > 0 && !isAccepted.includes(true)) return;
  }
  await callAccount(env, account, (object) => object.endAlert(key, alert.abandoned));
}

/** Returns the subject and the text of an email about abandoned deliveries. */
function toEmail(
  { abandoned, latest }: WebhookAlert,
  { mode, endpoint, origin }: { mode: string; endpoint: string; origin: string },
): { subject: string; text: string } {
  const events = abandoned === 1 ? "1 webhook event" : `${abandoned} webhook events`;
  const url = latest === null ? "" : ` to ${latest.url}`;
  const error = latest?.attempts.at(-1)?.error ?? null;
  const paragraphs = [
    `${events}${url} could not be delivered. The service has stopped sending ${abandoned === 1 ? "it" : "them"}.`,
    ...(error === null ? [] : [`The last error: ${error}`]),
    toAdvice(endpoint),
    `Then open this page, select ${mode} data, and click "Redeliver failed events":\n\n${origin}/dashboard/webhooks`,
    ...(latest === null
      ? []
      : [`The latest event, with the receiver's responses:\n\n${origin}/dashboard/webhooks/deliveries/${latest.id}`]),
    "The results of the jobs are still available through the API. You get at most one such email per hour for each webhook endpoint.",
  ];
  return { subject: `${events} could not be delivered`, text: `${paragraphs.join("\n\n")}\n` };
}

function toAdvice(endpoint: string): string {
  if (endpoint === REQUEST_ENDPOINT) {
    return "To repair it, make sure that the webhook_url of your requests responds with a 2xx status within 30 seconds.";
  }
  const place = endpoint === ACCOUNT_ENDPOINT ? "your webhook URL" : "the URL of this endpoint";
  return `To repair it, make sure that your receiver responds with a 2xx status within 30 seconds. If its address has changed, change ${place}. Redeliveries are sent to the new URL.`;
}
