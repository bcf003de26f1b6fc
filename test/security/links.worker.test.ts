import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../src/model/limits";
import { createClient, read, request } from "../support/client";

afterEach(() => vi.useRealTimers());

/** Creates a screenshot and returns its signed URL. */
async function createLink(): Promise<URL> {
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
  it("opens without a key, only as an image", async () => {
    const response = await open(await createLink());
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
      "a truncated signature",
      (link) => link.searchParams.set("signature", (link.searchParams.get("signature") ?? "").slice(0, 32)),
    ],
    ["a longer signature", (link) => link.searchParams.set("signature", `${link.searchParams.get("signature")}0`)],
    [
      "a signature in upper case",
      (link) => link.searchParams.set("signature", (link.searchParams.get("signature") ?? "").toUpperCase()),
    ],
    [
      "a later expiry",
      (link) => link.searchParams.set("expires", String(Number(link.searchParams.get("expires")) + 1)),
    ],
    ["no expiry", (link) => link.searchParams.delete("expires")],
    ["an expiry that isn't a number", (link) => link.searchParams.set("expires", "never")],
    ["an infinite expiry", (link) => link.searchParams.set("expires", "Infinity")],
    ["two expiries", (link) => link.searchParams.append("expires", "99999999999")],
    ["two signatures", (link) => link.searchParams.append("signature", "0")],
    [
      "the id of another job",
      (link) => {
        link.pathname = `/screenshots/${crypto.randomUUID()}`;
      },
    ],
    [
      "the job id in upper case",
      (link) => {
        link.pathname = link.pathname.toUpperCase().replace("SCREENSHOTS", "screenshots");
      },
    ],
    [
      "a path traversal",
      (link) => {
        link.pathname = `${link.pathname}%2f..%2f..%2fresults`;
      },
    ],
  ])("doesn't open with %s", async (_, change) => {
    const response = await open(changed(await createLink(), change));
    expect([response.status, (await read(response)).error.code]).toEqual([404, "not_found"]);
  });

  it("doesn't open with another job's signature", async () => {
    const [one, other] = [await createLink(), await createLink()];
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

  it("expires together with the result", async () => {
    const link = await createLink();
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
  ])("rejects %s requests", async (method, status) => {
    expect((await open(await createLink(), { method })).status).toBe(status);
  });
});
