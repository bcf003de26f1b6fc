import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runJob } from "../../src/jobs/run-job";
import type { AccountRef } from "../../src/model/account";
import type { WebhookAlertMessage } from "../../src/model/delivery";
import { WEBHOOK_ALERT_INTERVAL_MS } from "../../src/model/limits";
import { consumeAlerts } from "../../src/webhooks/alert-email";
import { sendTest } from "../../src/webhooks/deliveries";
import { changeUrl } from "../../src/webhooks/settings";
import { objectOf, sqlIn } from "../support/account";
import { ORIGIN, page, refOf } from "../support/client";
import { readEmails } from "../support/emails";
import { createTestJob, messageOf } from "../support/jobs";
import { accountIdOf, signUp, WITH_EMAIL } from "../support/visitor";
import { endJob, expectAttempts, receiver } from "../support/webhooks";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const withMail: Env = { ...env, ...WITH_EMAIL };

/** Signs up a user with a verified address. Collects the account's alert messages instead of sending them. */
async function createOwner({ verified = true, address = `${crypto.randomUUID()}@example.com` } = {}) {
  const user = await signUp(address);
  const account = await refOf(await accountIdOf(user));
  if (verified) await env.DB.prepare("UPDATE users SET email_verified = 1 WHERE email = ?1").bind(user.email).run();
  const messages: WebhookAlertMessage[] = [];
  await runInDurableObject(objectOf(account), (instance) => {
    const sendBatch = async (batch: MessageSendRequest[]) => {
      const isAlert = ({ body }: MessageSendRequest) => (body as { kind: string }).kind === "webhook_alert";
      messages.push(...batch.filter(isAlert).map(({ body }) => body as WebhookAlertMessage));
      const others = batch.filter((message) => !isAlert(message));
      if (others.length > 0) await env.WEBHOOKS.sendBatch(others);
    };
    (instance as unknown as { env: Env }).env = { ...env, WEBHOOKS: { sendBatch } as unknown as Queue };
  });
  return { account, email: user.email, messages };
}

/** Sends an event to a receiver that responds with 410, which abandons the delivery. */
async function abandon(account: AccountRef, url = receiver("gone")): Promise<string> {
  const delivery = await endJob(url, { account });
  expect(await expectAttempts(delivery, 1)).toMatchObject({ status: "abandoned" });
  return delivery.id;
}

async function readAlert(account: AccountRef) {
  const rows = await sqlIn<{ abandoned: number; tries: number; sent_at: number | null; due_at: number | null }>(
    account,
    "SELECT abandoned, tries, sent_at, due_at FROM webhook_alerts",
  );
  return rows[0] ?? null;
}

/** Sets the clock to the time at which the next alert is due, and runs the account's alarm. */
async function fireAlert(account: AccountRef): Promise<void> {
  const due = (await readAlert(account))?.due_at ?? null;
  if (due === null) throw new Error("No alert is due.");
  vi.setSystemTime(Math.max(Date.now(), due));
  await runDurableObjectAlarm(objectOf(account));
}

async function consume(message: WebhookAlertMessage | undefined, bindings: Env = withMail): Promise<string[]> {
  const ends: string[] = [];
  const one = { body: message, ack: () => ends.push("ack"), retry: () => ends.push("retry") };
  await consumeAlerts([one as unknown as Message<WebhookAlertMessage>], bindings);
  return ends;
}

describe("the email about abandoned deliveries", () => {
  it("is sent immediately, and then once an hour with the number of deliveries", async () => {
    const { account, email, messages } = await createOwner();
    const url = receiver("gone");
    const id = await abandon(account, url);
    await expect.poll(() => messages.length).toBe(1);
    expect(await consume(messages[0])).toEqual(["ack"]);
    const [first] = await readEmails(email, 1);
    expect(first?.subject).toBe("1 webhook event could not be delivered");
    for (const part of [url, "status 410", `${ORIGIN}/dashboard/webhooks/deliveries/${id}`, "live data"])
      expect(first?.text).toContain(part);

    for (let i = 0; i < 2; i++) await abandon(account);
    const { due_at, sent_at } = (await readAlert(account)) ?? {};
    expect(due_at).toBe((sent_at ?? 0) + WEBHOOK_ALERT_INTERVAL_MS);
    await runDurableObjectAlarm(objectOf(account));
    expect(messages).toHaveLength(1);
    await fireAlert(account);
    expect(messages).toHaveLength(2);
    await consume(messages[1]);
    await consume(messages[1]);
    const [, second] = await readEmails(email, 2);
    expect(second?.subject).toBe("2 webhook events could not be delivered");
    expect(await readAlert(account)).toMatchObject({ abandoned: 0, due_at: null });
  });

  it("isn't sent for test events", async () => {
    const { account } = await createOwner();
    const owner = { account, mode: "live" } as const;
    await changeUrl(env, owner, { url: receiver("gone"), origin: ORIGIN, now: Date.now() });
    const { id } = await sendTest(env, owner, ORIGIN);
    expect(await expectAttempts({ ...owner, id }, 1)).toMatchObject({ status: "abandoned" });
    expect(await readAlert(account)).toBeNull();
  });

  it("is sent separately for each endpoint", async () => {
    const { account, messages } = await createOwner();
    await changeUrl(env, { account, mode: "live" }, { url: receiver("gone"), origin: ORIGIN, now: Date.now() });
    await abandon(account);
    const job = await createTestJob(page("article"), { account, request: {} });
    await runJob(env, messageOf(job));
    await expect.poll(() => messages.map(({ endpoint }) => endpoint).sort()).toEqual(["default", "request"]);
  });

  it.each([
    ["the service can't send email", { verified: true }, env],
    ["no owner has verified an address", { verified: false }, withMail],
  ])("isn't sent if %s", async (_, options, bindings) => {
    const { account, messages } = await createOwner(options);
    await abandon(account);
    await expect.poll(() => messages.length).toBe(1);
    expect(await consume(messages[0], bindings)).toEqual(["ack"]);
    expect(await readAlert(account)).toMatchObject({ abandoned: 0, due_at: null });
  });

  it("is sent once to each owner, even if the address of another owner is refused", async () => {
    const { account, email, messages } = await createOwner();
    const other = await createOwner({ address: `refused-${crypto.randomUUID()}@example.com` });
    await env.DB.prepare(
      `INSERT INTO memberships (user_id, account_id, role, created_at)
       SELECT id, ?1, 'owner', 0 FROM users WHERE email = ?2`,
    )
      .bind(account.id, other.email)
      .run();
    await abandon(account);
    await expect.poll(() => messages.length).toBe(1);
    await consume(messages[0]);
    await readEmails(email, 1);
    expect(await readAlert(account)).toMatchObject({ abandoned: 0, due_at: null });
  });

  it("is sent later if the email service refuses it, or if its message is lost", async () => {
    const { account, email, messages } = await createOwner();
    await abandon(account);
    await expect.poll(() => messages.length).toBe(1);
    await consume(messages[0], { ...withMail, MAIL_URL: page("status?code=503") });
    expect(await readAlert(account)).toMatchObject({ abandoned: 1, tries: 1, sent_at: null });
    await fireAlert(account);
    expect(messages).toHaveLength(2);
    await fireAlert(account);
    expect(messages).toHaveLength(3);
    await consume(messages[2]);
    await readEmails(email, 1);
  });
});
