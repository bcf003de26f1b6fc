import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../src/model/limits";
import { createClient, read, request } from "../support/client";

afterEach(() => vi.useRealTimers());

/** A link as its holder got it. */
async function makeLink(): Promise<URL> {
  const client = await createClient({ mode: "test" });
  const { data } = await read(await client.scrape({ url: "https://example.com/", formats: ["screenshot"] }));
  return new URL(data.screenshot_url ?? "");
}

const open = (link: URL, init?: RequestInit) => request(`${link.pathname}${link.search}`, init);

function changed(link: URL, change: (link: URL) => void): URL {
  const copy = new URL(link);
  change(copy);
  return copy;
}

describe("a screenshot's link", () => {
  it("opens without a key, as a picture and nothing else", async () => {
    const response = await open(await makeLink());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": expect.stringContaining("private"),
    });
  });

  it.each<[string, (link: URL) => void]>([
    ["no signature", (link) => link.searchParams.delete("signature")],
    ["an empty signature", (link) => link.searchParams.set("signature", "")],
    [
      "a signature with one digit changed",
      (link) => {
        const signature = link.searchParams.get("signature") ?? "";
        link.searchParams.set(
          "signature",
          signature.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
        );
      },
    ],
    [
      "half a signature",
      (link) => link.searchParams.set("signature", (link.searchParams.get("signature") ?? "").slice(0, 32)),
    ],
    ["a longer signature", (link) => link.searchParams.set("signature", `${link.searchParams.get("signature")}0`)],
    [
      "a signature in capitals",
      (link) => link.searchParams.set("signature", (link.searchParams.get("signature") ?? "").toUpperCase()),
    ],
    ["a later end", (link) => link.searchParams.set("expires", String(Number(link.searchParams.get("expires")) + 1))],
    ["no end", (link) => link.searchParams.delete("expires")],
    ["an end that is no number", (link) => link.searchParams.set("expires", "never")],
    ["an endless end", (link) => link.searchParams.set("expires", "Infinity")],
    ["two ends", (link) => link.searchParams.append("expires", "99999999999")],
    ["two signatures", (link) => link.searchParams.append("signature", "0")],
    [
      "another job",
      (link) => {
        link.pathname = `/screenshots/${crypto.randomUUID()}`;
      },
    ],
    [
      "a job of another spelling",
      (link) => {
        link.pathname = link.pathname.toUpperCase().replace("SCREENSHOTS", "screenshots");
      },
    ],
    [
      "a path out of its place",
      (link) => {
        link.pathname = `${link.pathname}%2f..%2f..%2fresults`;
      },
    ],
  ])("doesn't open with %s", async (_, change) => {
    const response = await open(changed(await makeLink(), change));
    expect([response.status, (await read(response)).error.code]).toEqual([404, "not_found"]);
  });

  it("doesn't open with what was signed for another job", async () => {
    const [one, other] = [await makeLink(), await makeLink()];
    expect(
      (
        await open(
          changed(one, (link) => {
            link.search = other.search;
          }),
        )
      ).status,
    ).toBe(404);
    expect(
      (
        await open(
          changed(one, (link) => {
            link.pathname = other.pathname;
          }),
        )
      ).status,
    ).toBe(404);
  });

  it("runs out with the result", async () => {
    const link = await makeLink();
    const days = Number(env.RETENTION_DAYS);
    vi.setSystemTime(Date.now() + days * DAY_MS - 60_000);
    expect((await open(link)).status).toBe(200);
    vi.setSystemTime(Date.now() + 61_000);
    expect((await open(link)).status).toBe(404);
  });

  it.each([
    ["POST", 405],
    ["PUT", 405],
    ["DELETE", 405],
  ])("is for reading: %s", async (method, status) => {
    expect((await open(await makeLink(), { method })).status).toBe(status);
  });
});
