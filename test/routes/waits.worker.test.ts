import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { observeCalls } from "../../lab/bench/observe-calls";
import { app } from "../../src/app";
import { type Client, createClient, ORIGIN, page, read } from "../support/client";

interface ObservedCall {
  name: string;
  /** The positions of the start and the end among the starts and ends of all calls. */
  start: number;
  end: number;
}

/** Delays each call, so that calls that run at the same time overlap. */
const DELAY_MS = 30;

/** Sends a request to an isolate with empty caches. Returns the response, and the sequential calls before it. */
async function send({ secret }: Client, method: string, path: string, body?: unknown, bindings: Partial<Env> = {}) {
  const calls: ObservedCall[] = [];
  let position = 0;
  let isOver = false;
  const cold = observeCalls({ ...env, ...bindings }, async (name, call) => {
    const start = position++;
    await scheduler.wait(DELAY_MS);
    const result = await call();
    if (!isOver) calls.push({ name, start, end: position++ });
    return result;
  });
  const ctx = createExecutionContext();
  const init: RequestInit = {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const response = await app.fetch(new Request(`${ORIGIN}${path}`, init), cold, ctx);
  isOver = true;
  const text = await response.clone().text();
  await waitOnExecutionContext(ctx);
  expect([response.ok, text]).toEqual([true, text]);
  return { response, calls: toSequence(calls) };
}

/**
 * Returns the longest sequence of calls of which each starts after the end of the previous one. A query of D1 during
 * another call isn't part of it, even if the other call takes longer on a busy machine.
 */
function toSequence(calls: readonly ObservedCall[]): string[] {
  const isQuery = ({ name }: ObservedCall) => name.startsWith("DB.");
  const others = calls.filter((call) => !isQuery(call));
  const isDuringOther = ({ start, end }: ObservedCall) => others.some((one) => one.start < end && start < one.end);
  let last = -1;
  return calls
    .filter((call) => !isQuery(call) || !isDuringOther(call))
    .toSorted((a, b) => a.end - b.end)
    .flatMap(({ name, start, end }) => {
      if (start < last) return [];
      last = end;
      return [name];
    });
}

const SYNC = ["KEY_VERIFIER.verify", "ACCOUNT.createJob", "ACCOUNT.finish"];
/** A page that declares its data, and is too short to be an article. */
const DECLARED = `<script type="application/ld+json">{"@type":"Product","name":"Teapot"}</script><h1>Teapot</h1>`;

it("a synchronous request waits for three calls", async () => {
  const client = await createClient();
  const url = page("article");
  const parse = { prompt: "the product", schema: { type: "object", properties: { name: { type: "string" } } } };
  const declared = `${page("type")}?${new URLSearchParams({ type: "text/html", body: DECLARED })}`;
  for (const [path, body] of [
    ["/v1/scrape", { url }],
    ["/v1/scrape", { url, render: "auto" }],
    ["/v1/parse", { url: declared, ...parse, strategy: "page" }],
  ] as const) {
    expect([body, (await send(client, "POST", `${path}?wait=true`, body)).calls]).toEqual([body, SYNC]);
  }
});

it("a tool call waits for three calls", async () => {
  const params = { name: "scrape", arguments: { url: page("article") } };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  expect((await send(await createClient(), "POST", "/mcp", message)).calls).toEqual(SYNC);
});

/** Returns three browsers. Those with a name in `busy` have no free slot until a render waits for one. */
function browsers(busy: readonly string[]): Partial<Env> {
  const getByName = (name: string) => {
    const host = env.BROWSER_HOST.getByName(name);
    if (!busy.some((each) => name.startsWith(`${each}@`) || name === each)) return host;
    const full = { kind: "full", message: "Every slot of this browser is in use." };
    const render: typeof host.render = (request, options) =>
      options.wait ? host.render(request, options) : (Promise.resolve(full) as ReturnType<typeof host.render>);
    return { render, hasFreeSlot: async () => false };
  };
  return { BROWSERS: "3", BROWSER_HOST: { getByName } as unknown as Env["BROWSER_HOST"] };
}

it.each<[number, string, string[]]>([
  [4, "is free", []],
  [5, "but the last is busy", ["browser-0", "browser-1"]],
  [5, "is busy", ["browser-0", "browser-1", "browser-2"]],
])("a rendered request waits for %i calls if each browser %s", async (count, _, busy) => {
  const body = { url: page("article"), js_render: true };
  const { calls } = await send(await createClient(), "POST", "/v1/scrape?wait=true", body, browsers(busy));
  expect(calls.filter((name) => !name.startsWith("BROWSER_HOST."))).toEqual(SYNC);
  expect(calls).toHaveLength(count);
});

it("an asynchronous request and a read wait for two calls", async () => {
  const client = await createClient();
  const { response, calls } = await send(client, "POST", "/v1/scrape", { url: page("article") });
  expect(calls).toEqual(["KEY_VERIFIER.verify", "ACCOUNT.createJob"]);
  const { job_id } = await read(response);
  for (const path of [`/v1/jobs/${job_id}`, "/v1/jobs?limit=1", "/v1/usage"]) {
    expect([path, (await send(client, "GET", path)).calls.length]).toEqual([path, 2]);
  }
});

it("a result in R2 adds one call", async () => {
  const client = await createClient();
  const { calls } = await send(client, "POST", "/v1/scrape?wait=true", { url: `${page("large")}?words=20000` });
  expect(calls).toEqual(["KEY_VERIFIER.verify", "ACCOUNT.createJob", "STORE.put", "ACCOUNT.finish"]);
});
