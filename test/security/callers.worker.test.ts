import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { newSecret } from "../../src/keys/secret";
import { createClient, ORIGIN, read, request } from "../support/client";
import { randomIpv4 } from "../support/visitor";

const INSIDE = "203.0.113.9";
const OUTSIDE = "198.51.100.7";

/** Calls the service as if it ran outside Cloudflare, where no proxy overwrites the caller's headers. */
async function callOutsideCloudflare(
  callerAddress: string,
  authorization: string,
  headers: [string, string][],
): Promise<Response> {
  const ctx = createExecutionContext();
  const all = new Headers([["authorization", authorization]]);
  for (const [name, value] of headers) all.append(name, value);
  const bindings = { ...env, CALLER_ADDRESS: callerAddress };
  const response = await app.fetch(new Request(`${ORIGIN}/v1/usage`, { headers: all }), bindings, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

describe("an allow-list", () => {
  it.each<[string, [string, string][]]>([
    ["a header with two addresses, the allowed one last", [["cf-connecting-ip", `${OUTSIDE}, ${INSIDE}`]]],
    ["a header with two addresses, the allowed one first", [["cf-connecting-ip", `${INSIDE}, ${OUTSIDE}`]]],
    [
      "two headers, the allowed address first",
      [
        ["cf-connecting-ip", INSIDE],
        ["cf-connecting-ip", OUTSIDE],
      ],
    ],
    [
      "the allowed address in X-Forwarded-For",
      [
        ["cf-connecting-ip", OUTSIDE],
        ["x-forwarded-for", INSIDE],
      ],
    ],
    [
      "the allowed address in other headers that servers trust",
      [
        ["cf-connecting-ip", OUTSIDE],
        ["true-client-ip", INSIDE],
        ["x-real-ip", INSIDE],
        ["forwarded", `for=${INSIDE}`],
        ["cf-connecting-ipv6", INSIDE],
        ["cf-pseudo-ipv4", INSIDE],
      ],
    ],
    ["a port", [["cf-connecting-ip", `${INSIDE}:443`]]],
    ["an empty header", [["cf-connecting-ip", ""]]],
    ["a header that isn't an address", [["cf-connecting-ip", "localhost"]]],
  ])("can't be bypassed with %s", async (_, headers) => {
    const { secret } = await createClient({ allowedIps: ["203.0.113.0/24"] });
    const init = new Headers([["authorization", `Bearer ${secret}`]]);
    for (const [name, value] of headers) init.append(name, value);
    const response = await request("/v1/usage", { headers: init });
    expect([response.status, (await read(response)).error.code]).toEqual([403, "ip_not_allowed"]);
  });

  it("matches an IPv4 address that is written as IPv6", async () => {
    const { call } = await createClient({ allowedIps: ["203.0.113.0/24"] });
    const headers = { "cf-connecting-ip": `::ffff:${INSIDE}` };
    expect((await call("GET", "/v1/usage", undefined, { headers })).status).toBe(200);
  });

  it("outside Cloudflare uses the operator's CALLER_ADDRESS, never the caller's headers", async () => {
    const authorization = `Bearer ${(await createClient({ allowedIps: ["203.0.113.0/24"] })).secret}`;
    const claims: [string, string][] = [["cf-connecting-ip", INSIDE]];
    expect((await callOutsideCloudflare("unknown", authorization, claims)).status).toBe(403);
    expect((await callOutsideCloudflare(OUTSIDE, authorization, claims)).status).toBe(403);
    expect((await callOutsideCloudflare(INSIDE, authorization, [["cf-connecting-ip", OUTSIDE]])).status).toBe(200);
  });
});

describe("the limit of failed requests", () => {
  it("outside Cloudflare can't be bypassed with a different address in each request", async () => {
    const statuses: number[] = [];
    const caller = randomIpv4();
    for (let i = 0; i < 61; i++) {
      const address = `192.0.2.${i}`;
      const headers: [string, string][] = [
        ["cf-connecting-ip", address],
        ["x-forwarded-for", address],
      ];
      statuses.push((await callOutsideCloudflare(caller, `Bearer ${newSecret("live")}`, headers)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429]);
  });

  it("can't be bypassed with different spellings of an address", async () => {
    const spell = (i: number) =>
      [`2001:db8:aaaa:1::${i}`, `2001:DB8:AAAA:0001:0:0:0:${i}`, `2001:db8:aaaa:1:0::${i}`][i % 3] ?? "";
    const statuses: number[] = [];
    for (let i = 0; i < 61; i++) {
      const headers = { authorization: "Bearer x", "cf-connecting-ip": spell(i) };
      statuses.push((await request("/v1/usage", { headers })).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});
