import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type Context, Hono } from "hono";
import { describe, expect, it } from "vitest";
import { respondWithStored, toErrorResponse, toPage } from "../../src/http/responses";
import { limitBody, originOf } from "../../src/http/router";
import type { AppEnv } from "../../src/model/env";
import { ERROR_HINTS } from "../../src/model/error-hints";
import { AppError } from "../../src/model/errors";
import { createClient, read } from "../support/client";

/** Returns the response of a handler, and the values that it set for the log. */
async function respond(handler: (c: Context<AppEnv>) => Response | Promise<Response>, bindings: Partial<Env> = {}) {
  const app = new Hono<AppEnv>();
  const logged: unknown[] = [];
  app.get("*", async (c) => {
    c.set("requestId", "request-1");
    const response = await handler(c);
    logged.push(c.get("errorCode"), c.get("jobId"));
    return response;
  });
  const ctx = createExecutionContext();
  const response = await app.fetch(new Request("https://a.example/x?y=1"), { ...env, ...bindings } as Env, ctx);
  const body = await response.text();
  await waitOnExecutionContext(ctx);
  return { status: response.status, headers: response.headers, body, logged };
}

describe("an error response", () => {
  it("has the code, the message and whether a retry can help", async () => {
    const { status, body, logged } = await respond((c) => toErrorResponse(c, new AppError("not_found", "No.")));
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: {
        code: "not_found",
        message: "No.",
        retryable: false,
        hint: ERROR_HINTS.not_found,
        doc_url: "https://a.example/docs/errors#not_found",
        request_id: "request-1",
      },
    });
    expect(logged).toEqual(["not_found", undefined]);
  });

  it("has the headers, the details, the hint and the job of the error", async () => {
    const details = [{ path: "url", message: "is required" }];
    const options = { headers: { "Retry-After": "7", Allow: "GET" }, details, jobId: "job-1", hint: "Wait." };
    const { status, headers, body, logged } = await respond(
      (c) => toErrorResponse(c, new AppError("unavailable", "Later.", options)),
      { PUBLIC_URL: "https://public.example/" } as Partial<Env>,
    );
    expect([status, headers.get("retry-after"), headers.get("allow")]).toEqual([503, "7", "GET"]);
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: {
        code: "unavailable",
        message: "Later.",
        retryable: true,
        details,
        hint: "Wait.",
        doc_url: "https://public.example/docs/errors#unavailable",
        request_id: "request-1",
      },
      job_id: "job-1",
    });
    expect(logged).toEqual(["unavailable", "job-1"]);
  });
});

describe("a page of a list", () => {
  it.each([
    [{ total: 5, limit: 2, offset: 0 }, 2, true],
    [{ total: 5, limit: 2, offset: 3 }, 2, false],
    [{ total: 5, limit: 2, offset: 4 }, 1, false],
    [{ total: 0, limit: 2, offset: 0 }, 0, false],
    [{ total: 5, limit: 2, offset: 9 }, 0, false],
    [{ total: 5, limit: 2, offset: 5, totalIsEstimate: true }, 2, true],
    [{ total: 5, limit: 2, offset: 5, totalIsEstimate: true }, 1, false],
    [{ total: 5, limit: 2, offset: 3, totalIsEstimate: false }, 2, false],
  ])("of %j with %i items has more: %s", (numbers, items, has_more) => {
    const data = Array(items).fill("item");
    const { total, limit, offset } = numbers;
    expect(toPage(data, numbers)).toEqual({
      success: true,
      data,
      pagination: {
        ...{ total, limit, offset, has_more },
        ...("totalIsEstimate" in numbers && numbers.totalIsEstimate && { total_is_estimate: true }),
      },
    });
  });
});

describe("a stored result", () => {
  it.each(["data", "result"] as const)(
    "is streamed as the member %s, with the length of the whole body",
    async (name) => {
      const key = crypto.randomUUID();
      const result = JSON.stringify({ text: "Zażółć".repeat(10_000) });
      await env.STORE.put(key, result);
      const { status, headers, body } = await respond(async (c) => {
        const object = await env.STORE.get(key);
        if (object === null) throw new Error("The object is missing.");
        return respondWithStored(c, { job_id: "1" }, name, object);
      });
      expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(body).toBe(`{"job_id":"1","${name}":${result}}`);
      await env.STORE.delete(key);
    },
  );
});

it("uses PUBLIC_URL as the origin, or the origin of the request", async () => {
  const origin = async (PUBLIC_URL: string) =>
    (await respond((c) => c.text(originOf(c)), { PUBLIC_URL } as Partial<Env>)).body;
  expect(await origin("")).toBe("https://a.example");
  expect(await origin("https://public.example/base")).toBe("https://public.example");
});

describe("a body", () => {
  const url = "https://example.com/";
  const json = JSON.stringify({ url });
  const send = async (type: string | null, body: string) => {
    const { call } = await createClient({ mode: "test" });
    return await call("POST", "/v1/scrape?wait=true", undefined, {
      body: new TextEncoder().encode(body),
      headers: type === null ? {} : { "content-type": type },
    });
  };
  const codeOf = async (response: Response) => [response.status, (await read(response)).error?.code];

  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=utf-8",
    "application/json ; charset=utf-8",
    "application/json;",
  ])("can have the type %s", async (type) => {
    expect((await send(type, json)).status).toBe(200);
  });

  it.each([null, "text/plain", "application/jsonp", "text/json", "application/xml; a=application/json"])(
    "can't have the type %s",
    async (type) => {
      expect(await codeOf(await send(type, json))).toEqual([415, "unsupported_media_type"]);
    },
  );

  it.each([
    ["", "invalid_json"],
    ["{", "invalid_json"],
    [`${json}}`, "invalid_json"],
    ["null", "invalid_request"],
    ["[]", "invalid_request"],
    ['"text"', "invalid_request"],
    ["{}", "invalid_request"],
  ])("that is %j is refused with %s", async (body, code) => {
    expect(await codeOf(await send("application/json", body))).toEqual([400, code]);
  });

  it("has one detail for each invalid parameter, with its value", async () => {
    const { error } = await read(
      await send("application/json", JSON.stringify({ url, js_render: 1, formats: ["docx"] })),
    );
    expect(error.details?.map(({ path }) => path).sort()).toEqual(["formats.0", "js_render"]);
    expect(JSON.stringify(error.details)).toContain("not 'docx'");
  });

  it("can have up to 5 MB", async () => {
    const app = new Hono<AppEnv>();
    app.post("/", limitBody, async (c) => c.text(String((await c.req.text()).length)));
    app.onError((error, c) => c.text(error instanceof AppError ? `${error.code}: ${error.message}` : "error"));
    const post = async (length: number) =>
      (await app.request("/", { method: "POST", body: "x".repeat(length) })).text();
    expect(await post(5_242_880)).toBe("5242880");
    expect(await post(5_242_881)).toBe("payload_too_large: The body is larger than the limit of 5242880 bytes.");
  });

  it("isn't read without the scope of the operation", async () => {
    const { call } = await createClient({ scopes: ["jobs"] });
    const init = { body: "{", headers: { "content-type": "text/plain" } };
    expect(await codeOf(await call("POST", "/v1/scrape", undefined, init))).toEqual([403, "insufficient_scope"]);
    expect(await codeOf(await call("GET", "/v1/keys"))).toEqual([403, "insufficient_scope"]);
  });
});
