import { describe, expect, it } from "vitest";
import type { WebhookChange, WebhookRow } from "../../src/account/deliveries/webhook-settings";
import type { AccountRef } from "../../src/model/account";
import type { Mode } from "../../src/model/api-key";
import { newJob, openObject, stubOf } from "../support/account";

const UNSET: WebhookRow = {
  id: "default",
  createdAt: null,
  url: null,
  events: null,
  secret: null,
  previousSecret: null,
  previousExpiresAt: null,
};
const URL_A = "https://a.example/hook";

/** Applies the changes in order. Returns the settings after the last one. */
async function change(account: AccountRef, changes: WebhookChange[], mode: Mode = "live"): Promise<WebhookRow> {
  for (const one of changes) await stubOf(account).webhook(mode, one);
  const reply = await stubOf(account).webhook(mode, null);
  if (reply.kind !== "webhook") throw new Error(`The reply is ${reply.kind}.`);
  return reply.webhook;
}

const url = (value: string | null): WebhookChange => ({ kind: "url", url: value });
const first = (secret: string): WebhookChange => ({ kind: "first_secret", secret });
const rotation = (from: string | null, secret: string, previousExpiresAt: number | null = 5): WebhookChange => ({
  kind: "rotation",
  ...{ from, secret, previousSecret: from, previousExpiresAt },
});

describe("the webhook settings", () => {
  const rotated = { secret: "b", previousSecret: "a", previousExpiresAt: 5 };

  it.each<[string, WebhookChange[], Partial<WebhookRow>]>([
    ["without a change", [], {}],
    ["after a URL was set", [url(URL_A)], { url: URL_A }],
    ["after the URL was removed", [url(URL_A), url(null)], {}],
    ["after two calls that create the first secret", [first("a"), first("b")], { secret: "a" }],
    ["after a URL and the first secret", [url(URL_A), first("a")], { url: URL_A, secret: "a" }],
    ["after the first secret and a URL", [first("a"), url(URL_A)], { url: URL_A, secret: "a" }],
    ["after a rotation", [url(URL_A), first("a"), rotation("a", "b")], { url: URL_A, ...rotated }],
    ["after a repeated rotation", [first("a"), rotation("a", "b"), rotation("a", "c", 6)], rotated],
    ["after a rotation without a secret", [rotation(null, "a", null)], { secret: "a" }],
    ["after a rotation of another secret", [first("a"), rotation("x", "b")], { secret: "a" }],
    ["after a rotation that expects no secret", [first("a"), rotation(null, "b")], { secret: "a" }],
  ])("%s", async (_, changes, expected) => {
    expect(await change(await openObject(), changes)).toEqual({ ...UNSET, ...expected });
  });

  it("are returned by the call that changes them", async () => {
    const object = stubOf(await openObject());
    expect(await object.webhook("live", first("a"))).toMatchObject({ kind: "webhook", webhook: { secret: "a" } });
  });

  it("differ between the modes", async () => {
    const account = await openObject();
    await change(account, [url(URL_A), first("a")]);
    await change(account, [first("b")], "test");
    expect(await change(account, [])).toMatchObject({ url: URL_A, secret: "a" });
    expect(await change(account, [], "test")).toEqual({ ...UNSET, secret: "b" });
  });

  it("contain the URL of a new job, unless its request contains another URL", async () => {
    const account = await openObject();
    await change(account, [url(URL_A)]);
    const urlOf = async (job: Parameters<typeof newJob>[1]) => {
      const created = await stubOf(account).createJob(newJob(account, job));
      return created.kind === "created" && created.job.webhookUrl;
    };
    expect(await urlOf({})).toBe(URL_A);
    expect(await urlOf({ webhookUrl: "https://b.example/" })).toBe("https://b.example/");
    expect(await urlOf({ mode: "test" })).toBeNull();
    await change(account, [url(null)]);
    expect(await urlOf({})).toBeNull();
  });
});
