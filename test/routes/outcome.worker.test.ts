import { expect, it } from "vitest";
import { call } from "../support/admin";
import { createClient, page, read } from "../support/client";

const body = "<title>Page not found</title><main><h1>404</h1><p>This page doesn't exist.</p></main>";
const url = `${page("type")}?${new URLSearchParams({ type: "text/html", body })}`;

async function balanceOf(client: Awaited<ReturnType<typeof createClient>>) {
  const { data } = await read(await client.call("GET", "/v1/usage"));
  return { balance: data.balance, reserved: data.reserved };
}

it("a page with another outcome than ok is free, and its job can be found by the outcome", async () => {
  const client = await createClient();
  const before = await balanceOf(client);
  const missing = await read(await client.scrape({ url, formats: ["markdown"], render: "auto" }));
  expect(missing).toMatchObject({
    data: { markdown: expect.stringContaining("404") },
    meta: {
      ...{ credits_used: 0, outcome: "soft_404", outcome_reason: expect.any(String), rendered: false },
      hint: expect.stringMatching(/^Check the URL\./),
    },
  });
  expect(await balanceOf(client)).toEqual(before);
  const { meta } = await read(await client.scrape({ url: page("article"), render: "auto" }));
  expect(meta).toMatchObject({ credits_used: 1, outcome: "ok", rendered: false });
  expect(meta).not.toHaveProperty("hint");
  expect(await balanceOf(client)).toEqual({ balance: Number(before.balance) - 1, reserved: 0 });
  const list = await read(await client.call("GET", "/v1/jobs?outcome=soft_404"));
  expect(list).toMatchObject({ data: [{ job_id: missing.job_id, meta: missing.meta }], pagination: { total: 1 } });
  const { data } = await read(await client.call("GET", "/v1/usage"));
  expect(Object.values(data.by_code ?? {})).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: "ok", credits: 1 }),
      expect.objectContaining({ code: "soft_404", credits: 0, failed: 0 }),
    ]),
  );
});

it("a page with another outcome than ok is charged if the operator charges the account for such pages", async () => {
  const client = await createClient();
  for (const [charge_free_outcomes, price] of [[true, 1] as const, [false, 0] as const]) {
    await call("PATCH", `/accounts/${client.accountId}`, { charge_free_outcomes });
    const { meta } = await read(await client.scrape({ url, formats: ["markdown"] }));
    expect(meta).toMatchObject({ credits_used: price, outcome: "soft_404" });
  }
});

it("a page without content that a browser renders has the price of rendering", async () => {
  const client = await createClient();
  const { data, meta } = await read(await client.scrape({ url: page("script"), render: "auto", formats: ["text"] }));
  expect(data.text).toContain("Only a browser can read this sentence");
  expect(meta).toMatchObject({ credits_used: 2, outcome: "ok", rendered: true });
});

it.each([
  [{ render: "maybe" }, "render", /auto.*always.*never/],
  [{ render: "auto", js_render: true }, "render", /can't be combined with 'js_render'/],
  [{ render: "never", js_render: false }, "render", /can't be combined with 'js_render'/],
])("the request %j is invalid", async (more, path, message) => {
  const client = await createClient();
  const response = await client.scrape({ url: page("article"), ...more });
  const { error } = await read(response);
  expect([response.status, error.code]).toEqual([400, "invalid_request"]);
  expect(error.details).toEqual([{ path, message: expect.stringMatching(message) }]);
});
