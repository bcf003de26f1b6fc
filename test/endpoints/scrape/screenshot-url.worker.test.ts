import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { isScreenshotLinkValid, toFileUrl } from "../../../src/endpoints/scrape/page-files";
import { ORIGIN } from "../../support/client";

const DAY_MS = 86_400_000;
const createdAt = Date.UTC(2026, 2, 1) + 999;

async function makeLink(days: string, id = "job-1") {
  const url = new URL(
    await toFileUrl({ ...env, RETENTION_DAYS: days } as Env, "screenshot", { id, origin: ORIGIN, createdAt }),
  );
  const expires = Number(url.searchParams.get("expires"));
  return { url, id, expires, signature: url.searchParams.get("signature") ?? "" };
}

it("has the origin and the job's id, and expires with the result", async () => {
  const { url, expires } = await makeLink("3");
  expect(`${url.origin}${url.pathname}`).toBe(`${ORIGIN}/screenshots/job-1`);
  expect(expires).toBe((Date.UTC(2026, 2, 1) + 3 * DAY_MS) / 1000);
  expect((await makeLink("7")).expires - expires).toBe((4 * DAY_MS) / 1000);
});

it("is valid until it expires, and only for its own job and time", async () => {
  const { id, expires, signature } = await makeLink("3");
  const isValid = (change: Partial<Parameters<typeof isScreenshotLinkValid>[1]>, bindings = env) =>
    isScreenshotLinkValid(bindings, { id, expires, signature, now: expires * 1000 - 1, ...change });
  expect(await isValid({})).toBe(true);
  expect(await isValid({ now: expires * 1000 })).toBe(false);
  expect(await isValid({ id: "job-2" })).toBe(false);
  expect(await isValid({ expires: expires + 1 })).toBe(false);
  expect(await isValid({ signature: signature.slice(1) })).toBe(false);
  expect(await isValid({ signature: "" })).toBe(false);
  expect(await isValid({}, { ...env, SIGNING_SECRET: "another secret" })).toBe(false);
});
