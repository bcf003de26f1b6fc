import { describe, expect, it } from "vitest";
import { refusePlatformAnswer } from "../../src/net/platform-answer";

const TYPE = { "content-type": "text/plain" };
const reply = (status: number, body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { server: "cloudflare", ...TYPE, ...headers } });
const check = (response: Response) => refusePlatformAnswer(response, "a.example");

describe("refusePlatformAnswer", () => {
  it.each([
    [530, "error code: 1016", "dns_failure"],
    [530, "error code: 1016\n", "dns_failure"],
    [520, "error code: 520", "connection_failed"],
    [521, "error code: 521", "connection_failed"],
    [523, "error code: 523", "connection_failed"],
    [524, "error code: 524", "target_timeout"],
    [525, "error code: 525", "tls_failure"],
    [403, "error code: 1002", "invalid_target"],
    [403, "error code: 1003", "invalid_target"],
    [403, "error code: 1021", "invalid_target"],
    [403, "error code: 1024", "invalid_target"],
    [522, '<div id="cf-error-details"><span class="code-label">Error code 522</span></div>', "target_timeout"],
    [522, '<div id="cf-error-details"><h1><span class="cf-error-code">522</span></h1></div>', "target_timeout"],
    [526, '{"cloudflare_error": true, "error_code": 526}', "tls_failure"],
  ])("throws for status %i with the body %s", async (status, body, code) => {
    await expect(check(reply(status, body))).rejects.toMatchObject({ code });
  });

  it("throws for an empty body if the header cf-error-type has the code", async () => {
    await expect(check(reply(521, null, { "cf-error-type": "521" }))).rejects.toMatchObject({
      code: "connection_failed",
    });
  });

  it.each([
    [521, "connection_failed"],
    [524, "target_timeout"],
    [526, "tls_failure"],
  ])("throws for status %i if the header cf-error-type has the category", async (status, code) => {
    await expect(check(reply(status, null, { "cf-error-type": "52x" }))).rejects.toMatchObject({ code });
  });

  it("throws if the connection breaks after the code", async () => {
    let hasSent = false;
    const body = new ReadableStream(
      {
        pull: (controller) => {
          if (hasSent) return controller.error(new Error("The connection broke."));
          hasSent = true;
          controller.enqueue(new TextEncoder().encode("error code: 1016"));
        },
      },
      { highWaterMark: 0 },
    );
    await expect(check(reply(530, body))).rejects.toMatchObject({ code: "dns_failure" });
  });

  it.each([
    ["another server", 521, "error code: 521", { server: "nginx" }],
    ["a status that doesn't belong to the code", 522, "error code: 521", {}],
    ["a success status", 200, "error code: 1016", {}],
    ["another error of Cloudflare", 530, "error code: 1033", {}],
    ["a block page of Cloudflare", 403, "error code: 1020", {}],
    ["text around the code", 521, "We have the error code: 521", {}],
    ["a custom page", 521, "<h1>We are down</h1> <span>Error code 521</span>", {}],
    ["JSON of the site", 403, '{"error_code": 1003}', {}],
    ["JSON that quotes an error", 403, '{"cause": {"cloudflare_error": true, "error_code": 1003}}', {}],
    ["a page that quotes an error", 403, '<pre>{"cloudflare_error": true, "error_code": 1003}</pre>', {}],
    ["incomplete JSON", 403, '{"cloudflare_error": true, "error_code": 1003', {}],
    ["a category that doesn't belong to its status", 403, "error code: 1003", { "cf-error-type": "52x" }],
    ["another type in the header", 403, "error code: 1003", { "cf-error-type": "1020" }],
    ["no body", 521, null, {}],
  ])("returns a response with %s", async (_, status, body, headers) => {
    const response = await check(reply(status, body, headers));
    expect([response.status, await response.text()]).toEqual([status, body ?? ""]);
  });

  it("returns a long page completely", async () => {
    const body = `<h1>Forbidden</h1>${"x".repeat(100_000)}`;
    expect(await (await check(reply(403, body))).text()).toBe(body);
  });

  it("returns a page whose body doesn't end", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    void writer.write(new TextEncoder().encode("<h1>Forbidden</h1>"));
    const response = await check(reply(403, readable));
    const rest = response.text();
    await writer.close();
    expect(await rest).toBe("<h1>Forbidden</h1>");
  });

  it("returns a page whose body breaks off", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("The connection broke.")) });
    const response = await check(reply(403, body));
    expect(response.status).toBe(403);
    await expect(response.text()).rejects.toThrow("The connection broke.");
  });
});
