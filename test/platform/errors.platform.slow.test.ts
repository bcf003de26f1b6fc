// Tests how the service reports Cloudflare's own answers to its requests, and pages with the same statuses.
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { availableModels, chooseModel } from "../../src/models/models";
import { parseEgressPolicy } from "../../src/net/egress";
import { sendEmail } from "../../src/net/email";
import { type FetchOptions, fetchLocation, fetchPage } from "../../src/net/page";
import { isUnknownName, Resolver } from "../../src/net/resolver";
import { createClient, page, querySite, read } from "../support/client";
import { callFailingApi, SERPER } from "../support/search-sources";
import { endJob, expectAttempts } from "../support/webhooks";

const options: FetchOptions = {
  policy: parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, []),
  resolver: new Resolver(env.DNS_RESOLVER),
  via: "fetch",
  proxy: null,
  userAgent: "Tester/1.0",
  maxBytes: 100_000,
  signal: new AbortController().signal,
};

/** The names of the stand-in, each with the error that the service must report. */
const FAILURES: [start: string, code: string, message: string][] = [
  ["http://nowhere", "dns_failure", "The name HOST could not be resolved."],
  ["http://refused", "connection_failed", "The connection to HOST was refused."],
  ["http://silent", "target_timeout", "The connection to HOST timed out."],
  ["http://unreachable", "connection_failed", "The connection to HOST failed: its address is unreachable."],
  ["http://slow", "target_timeout", "HOST did not respond in time."],
  ["https://handshake", "tls_failure", "A trusted TLS connection to HOST could not be established."],
  ["https://untrusted", "tls_failure", "The TLS certificate of HOST is not valid."],
  ["http://restricted", "invalid_target", "HOST resolves to a forbidden address."],
  ["http://cloudflare", "invalid_target", "The address of HOST can't be requested."],
];

describe.each(["text", "html", "json", "headers"])("Cloudflare's answer as %s", (form) => {
  it.each(FAILURES)("for %s has the error %s", async (start, code, message) => {
    const url = `${start}.${form}.platform.example/`;
    const error = { code, message: message.replace("HOST", new URL(url).host) };
    await expect(fetchPage(url, options)).rejects.toMatchObject(error);
    // Search engines' pages are returned with any status, but Cloudflare's answers are errors for them too.
    await expect(fetchPage(url, { ...options, anyStatus: true })).rejects.toMatchObject(error);
    await expect(fetchLocation(url, options)).rejects.toMatchObject(error);
  });
});

describe("the service reports Cloudflare's answer", () => {
  it("as the error of the job", async () => {
    const client = await createClient();
    const { error } = await read(await client.scrape({ url: "http://nowhere.platform.example/a", formats: ["text"] }));
    const message = "The name nowhere.platform.example could not be resolved.";
    expect(error).toMatchObject({ code: "dns_failure", message, retryable: true });
  });

  it("for an IP address", async () => {
    const message = "93.184.216.34 is an IP address. Use a host name instead.";
    await expect(fetchPage("http://93.184.216.34/", options)).rejects.toMatchObject({
      code: "invalid_target",
      message,
    });
  });

  it("for the target of a redirect", async () => {
    const url = `${page("redirect")}?to=http://refused.platform.example/`;
    await expect(fetchPage(url, options)).rejects.toMatchObject({ code: "connection_failed" });
  });

  it.each([
    ["nowhere", "The name HOST could not be resolved."],
    ["silent", "The connection to HOST timed out."],
    ["untrusted", "The TLS certificate of HOST is not valid."],
  ])("of a webhook attempt to %s", async (name, message) => {
    const url = `https://${name}.platform.example/hook`;
    const { attempts, status } = await expectAttempts(await endJob(url), 1);
    expect(status).toBe("pending");
    const error = message.replace("HOST", new URL(url).host);
    expect(attempts[0]).toMatchObject({ status_code: null, error, response: null });
  });

  it("of a model as unreachable", async () => {
    const timeouts = { idleMs: 15_000, answerMs: 20_000, retryMs: 10_000, retryDelaysMs: [1, 1] };
    const bindings = { ...env, OPENAI_BASE_URL: "http://refused.json.platform.example/v1" };
    const model = chooseModel(availableModels(bindings, timeouts), "gpt-5.4-mini");
    const request = { system: "x", turns: [{ role: "user" as const, text: "y" }], schema: null };
    await expect(model.complete(request, options.signal)).rejects.toMatchObject({
      code: "model_failed",
      message: "The model gpt-5.4-mini (OpenAI) could not be reached.",
    });
  });

  it("of a search API as unreachable", async () => {
    const variables = { SERP_PROVIDER_ORIGIN: "http://nowhere.platform.example" };
    const { error } = await callFailingApi("good", SERPER, { variables });
    expect(error).toMatchObject({ code: "serp_unavailable", message: "Serper could not be reached." });
  });

  it("of an email service in the log", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const bindings = { ...env, MAIL_URL: "http://nowhere.platform.example/emails" };
    expect(await sendEmail(bindings, { to: "a@b.example", subject: "Hello", text: "Words" })).toBe(false);
    expect(String(logged.mock.lastCall)).toContain("The name nowhere.platform.example could not be resolved.");
    logged.mockRestore();
  });

  it("of a resolver as a name that can't be resolved", async () => {
    const resolver = new Resolver("http://refused.platform.example/dns-query");
    await expect(resolver.findRefusal("http://a.example/", options.policy)).rejects.toMatchObject({
      code: "dns_failure",
    });
  });
});

it("looks up a name of an unclear browser error with a public resolver", async () => {
  expect(await isUnknownName("nowhere.world.example", "")).toBe(true);
  expect(await isUnknownName("public.world.example", "")).toBe(false);
});

describe("a site's own page", () => {
  it.each(["403", "520", "521", "522", "523", "524", "525", "526", "530"])(
    "with status %s stays an HTTP error",
    async (code) => {
      const fetched = fetchPage(`${page("status")}?code=${code}`, options);
      await expect(fetched).rejects.toMatchObject({
        code: "target_http_error",
        message: expect.stringContaining(`responded with status ${code}.`),
      });
    },
  );

  it("with status 403 can be a block page", async () => {
    const fetched = fetchPage(`${page("block-page")}?code=403`, options);
    await expect(fetched).rejects.toMatchObject({ code: "blocked_by_target" });
  });

  it("with status 521 is returned if the caller wants any status", async () => {
    const { status, body } = await fetchPage(`${page("status")}?code=521`, { ...options, anyStatus: true });
    expect([status, new TextDecoder().decode(body)]).toEqual([521, "<h1>Status page</h1>"]);
  });
});

it("requests a PDF twice from the site, because Cloudflare's cache isn't used", async () => {
  const url = `http://site.platform.example/${crypto.randomUUID()}/pdf/report.pdf`;
  for (let i = 0; i < 2; i++) expect((await fetchPage(url, options)).headers.get("cf-cache-status")).toBe("DYNAMIC");
  expect(await querySite("hits", url)).toBe(2);
});
