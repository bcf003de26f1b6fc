import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import { newSecret } from "../../src/model/api-key";
import { createClient, ORIGIN, read, request } from "../support/client";

const INSIDE = "203.0.113.9";
const OUTSIDE = "198.51.100.7";

/** Where the service stands outside Cloudflare: nobody overwrites what a caller says of itself. */
async function askLocally(
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
    ["two addresses in one header", [["cf-connecting-ip", `${OUTSIDE}, ${INSIDE}`]]],
    ["the right one first of two", [["cf-connecting-ip", `${INSIDE}, ${OUTSIDE}`]]],
    [
      "the header twice",
      [
        ["cf-connecting-ip", INSIDE],
        ["cf-connecting-ip", OUTSIDE],
      ],
    ],
    [
      "the address in another header",
      [
        ["cf-connecting-ip", OUTSIDE],
        ["x-forwarded-for", INSIDE],
      ],
    ],
    [
      "every other header that servers trust",
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
    ["nothing", [["cf-connecting-ip", ""]]],
    ["no address at all", [["cf-connecting-ip", "localhost"]]],
  ])("isn't got around by %s", async (_, headers) => {
    const { secret } = await createClient({ allowedIps: ["203.0.113.0/24"] });
    const init = new Headers([["authorization", `Bearer ${secret}`]]);
    for (const [name, value] of headers) init.append(name, value);
    const response = await request("/v1/usage", { headers: init });
    expect([response.status, (await read(response)).error.code]).toEqual([403, "ip_not_allowed"]);
  });

  it("knows an address that is written as an IPv6 one", async () => {
    const { call } = await createClient({ allowedIps: ["203.0.113.0/24"] });
    const headers = { "cf-connecting-ip": `::ffff:${INSIDE}` };
    expect((await call("GET", "/v1/usage", undefined, { headers })).status).toBe(200);
  });

  it("outside Cloudflare knows what the operator says of callers, never what they say themselves", async () => {
    const authorization = `Bearer ${(await createClient({ allowedIps: ["203.0.113.0/24"] })).secret}`;
    const claims: [string, string][] = [["cf-connecting-ip", INSIDE]];
    expect((await askLocally("unknown", authorization, claims)).status).toBe(403);
    expect((await askLocally(OUTSIDE, authorization, claims)).status).toBe(403);
    expect((await askLocally(INSIDE, authorization, [["cf-connecting-ip", OUTSIDE]])).status).toBe(200);
  });
});

describe("the count of failures", () => {
  it("outside Cloudflare isn't escaped with an address of one's own for each guess", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 61; i++) {
      const address = `192.0.2.${i}`;
      const headers: [string, string][] = [
        ["cf-connecting-ip", address],
        ["x-forwarded-for", address],
      ];
      statuses.push((await askLocally("198.51.100.77", `Bearer ${newSecret("live")}`, headers)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429]);
  });

  it("isn't escaped with spellings of one address", async () => {
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
