import { describe, expect, it } from "vitest";
import { endJob, readDelivery, receiver } from "../support/webhooks";
import { browserCases } from "./browser-cases";
import { type Case, scrapeCase, toExpected, withNames } from "./check";

// Some cases end only when a timeout of the service expires. They start first and run in parallel, so the whole file
// takes little longer than its slowest case.
describe.concurrent("a slow webhook receiver", () => {
  it("has 30 seconds to send the response's headers, and its body doesn't count", async ({ expect }) => {
    const [silent, slow, endless] = await Promise.all(
      ["never", "drip-head", "drip-body"].map(async (behavior) => {
        const delivery = await endJob(receiver(behavior));
        const attempts = async () => (await readDelivery(delivery))?.attempts ?? [];
        await expect.poll(async () => (await attempts()).length).toBe(1);
        if (behavior === "drip-body") await expect.poll(async () => (await attempts())[0]?.response).not.toBeNull();
        return await readDelivery(delivery);
      }),
    );
    for (const delivery of [silent, slow]) {
      expect(delivery).toMatchObject({ status: "pending", attempts: [{ status_code: null }] });
      expect(delivery?.attempts[0]?.error).toBe("The receiver did not respond within 30 seconds.");
    }
    expect(endless).toMatchObject({
      status: "succeeded",
      attempts: [{ status_code: 200, response: expect.stringMatching(/^\.+$/) }],
    });
  });
});

describe.concurrent("the hostile website in the browser", () => {
  describe.each(Object.entries(browserCases))("%s", (part, cases) => {
    it.each(withNames(cases))("%s", async (_, [name, behavior, outcome]) => {
      const row: Case = [name, behavior, outcome, { js_render: true }];
      expect(await scrapeCase(`Browser: ${part}`, row)).toEqual(toExpected(row));
    });
  });
});
