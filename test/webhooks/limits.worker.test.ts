import { describe, expect, it } from "vitest";
import { openObject, sqlIn } from "../support/account";
import {
  atOtherHost,
  type DeliveryRef,
  endJob,
  expectAttempts,
  expectPosts,
  postsTo,
  receiver,
} from "../support/webhooks";

async function stagesOf({ account }: Pick<DeliveryRef, "account">): Promise<Record<string, number>> {
  const sql = "SELECT stage, COUNT(*) AS n FROM deliveries WHERE stage IS NOT NULL GROUP BY stage";
  const rows = await sqlIn<{ stage: string; n: number }>(account, sql);
  return Object.fromEntries(rows.map(({ stage, n }) => [stage, n]));
}

describe("a receiver that hangs", () => {
  it("gets four events in parallel, and doesn't delay other receivers", async () => {
    const account = await openObject();
    const hanging = receiver("never");
    for (let i = 0; i < 8; i++) await endJob(hanging, { account });
    await expectPosts(hanging, 4);
    expect(await stagesOf({ account })).toEqual({ sending: 4, waiting: 4 });
    const other = await endJob(atOtherHost(receiver("ok")), { account });
    expect(await expectAttempts(other, 1)).toMatchObject({ status: "succeeded" });
    // The first four posts are still running.
    expect(await stagesOf({ account })).toEqual({ sending: 4, waiting: 4 });
    expect(await postsTo(hanging)).toHaveLength(4);
  });

  it("doesn't delay another account's deliveries", async () => {
    const hanging = receiver("never");
    const account = await openObject();
    for (let i = 0; i < 5; i++) await endJob(hanging, { account });
    await expectPosts(hanging, 4);
    const other = await endJob(receiver("ok"));
    expect(await expectAttempts(other, 1)).toMatchObject({ status: "succeeded" });
  });
});

it("sends waiting events as soon as the receiver responds", async () => {
  const account = await openObject();
  const url = receiver("ok");
  const deliveries: DeliveryRef[] = [];
  for (let i = 0; i < 12; i++) deliveries.push(await endJob(url, { account }));
  await expectPosts(url, 12);
  for (const delivery of deliveries) expect(await expectAttempts(delivery, 1)).toMatchObject({ status: "succeeded" });
  expect(await stagesOf({ account })).toEqual({});
});
