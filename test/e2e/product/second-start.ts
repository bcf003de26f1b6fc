import { verify } from "@octokit/webhooks-methods";
import { describe, expect, it } from "vitest";
import type { ProductWorld } from "../../support/product-world.ts";

const PATH = "/restart/fail";

/**
 * Kills and restarts the service. `defineTests` defines the tests that run before the first retry of a delivery is due.
 */
export function describeSecondStart(world: ProductWorld, defineTests: () => void): void {
  let deliveryId: string;
  let uploadId: string;

  // biome-ignore lint/suspicious/noExplicitAny: what each test reads, it asserts.
  const call = async (...request: Parameters<ProductWorld["call"]>): Promise<any> =>
    await (await world.call(...request)).json();
  const attempts = async () =>
    (await call("GET", `/v1/webhooks/deliveries?job_id=${deliveryId}`)).data[0]?.attempts ?? [];

  /** Uploads a file and returns the id of its job, which the kill interrupts. */
  const upload = async () => {
    const form = new FormData();
    form.append("file", new Blob([`<h1>Uploaded</h1>${"<p>The keeper wrote a line.</p>".repeat(20_000)}`]), "log.html");
    const headers = { authorization: `Bearer ${world.product.live}` };
    const response = await fetch(`${world.product.base}/v1/scrape`, { method: "POST", headers, body: form });
    return ((await response.json()) as { job_id: string }).job_id;
  };

  describe("npm start, after the service was killed", () => {
    it("keeps jobs, keys, results and deliveries", async () => {
      const plain = await call("POST", "/v1/scrape?wait=true", { url: world.siteUrl, formats: ["text"] });
      expect(plain.data.text).toContain("kept since 1899");
      const { data } = await call("POST", "/v1/scrape?wait=true", { url: world.siteUrl, formats: ["screenshot"] });
      const png = await fetch(data.screenshot_url ?? "");
      expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);
      const webhook_url = `${world.receiver.origin}${PATH}?times=1`;
      deliveryId = (await call("POST", "/v1/scrape", { url: world.siteUrl, webhook_url })).job_id;
      await expect.poll(attempts).toHaveLength(1);

      const { live, test } = world.product;
      uploadId = await upload();
      await world.kill();
      await world.start();
      expect([world.product.live, world.product.test]).toEqual([live, test]);
      const job = await call("GET", `/v1/jobs/${plain.job_id}`);
      expect(job).toMatchObject({ status: "completed", result: plain.data });
    });
  });

  defineTests();

  it("an uploaded file survives a kill before its run has ended", async () => {
    // The alarm resends the lost message of the job after two minutes.
    await expect
      .poll(() => call("GET", `/v1/jobs/${uploadId}?wait=30`), { timeout: 240_000 })
      .toMatchObject({ status: "completed", result: { markdown: expect.stringContaining("# Uploaded") } });
  }, 300_000);

  it("a delivery survives a kill after the first attempt, and the second attempt is on time", async () => {
    const posts = () => world.receiver.posts(PATH);
    await expect.poll(() => posts().length).toBe(2);
    const [first, second] = posts();
    // The second attempt follows at least 30 seconds after the first. The restart of the service must not shorten this
    // delay.
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(29_000);
    const headers = { "x-webhook-id": deliveryId, "x-webhook-attempt": "2" };
    expect(second).toMatchObject({ body: first?.body, headers });
    const { secret } = (await call("GET", "/v1/webhooks")).data;
    const body = Buffer.from(second?.body ?? "", "base64").toString();
    expect(await verify(secret, body, second?.headers["x-webhook-signature"] ?? "")).toBe(true);
    await expect.poll(attempts).toMatchObject([{ status_code: 500 }, { status_code: 200 }]);
    expect(world.product.output()).not.toContain(secret);
  });
}
