import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { canSendEmail, sendEmail, toEmailOrigin } from "../../src/net/email";
import { page } from "../support/client";
import { readEmails } from "../support/emails";
import { recordLines } from "../support/lines";

/** Cloudflare's Email Service in the local runtime. It accepts only emails from the test's sender. */
const BINDING = Reflect.get(env, "TEST_EMAIL") as SendEmail;

const settings = { MAIL_URL: env.MAIL_URL, MAIL_FROM: env.MAIL_FROM, PUBLIC_URL: "https://api.a.example/docs" };

describe("the origin of links in emails", () => {
  it.each([
    ["the origin of PUBLIC_URL", {}, "https://api.a.example"],
    ["null without MAIL_URL", { MAIL_URL: "" }, null],
    ["the same with the binding EMAIL", { MAIL_URL: "", EMAIL: BINDING }, "https://api.a.example"],
    ["null with the binding EMAIL but without MAIL_FROM", { MAIL_URL: "", EMAIL: BINDING, MAIL_FROM: "" }, null],
    ["null without MAIL_FROM", { MAIL_FROM: " " }, null],
    ["null without PUBLIC_URL", { PUBLIC_URL: "" }, null],
    ["null if PUBLIC_URL isn't a web address", { PUBLIC_URL: "ftp://a.example" }, null],
  ])("is %s", (_, more, expected) => {
    const changed: Env = { ...env, ...settings, ...more };
    expect(toEmailOrigin(changed)).toBe(expected);
    expect(canSendEmail(changed)).toBe(expected !== null);
  });
});

describe("an email", () => {
  const to = () => `${crypto.randomUUID()}@a.example`;

  it("is sent with its sender, subject and text", async () => {
    const address = to();
    expect(await sendEmail(env, { to: address, subject: "Hello", text: "Some words" })).toBe(true);
    expect(await readEmails(address, 1)).toEqual([
      { from: env.MAIL_FROM, to: [address], subject: "Hello", text: "Some words" },
    ]);
  });

  it.each([
    ["the service refuses the key", { MAIL_KEY: "wrong" }, "mail_refused"],
    ["the service gets no key", { MAIL_KEY: "" }, "mail_refused"],
    ["the service can't be reached", { MAIL_URL: page("reset") }, "mail_failed"],
  ])("isn't sent if %s, and the error is logged", async (_, more, event) => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => {});
    const email = { to: to(), subject: "Hello", text: "Some words" };
    expect(await sendEmail({ ...env, ...more }, email)).toBe(false);
    const events = lines.mock.calls.map(([line]) => JSON.parse(line).event);
    lines.mockRestore();
    expect(events).toContain(event);
  });

  it("is sent with the binding EMAIL, which takes the name of the sender separately", async () => {
    const email = { to: to(), subject: "Hello", text: "Some words" };
    expect(await sendEmail({ ...env, MAIL_URL: "", EMAIL: BINDING }, email)).toBe(true);
    const send = vi.fn(async () => ({ messageId: "1" }));
    const withSender = (MAIL_FROM: string) => ({ ...env, MAIL_URL: "", MAIL_FROM, EMAIL: { send } });
    for (const from of ['"An, Operator" <mail@a.example>', "Operator<mail@a.example>", " mail@a.example "])
      expect(await sendEmail(withSender(from), email)).toBe(true);
    expect(send.mock.calls).toEqual([
      [{ ...email, from: { name: "An, Operator", email: "mail@a.example" } }],
      [{ ...email, from: { name: "Operator", email: "mail@a.example" } }],
      [{ ...email, from: "mail@a.example" }],
    ]);
  });

  it("isn't sent with the binding EMAIL if MAIL_URL is set", async () => {
    const address = to();
    const send = vi.fn();
    expect(await sendEmail({ ...env, EMAIL: { send } }, { to: address, subject: "Hello", text: "Words" })).toBe(true);
    expect([(await readEmails(address, 1)).length, send.mock.calls]).toEqual([1, []]);
  });

  it.each([
    ["an unverified domain", "E_SENDER_NOT_VERIFIED"],
    ["a refused recipient", "E_RECIPIENT_SUPPRESSED"],
    ["the daily limit", "E_DAILY_LIMIT_EXCEEDED"],
  ])("isn't sent if the binding EMAIL refuses it because of %s, and the code is logged", async (_, code) => {
    const lines = recordLines();
    const address = to();
    const send = () => Promise.reject(Object.assign(new Error(`Refused: ${address}`), { code }));
    const email = { to: address, subject: "Hello", text: "Words" };
    expect(await sendEmail({ ...env, MAIL_URL: "", EMAIL: { send } }, email)).toBe(false);
    expect(lines.of("mail_refused")).toEqual([{ level: "error", event: "mail_refused", code }]);
  });

  it("isn't sent if the binding EMAIL fails for another reason, and the error is logged", async () => {
    const lines = recordLines();
    const withOther = { ...env, MAIL_URL: "", MAIL_FROM: "other@mail.example", EMAIL: BINDING };
    expect(await sendEmail(withOther, { to: to(), subject: "Hello", text: "Words" })).toBe(false);
    expect(lines.of("mail_failed")).toMatchObject([{ error: "email from other@mail.example not allowed" }]);
  });
});
