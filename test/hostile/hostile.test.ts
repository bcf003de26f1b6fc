import { describe, expect, it } from "vitest";
import { endJob, readDelivery, receiver } from "../support/webhooks";
import { browserCases } from "./browser-cases";
import { type Case, scrapeCase, toExpected } from "./check";
import { plainCases } from "./plain-cases";

/** Some end by a time-out: begun first, and side by side, all of them take little longer than the slowest. */
const PATIENCE_MS = 90_000;

describe.concurrent("a slow receiver of webhooks", { timeout: PATIENCE_MS }, () => {
  it("has 30 seconds for its answer's head; the rest of it doesn't count", async ({ expect }) => {
    const [silent, dripping, chatty] = await Promise.all(
      ["never", "drip-head", "drip-body"].map(async (behavior) => {
        const delivery = await endJob(receiver(behavior));
        const attempts = async () => (await readDelivery(delivery))?.attempts ?? [];
        await expect.poll(async () => (await attempts()).length, { timeout: 60_000 }).toBe(1);
        if (behavior === "drip-body") await expect.poll(async () => (await attempts())[0]?.response).not.toBeNull();
        return await readDelivery(delivery);
      }),
    );
    for (const delivery of [silent, dripping]) {
      expect(delivery).toMatchObject({ status: "pending", attempts: [{ status_code: null }] });
      expect(delivery?.attempts[0]?.error).toBe("The receiver did not respond within 30 seconds.");
    }
    expect(chatty).toMatchObject({
      status: "succeeded",
      attempts: [{ status_code: 200, response: expect.stringMatching(/^\.+$/) }],
    });
  });
});

describe.concurrent("the hostile site", () => {
  describe.each(Object.entries(browserCases))("in the browser: %s", (part, cases) => {
    it.each(named(cases))("%s", { timeout: PATIENCE_MS }, async (_, [name, behavior, outcome]) => {
      const row: Case = [name, behavior, outcome, { js_render: true }];
      expect(await scrapeCase(`Browser: ${part}`, row)).toEqual(toExpected(row));
    });
  });

  describe.each(Object.entries(plainCases))("by a plain fetch: %s", (part, cases) => {
    it.each(named(cases))("%s", { timeout: PATIENCE_MS }, async (_, row) => {
      expect(await scrapeCase(`Plain: ${part}`, row)).toEqual(toExpected(row));
    });
  });
});

function named(cases: Case[]): [name: string, row: Case][] {
  return cases.map((row) => [row[0], row]);
}
