import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newWebhookSecret } from "../../src/lib/crypto";
import { signatureHeaders } from "../../src/webhooks/signature";

const ID = "0199b2c0-91f3-7d02-8f44-2b7d6e1a0c55";
const BODY = '{"event":"job.completed","name":"Łeba"}';

it("signs requests that the library of Standard Webhooks accepts", async () => {
  // Every secret must work: the library refuses secrets that aren't standard base64 with padding.
  for (let i = 0; i < 50; i++) {
    const secret = newWebhookSecret();
    const headers = await signatureHeaders(
      { id: ID, body: BODY, secrets: { current: secret, previous: null } },
      Date.now(),
    );
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  }
});

it("signs with both secrets after a rotation, and with no others", async () => {
  const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
  const headers = await signatureHeaders({ id: ID, body: BODY, secrets: { current, previous } }, Date.now());
  for (const secret of [current, previous]) expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
  expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow("No matching signature found");
});

it("signs the id, the time and the body", async () => {
  const secret = newWebhookSecret();
  const request = { id: ID, body: BODY, secrets: { current: secret, previous: null } };
  const headers = await signatureHeaders(request, Date.now());
  const verify = (body: string, more: Record<string, string>) => () =>
    new Webhook(secret).verify(body, { ...headers, ...more });
  expect(verify(BODY.replace("Łeba", "Leba"), {})).toThrow("No matching signature found");
  expect(verify(BODY, { "webhook-id": ID.replace("0199", "0198") })).toThrow("No matching signature found");
  const later = String(Number(headers["webhook-timestamp"]) + 1);
  expect(verify(BODY, { "webhook-timestamp": later })).toThrow("No matching signature found");
});

it("lets receivers refuse a request that is older than five minutes", async () => {
  const secret = newWebhookSecret();
  const request = { id: ID, body: BODY, secrets: { current: secret, previous: null } };
  const headers = await signatureHeaders(request, Date.now() - 301_000);
  expect(() => new Webhook(secret).verify(BODY, headers)).toThrow("Message timestamp too old");
});

it("signs a body of 1 MB with any characters", async () => {
  const secret = newWebhookSecret();
  const body = JSON.stringify({ text: "a€😀\u2028\u0000".repeat(80_000) });
  const headers = await signatureHeaders({ id: ID, body, secrets: { current: secret, previous: null } }, Date.now());
  expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
});
