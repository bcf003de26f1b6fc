import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { canSendEmail, sendEmail, toEmailOrigin } from "../../src/net/email";
import { page } from "../support/client";
import { readEmails } from "../support/emails";

const settings = { MAIL_URL: env.MAIL_URL, MAIL_FROM: env.MAIL_FROM, PUBLIC_URL: "https://api.a.example/docs" };

describe("the origin of links in emails", () => {
  it.each([
    ["the origin of PUBLIC_URL", {}, "https://api.a.example"],
    ["null without MAIL_URL", { MAIL_URL: "" }, null],
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
});
