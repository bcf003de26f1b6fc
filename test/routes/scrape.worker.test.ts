import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { withFailingAccounts } from "../support/account";
import { createClient, ORIGIN, page, querySite, read, readEnded, request } from "../support/client";

describe.concurrent("a synchronous scrape", () => {
  it("returns every requested format and the used credits", async () => {
    const { scrape } = await createClient();
    const url = page("article");
    const response = await scrape({ url, formats: ["markdown", "html", "text"] });
    expect(response.status).toBe(200);
    const { success, data, meta, job_id } = await read(response);
    expect(success).toBe(true);
    expect(Object.keys(data).sort()).toEqual(["html", "markdown", "text"]);
    expect(data.markdown).toContain("# Tide tables of Łeba");
    expect(data.markdown).toContain("| Mon | 1.2 m |");
    expect(data.markdown).toContain("```sh\ntide --port leba\n```");
    expect(data.markdown).toContain(`](${new URL("../archive/1899.html", url).href})`);
    expect(data.markdown).not.toContain("imprint");
    expect(data.html).toContain("<nav>");
    expect(data.text).toContain("kept since 1899");
    expect(meta.credits_used).toBe(1);
    expect(meta.processing_time_ms).toBeTypeOf("number");
    expect(job_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("returns Markdown by default, and the whole page on request", async () => {
    const { scrape } = await createClient();
    const { data } = await read(await scrape({ url: page("article") }));
    expect(Object.keys(data)).toEqual(["markdown"]);
    const whole = await read(await scrape({ url: page("article"), only_main_content: false }));
    expect(whole.data.markdown).toContain("imprint");
  });

  it("returns the page's metadata and links", async () => {
    const { scrape } = await createClient();
    const url = page("described");
    const response = await scrape({ url, formats: ["metadata", "links"] });
    const { data } = await response.json<{ data: Record<string, unknown> }>();
    const origin = new URL(url).origin;
    expect(data).toEqual({
      metadata: {
        title: "The log",
        language: "pl",
        author: "A. Keeper",
        published_time: expect.stringMatching(/^2026-11-20T/),
        site_name: "Harbour",
        favicon: `${origin}/deep/icon.png`,
        open_graph: { title: "The harbour's log", site_name: "Harbour" },
        url,
        status_code: 200,
        content_type: "text/html; charset=utf-8",
      },
      links: [
        { url: `${origin}/home`, text: "Home", rel: "home" },
        { url: `${origin}/deep/page`, text: "the page" },
      ],
    });
    const json = await scrape({ url: `${page("type")}?type=application/json&body={}`, formats: ["metadata", "links"] });
    expect((await read(json)).data).toMatchObject({ metadata: { content_type: "application/json" }, links: [] });
  });

  it("includes and excludes the elements of the selectors", async () => {
    const { scrape } = await createClient();
    const url = page("described");
    const textOf = async (body: Record<string, unknown>) =>
      (await read(await scrape({ url, formats: ["text"], ...body }))).data.text;
    expect(await textOf({ exclude_selectors: ["#notice"] })).not.toContain("A notice");
    const included = await textOf({ include_selectors: [".log"], exclude_selectors: [".log:last-child a"] });
    expect(included).toBe("The first entry of the log, see the page.\n\nThe second entry of the log, see and .");
    expect(await textOf({ include_selectors: [".nothing-like-it"] })).toBe("");
    for (const parameter of ["include_selectors", "exclude_selectors"]) {
      const refused = await scrape({ url, [parameter]: ["p", "p:::x"] });
      expect([refused.status, (await read(refused)).error]).toMatchObject([
        400,
        { code: "invalid_request", details: [{ path: `${parameter}.1` }] },
      ]);
    }
  });

  it("fails if the selectors would take too long", async () => {
    const { scrape } = await createClient();
    const slow = await scrape({ url: `${page("many")}?count=20000`, exclude_selectors: [":not(:has(~ *:has(~ q)))"] });
    expect([slow.status, (await read(slow)).error.code]).toEqual([422, "target_too_large"]);
  });

  it("follows redirects and a quick meta refresh", async () => {
    const { scrape } = await createClient();
    const { data } = await read(await scrape({ url: `${page("redirect")}?to=refresh`, formats: ["text"] }));
    expect(data.text).toContain("kept since 1899");
  });

  it.each(["503", "429"])("retries once if the target responds with %s", async (code) => {
    const { scrape } = await createClient();
    for (const after of ["&after=1", `&after=${new Date(Date.now() - 60_000).toUTCString()}`, ""]) {
      const url = `${page("busy")}?code=${code}${after}`;
      expect((await read(await scrape({ url, formats: ["text"] }))).data?.text).toContain("kept since 1899");
    }
    const twice = page("busy");
    const response = await scrape({ url: `${twice}?times=2&after=0&code=${code}` });
    expect([response.status, (await read(response)).error]).toMatchObject([
      502,
      { code: "target_http_error", retryable: true, message: expect.stringContaining(code) },
    ]);
    expect(await querySite("hits", twice)).toBe(2);
  });

  it.each([
    ["as a page", "block-page", {}],
    ["as an error", "block-page?code=403", {}],
    ["as a page in the browser", "block-page", { js_render: true }],
    ["as an error in the browser", "block-page?code=503", { js_render: true }],
    ["as a picture", "block-page", { formats: ["screenshot"] }],
  ])("never returns a block page: %s", async (_, behavior, body) => {
    const { scrape } = await createClient();
    const response = await scrape({ url: page(behavior), ...body });
    expect([response.status, (await read(response)).error]).toMatchObject([
      502,
      { code: "blocked_by_target", retryable: true, message: expect.stringContaining("Cloudflare") },
    ]);
  });

  it.each([false, true])(
    "reports the price of a page that must be paid for, free of charge, with js_render: %s",
    async (js_render) => {
      const { scrape, call } = await createClient();
      const response = await scrape({ url: page("status?code=402&price=USD 0.01"), js_render });
      const { error, job_id } = await read(response);
      const details = [{ path: "crawler-price", message: "USD 0.01" }];
      expect([response.status, error]).toMatchObject([502, { code: "payment_required", retryable: false, details }]);
      const job = await read(await call("GET", `/v1/jobs/${job_id}`));
      expect(job).toMatchObject({ meta: { credits_used: 0 }, error: { code: "payment_required", details } });
    },
  );

  it("reports the status of an error page that never ends", async () => {
    const { scrape } = await createClient();
    const response = await scrape({ url: page("unfinished") });
    expect([response.status, (await read(response)).error]).toMatchObject([
      502,
      { code: "target_http_error", retryable: false, message: expect.stringContaining("404") },
    ]);
  });

  it("doesn't retry if the target's Retry-After is long", async () => {
    const { scrape } = await createClient();
    for (const after of ["11", new Date(Date.now() + 60_000).toUTCString()]) {
      const url = page("busy");
      expect((await scrape({ url: `${url}?after=${after}` })).status).toBe(502);
      expect(await querySite("hits", url)).toBe(1);
    }
  });

  it("decodes the page with its declared character set", async () => {
    const { scrape } = await createClient();
    const { data } = await read(await scrape({ url: page("latin1"), formats: ["text"] }));
    expect(data.text).toContain("Café");
    expect(data.text).toContain("journée");
  });

  it("returns plain text unchanged, and empty strings for an empty page", async () => {
    const { scrape } = await createClient();
    const json = await read(await scrape({ url: `${page("type")}?type=application/json&body={"a":1}` }));
    expect(json.data.markdown).toBe('{"a":1}');
    for (const url of [`${page("status")}?code=204`, page("empty")]) {
      const { success, data } = await read(await scrape({ url, formats: ["markdown", "text", "html"] }));
      expect(success).toBe(true);
      expect(data).toEqual({ markdown: "", text: "", html: "" });
    }
  });

  it("omits a result of over 16 KB from lists", async () => {
    const { scrape, call } = await createClient();
    const { data, job_id } = await read(await scrape({ url: `${page("large")}?words=5000`, formats: ["text"] }));
    const list = await call("GET", "/v1/jobs").then((r) => r.json<{ data: Record<string, unknown>[] }>());
    expect(list.data[0]).toMatchObject({ job_id, result: null, result_truncated: true });
    expect(await read(await call("GET", `/v1/jobs/${job_id}`))).toMatchObject({ result: data });
  });

  it("stores a large result in R2 and returns all of it", async () => {
    const { scrape, call } = await createClient();
    const { data, job_id } = await read(await scrape({ url: `${page("large")}?words=20000`, formats: ["text"] }));
    expect(data.text?.length).toBeGreaterThan(99_000);
    const job = await read(await call("GET", `/v1/jobs/${job_id}`));
    expect(job.result).toEqual(data);
    const list = await call("GET", "/v1/jobs").then((r) => r.json<{ data: Record<string, unknown>[] }>());
    expect(list.data[0]).toMatchObject({ job_id, result: null, result_truncated: true });
  });

  it.each([
    ["status?code=404", 502, "target_http_error", false],
    ["status?code=503", 502, "target_http_error", true],
    ["reset", 502, "connection_failed", true],
    ["type?type=application/zip", 422, "unsupported_content", false],
    ["bytes?count=11000000", 422, "target_too_large", false],
    ["loop", 502, "too_many_redirects", false],
  ])("returns the error code of the cause if the target is %s", async (behavior, status, code, retryable) => {
    const { scrape } = await createClient();
    const response = await scrape({ url: page(behavior) });
    const body = await read(response);
    expect([response.status, body.error.code, body.error.retryable]).toEqual([status, code, retryable]);
    expect(body.error.message).toMatch(/\.$/);
    expect(body.job_id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe.concurrent("a synchronous scrape whose job exists", () => {
  it("responds with 202 instead of 5xx, so that callers don't create a second job", async () => {
    const { secret, call } = await createClient();
    const bindings = withFailingAccounts((method) => (["finish", "get"].includes(method) ? "before" : null));
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const body = JSON.stringify({ url: page("status?code=404") });
    const request = new Request(`${ORIGIN}/v1/scrape?wait=true`, { method: "POST", headers, body });
    const ctx = createExecutionContext();
    const response = await app.fetch(request, bindings, ctx);
    await waitOnExecutionContext(ctx);
    expect(response.status).toBe(202);
    const { job_id } = await read(response);
    expect(await read(await call("GET", `/v1/jobs/${job_id}`))).toMatchObject({ status: "processing" });
  });
});

describe.concurrent("an asynchronous scrape", () => {
  it("responds with 202 and a job that completes", async () => {
    const { call } = await createClient();
    const response = await call("POST", "/v1/scrape", { url: page("article"), formats: ["text"] });
    expect(response.status).toBe(202);
    const { job_id, status, meta } = await read(response);
    expect(status).toBe("queued");
    expect(meta).toMatchObject({ credits_used: 0, credits_reserved: 1 });
    expect(response.headers.get("location")).toBe(`/v1/jobs/${job_id}`);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const job = await readEnded({ call }, `/v1/jobs/${job_id}`);
    expect(job).toMatchObject({ success: true, job_id, status: "completed", endpoint: "scrape" });
    expect(job.result).toMatchObject({ text: expect.stringContaining("kept since 1899") });
    expect(job.meta).toMatchObject({ credits_used: 1 });
    expect("error" in job).toBe(false);
  });

  it("fails with a code and a message, for free", async () => {
    const { call } = await createClient();
    const { job_id } = await read(await call("POST", "/v1/scrape", { url: page("status?code=410") }));
    const job = await readEnded({ call }, `/v1/jobs/${job_id}`);
    expect(job.status).toBe("failed");
    expect(job.error).toEqual({
      ...{ code: "target_http_error", message: expect.stringContaining("410"), hint: expect.any(String) },
      doc_url: `${ORIGIN}/docs/errors#target_http_error`,
    });
    expect(job.meta).toMatchObject({ credits_used: 0 });
    expect(job.completed_at).toBeTypeOf("string");
    expect("result" in job).toBe(false);
  });
});

describe("a wrong request", () => {
  const url = "https://example.com/";
  it.each([
    ["no url", {}, "url"],
    ["an invalid url", { url: "nope" }, "url"],
    ["another scheme", { url: "ftp://example.com/" }, "url"],
    ["credentials in the url", { url: "https://user:pass@example.com/" }, "url"],
    ["a url that is too long", { url: `${url}${"a".repeat(2048)}` }, "url"],
    ["an unknown format", { url, formats: ["docx"] }, "formats.0"],
    ["no format", { url, formats: [] }, "formats"],
    ["an unknown field", { url, js_rendr: true }, "js_rendr"],
    ["a string instead of a boolean", { url, js_render: "yes" }, "js_render"],
    ["an invalid country code", { url, proxy_country: "Turkey" }, "proxy_country"],
    ["a webhook without TLS", { url, webhook_url: "http://example.com/h" }, "webhook_url"],
    ["a webhook that isn't public", { url, webhook_url: "https://10.0.0.1/h" }, "webhook_url"],
    ["an empty selector", { url, wait_for: " " }, "wait_for"],
    ["an invalid selector", { url, wait_for: "div[" }, "wait_for"],
  ])("gets 400 with the parameter's name: %s", async (_, body, path) => {
    const { scrape } = await createClient();
    const response = await scrape(body);
    expect(response.status).toBe(400);
    const { error, success } = await read(response);
    expect(success).toBe(false);
    expect(error.code).toBe("invalid_request");
    expect(error.details?.map((detail) => detail.path)).toContain(path);
  });

  it("gets 400 if the URL alone shows that it is invalid", async () => {
    const { scrape } = await createClient();
    for (const target of [
      "http://127.0.0.1:22/",
      "http://2130706433/",
      "http://[::1]/",
      "http://metadata.internal/",
      `${ORIGIN}/v1/jobs`,
    ]) {
      const response = await scrape({ url: target });
      expect([target, response.status, (await read(response)).error.code]).toEqual([target, 400, "invalid_target"]);
    }
  });

  it("gets 400 if no proxy serves the country", async () => {
    const { scrape } = await createClient();
    const target = page("article");
    const response = await scrape({ url: target, proxy_country: "us" });
    expect([response.status, (await read(response)).error.code]).toEqual([400, "proxy_unavailable"]);
    expect(await querySite("hits", target)).toBe(0);
  });

  it("gets 400, 413 or 415 depending on its body and content type", async () => {
    const { call } = await createClient();
    const send = async (body: string, type: string | null) => {
      const response = await call("POST", "/v1/scrape", undefined, {
        body,
        headers: type === null ? {} : { "content-type": type },
      });
      return [response.status, (await read(response)).error.code];
    };
    expect(await send("{", "application/json")).toEqual([400, "invalid_json"]);
    expect(await send("[]", "application/json")).toEqual([400, "invalid_request"]);
    expect(await send("{}", "text/plain")).toEqual([415, "unsupported_media_type"]);
    expect(await send(`{"url":"${"a".repeat(5 * 1024 * 1024)}"}`, "application/json")).toEqual([
      413,
      "payload_too_large",
    ]);
  });

  it("gets 400 for a misspelled parameter wait", async () => {
    const { call } = await createClient();
    for (const query of ["wait=yes", "wait=1", "wiat=true", "wait=true&wait=true"]) {
      const response = await call("POST", `/v1/scrape?${query}`, { url });
      expect([query, response.status]).toEqual([query, 400]);
    }
  });
});

describe("authentication", () => {
  it.each([
    ["nothing", undefined, "missing_api_key"],
    ["another scheme", "Basic abc", "malformed_authorization"],
    ["no key", "Bearer", "malformed_authorization"],
    ["two words", "Bearer a b", "malformed_authorization"],
    ["a mistyped key", "Bearer sk_live_nope", "invalid_api_key"],
    ["an unknown key", "Bearer sk_live_00000000000000000000000000000000", "invalid_api_key"],
  ])("responds with 401 for %s", async (_, authorization, code) => {
    const response = await request("/v1/jobs", { headers: authorization === undefined ? {} : { authorization } });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect((await read(response)).error.code).toBe(code);
  });

  it("responds with 401 for a revoked key and 403 for a key without the scope", async () => {
    const revoked = await createClient({ revoked: true });
    const refused = await revoked.call("GET", "/v1/jobs");
    expect([refused.status, (await read(refused)).error.code]).toEqual([401, "revoked_api_key"]);
    const narrow = await createClient({ scopes: ["jobs"] });
    const response = await narrow.scrape({ url: "https://example.com/" });
    const { error } = await read(response);
    expect([response.status, error.code]).toEqual([403, "insufficient_scope"]);
    expect(error.message).toContain("'scrape'");
  });
});
