import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app";
import { getScreenshot } from "../../../src/store/objects";
import { newJob, stubOf, withFailingAccounts } from "../../support/account";
import { COMPLETED, call, populate, TOKEN, tablesOf } from "../../support/admin";
import { createAccount, createClient, ORIGIN, objectOf, refOf } from "../../support/client";

describe("moving an account", () => {
  it("keeps all data, runs unfinished jobs again, and deletes the old object", async () => {
    const client = await createClient();
    const { account, done, waiting } = await populate(client.accountId);
    const { data } = await call("POST", `/accounts/${client.accountId}/move`, { location: "weur", drain_seconds: 0 });
    expect(data).toEqual({ state: "moved", object: `${client.accountId}:2` });
    const moved = await refOf(client.accountId);
    expect(moved.object).toBe(`${client.accountId}:2`);
    expect((await call("GET", `/accounts/${client.accountId}`)).data).toMatchObject({
      location: "weur",
      suspended_at: null,
      object_state: "open",
      used: 1,
      reserved: 1,
    });
    expect(await (await objectOf(client.accountId)).get(done)).toMatchObject({
      result: COMPLETED.result,
      account: moved,
    });
    expect(await (await objectOf(client.accountId)).get(waiting)).toMatchObject({ status: "queued" });
    expect((await client.call("GET", `/v1/jobs/${done.id}`)).status).toBe(200);
    const old = stubOf(account);
    expect(await tablesOf(account)).toEqual([]);
    expect(await old.createJob(newJob(account))).toEqual({ kind: "gone" });
    expect(await getScreenshot(env.STORE, done.id)).not.toBeNull();
  });

  it("can be called again after a crash at any step", async () => {
    const steps = ["planMove", "freeze", "beginImport", "importRows", "digestRows", "activate", "discard"] as const;
    for (const step of steps) {
      for (const when of ["before", "after"] as const) {
        const client = await createClient();
        const { account: before, done } = await populate(client.accountId);
        let crashed = false;
        const bindings = withFailingAccounts((method) => {
          if (method !== step || crashed) return null;
          crashed = true;
          return when;
        });
        const move = async () =>
          await app.fetch(
            new Request(`${ORIGIN}/admin/v1/accounts/${client.accountId}/move`, {
              method: "POST",
              body: JSON.stringify({ location: "apac", drain_seconds: 0 }),
              headers: { authorization: `Bearer ${TOKEN}` },
            }),
            bindings,
            createExecutionContext(),
          );
        expect((await move()).status, `${step} ${when}`).toBe(503);
        const again = await move();
        expect(await again.json(), `${step} ${when}`).toMatchObject({ data: { state: "moved" } });
        expect((await call("GET", `/accounts/${client.accountId}`)).data, `${step} ${when}`).toMatchObject({
          suspended_at: null,
          location: "apac",
          object: `${client.accountId}:2`,
        });
        expect(await (await objectOf(client.accountId)).get(done)).toMatchObject({ status: "completed" });
        expect(await tablesOf(before)).toEqual([]);
      }
    }
  }, 60_000);

  it("leaves a suspended account suspended", async () => {
    const id = await createAccount();
    await call("PATCH", `/accounts/${id}`, { suspended: true });
    await call("POST", `/accounts/${id}/move`, { location: "oc" });
    expect((await call("GET", `/accounts/${id}`)).data).toMatchObject({
      location: "oc",
      suspended_at: expect.any(String),
    });
  });

  it("changes nothing if the runtime doesn't have the jurisdiction", async () => {
    const client = await createClient();
    const path = `/accounts/${client.accountId}`;
    expect((await call("POST", `${path}/move`, { jurisdiction: "eu" })).status).toBe(400);
    expect((await call("GET", path)).data).toMatchObject({ suspended_at: null, object_state: "open" });
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    expect((await call("POST", `${path}/move`, { location: "oc" })).data).toMatchObject({ state: "moved" });
  });
});
