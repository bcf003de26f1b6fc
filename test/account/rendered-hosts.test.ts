import { afterEach, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../src/model/limits";
import { openObject, sqlIn, stubOf } from "../support/account";

afterEach(() => vi.useRealTimers());

it("a host needs rendering after two plain pages without content, until a plain page has content", async () => {
  const object = stubOf(await openObject());
  const answers = [];
  for (const needed of [null, true, null, true, null, false, null]) answers.push(await object.rendersHost("a", needed));
  expect(answers).toEqual([false, false, false, true, true, false, false]);
  expect(await object.rendersHost("b", null)).toBe(false);
});

it("a host is checked again after ten minutes", async () => {
  const object = stubOf(await openObject());
  vi.useFakeTimers({ toFake: ["Date"] });
  await object.rendersHost("a", true);
  expect(await object.rendersHost("a", true)).toBe(true);
  vi.setSystemTime(Date.now() + 10 * MINUTE_MS - 1);
  expect(await object.rendersHost("a", null)).toBe(true);
  vi.setSystemTime(Date.now() + 1);
  expect(await object.rendersHost("a", null)).toBe(false);
  expect(await object.rendersHost("a", true)).toBe(true);
});

it("an account keeps the last 1,000 hosts that need rendering", async () => {
  const account = await openObject();
  await sqlIn(
    account,
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
     INSERT INTO rendered_hosts (host, pages, checked_at) SELECT 'host' || n, 2, n FROM numbers`,
  );
  await stubOf(account).rendersHost("new", true);
  const count = "SELECT COUNT(*) AS hosts, MIN(checked_at) AS oldest FROM rendered_hosts";
  expect(await sqlIn(account, count)).toEqual([{ hosts: 1_000, oldest: 2 }]);
});
