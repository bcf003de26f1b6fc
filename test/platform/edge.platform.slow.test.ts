// Tests the stand-in for Cloudflare's `fetch` itself.
import { describe, expect, inject, it } from "vitest";
import { querySite } from "../support/client";

/** Returns a URL of the site with a file name, under a name of the stand-in's domain. */
const file = (behavior: string, name: string) =>
  `http://site.platform.example/${crypto.randomUUID()}/${behavior}/${name}`;
const get = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, { redirect: "manual", ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

describe("the stand-in answers", () => {
  it.each([
    ["http://nowhere.example/", 530, "error code: 1016"],
    ["http://nowhere.platform.example/", 530, "error code: 1016"],
    ["http://refused.platform.example/", 521, "error code: 521"],
    ["http://silent.platform.example/", 522, "error code: 522"],
    ["http://unreachable.platform.example/", 523, "error code: 523"],
    ["http://slow.platform.example/", 524, "error code: 524"],
    ["https://handshake.platform.example/", 525, "error code: 525"],
    ["https://untrusted.platform.example/", 526, "error code: 526"],
    [`${inject("forbidden")}/`, 403, "error code: 1003"],
    ["http://93.184.216.34/", 403, "error code: 1003"],
    ["http://[2606:4700::1111]/", 403, "error code: 1003"],
    ["http://104.16.132.229/", 403, "error code: 1024"],
    ["http://private.world.example/", 403, "error code: 1002"],
    ["http://public.world.example/", 522, "error code: 522"],
  ])("%s with status %i and the body '%s'", async (url, status, text) => {
    const answer = await get(url, { cache: "no-store" });
    expect([answer.status, answer.text]).toEqual([status, text]);
    expect(answer.headers.get("server")).toBe("cloudflare");
    expect(answer.headers.get("cf-ray")).not.toBeNull();
  });

  it("a connection that ends without a response with 520", async () => {
    expect(await get(file("reset", "x"), { cache: "no-store" })).toMatchObject({
      status: 520,
      text: "error code: 520",
    });
  });
});

describe("the stand-in's cache", () => {
  const typed = "type=application/pdf&body=words";

  it.each([
    ["type", `report.pdf?${typed}`, ["MISS", "HIT"], 1],
    ["type", `rows.csv?${typed}`, ["MISS", "HIT"], 1],
    ["type", `page.html?${typed}`, ["DYNAMIC", "DYNAMIC"], 2],
    ["type", `page?${typed}`, ["DYNAMIC", "DYNAMIC"], 2],
    ["status", "report.pdf?code=500", ["MISS", "MISS"], 2],
    ["visitor", "report.pdf", ["MISS", "MISS"], 2],
  ])("answers two requests for %s/%s with %j", async (behavior, name, statuses, hits) => {
    const url = file(behavior, name);
    const init = { headers: { "x-test": "on" } };
    const answers = [await get(url, init), await get(url, init)];
    expect(answers.map(({ headers }) => headers.get("cf-cache-status"))).toEqual(statuses);
    expect(await querySite("hits", url)).toBe(hits);
  });

  it("isn't used with no-store", async () => {
    const url = file("type", `report.pdf?${typed}`);
    for (let i = 0; i < 2; i++) expect((await get(url, { cache: "no-store" })).text).toBe("words");
    expect(await querySite("hits", url)).toBe(2);
  });
});
