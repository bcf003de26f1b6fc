import { describe, expect, it } from "vitest";
import { call } from "../../support/admin";
import { createClient, forbidden, page } from "../../support/client";

describe("GET /admin/v1/browsers", () => {
  it("returns the version and the capabilities of each running browser", async () => {
    const { scrape } = await createClient();
    await scrape({ url: page("article"), render: "always" });
    const { status, data } = await call("GET", "/browsers");
    expect(status).toBe(200);
    expect(data).toMatchObject({ network: "filtered", shared: false, fetch_via: "fetch", render_method: "sessions" });
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

describe("POST /admin/v1/renders", () => {
  const render = (method: string, url: string) => call("POST", "/renders", { url, method, wait_for: "body" });

  it("renders a page in a session", async () => {
    const { data } = await render("sessions", page("script"));
    expect(data).toEqual({ outcome: "page", ms: expect.any(Number), html: expect.stringContaining("Only a browser") });
  });

  it("returns the code of a failed render", async () => {
    expect((await render("sessions", forbidden)).data).toMatchObject({ outcome: "invalid_target", html: null });
    expect((await render("quick-actions", forbidden)).data).toMatchObject({ outcome: "invalid_target", html: null });
  });

  it("says that Quick Actions aren't supported by the local runtime", async () => {
    expect((await render("quick-actions", page("script"))).data).toMatchObject({ outcome: "unsupported", html: null });
  });

  it("refuses an unknown method", async () => {
    expect(await render("other", page("script"))).toMatchObject({ status: 400 });
  });
});
