import { describe, expect, it } from "vitest";
import { call } from "../../support/admin";
import { createClient, page } from "../../support/client";

describe("GET /admin/v1/browsers", () => {
  it("returns the version and the capabilities of each running browser", async () => {
    const { scrape } = await createClient();
    await scrape({ url: page("article"), render: "always" });
    const { status, data } = await call("GET", "/browsers");
    expect(status).toBe(200);
    expect(data).toMatchObject({ network: "filtered", shared: false, fetch_via: "fetch" });
    const running = (data.browsers as { running: boolean }[]).filter((browser) => browser.running);
    expect(running).toContainEqual({
      name: expect.stringMatching(/^browser-\d$/),
      running: true,
      product: expect.stringMatching(/^(?:Headless)?Chrome\/\d+\./),
      intercepts_whole_browser: true,
      pauses_targets: true,
    });
  });

  it("requires the admin token", async () => {
    expect(await call("GET", "/browsers", undefined, { headers: { authorization: "Bearer wrong" } })).toMatchObject({
      status: 401,
    });
  });
});
