import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newTag } from "../../../src/lib/id";
import { getScreenshot } from "../../../src/store/objects";
import { call, finishErasure, populate } from "../../support/admin";
import { createAccount, createClient } from "../../support/client";

describe("the restore drill", () => {
  it("restores the account, its jobs, objects and keys after an export and an erasure", async () => {
    const client = await createClient();
    const { account, done } = await populate(client.accountId);
    const path = `/accounts/${client.accountId}`;
    const before = await call("GET", `${path}/export`);
    const lines = before.text.trimEnd().split("\n");
    const header = JSON.parse(lines[0] ?? "");
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ rows: lines.length - 2, changed: false });
    const { data: listed } = await call("GET", `${path}/objects`);
    const keys = (listed.keys as { key: string }[]).map(({ key }) => key);
    expect(keys).toEqual([`results/${account.tag}/${done.id}/1`]);
    const next = await call("GET", `${path}/objects?cursor=${listed.cursor}`);
    const screenshot = (next.data.keys as { key: string }[])[0]?.key ?? "";
    const png = await call("GET", `${path}/objects/${screenshot}`);
    expect(png.text).toBe("\u0001\u0002\u0003");

    await call("POST", `${path}/erase`);
    await finishErasure(account);
    const { format: _, version: __, ...directory } = header;
    expect((await call("POST", "/imports", directory)).data).toEqual({ id: client.accountId, cursor: 0 });
    const rows = lines.slice(1, -1);
    const half = Math.floor(rows.length / 2);
    await call("PUT", `/imports/${client.accountId}/rows?next=${half}`, `${rows.slice(0, half).join("\n")}\n`);
    expect((await call("POST", "/imports", directory)).data).toEqual({ id: client.accountId, cursor: half });
    expect((await call("POST", `/imports/${client.accountId}/finish`, directory)).status).toBe(400);
    await call("PUT", `/imports/${client.accountId}/rows`, `${rows.slice(half).join("\n")}\n`);
    expect((await call("POST", `/imports/${client.accountId}/finish`, directory)).status).toBe(200);
    const stored = await call("PUT", `${path}/objects/${screenshot}`, png.text, {
      headers: { "content-type": "image/png" },
    });
    expect(stored.status).toBe(204);
    expect((await call("PUT", `${path}/objects/results/other/x`, "x")).status).toBe(400);

    const after = (await call("GET", `${path}/export`)).text.trimEnd().split("\n");
    expect(JSON.parse(after[0] ?? "")).toEqual(header);
    const withoutPlace = (line: string) => {
      const [table, row] = JSON.parse(line);
      const { object: _, version: __, maintenance_at: ___, ...rest } = row;
      return table === "account" ? [table, rest] : [table, row];
    };
    expect(after.slice(1, -1).map(withoutPlace)).toEqual(rows.map(withoutPlace));
    expect((await client.call("GET", `/v1/jobs/${done.id}`)).status).toBe(200);
    expect(await getScreenshot(env.STORE, done.id)).not.toBeNull();
  });

  it("refuses an account that exists", async () => {
    const id = await createAccount();
    const [line = ""] = (await call("GET", `/accounts/${id}/export`)).text.split("\n");
    const { format: _, version: __, ...directory } = JSON.parse(line);
    expect(await call("POST", "/imports", directory)).toMatchObject({
      status: 400,
      error: { code: "invalid_request" },
    });
  });

  it("refuses a jurisdiction that the runtime doesn't have, and stores nothing", async () => {
    const id = await createAccount();
    const [line = ""] = (await call("GET", `/accounts/${id}/export`)).text.split("\n");
    const { account, keys } = JSON.parse(line);
    const header = { account: { ...account, id: crypto.randomUUID(), tag: newTag() }, keys };
    const abroad = { ...header, account: { ...header.account, jurisdiction: "eu" } };
    expect(await call("POST", "/imports", abroad)).toMatchObject({ status: 400, error: { code: "invalid_request" } });
    expect((await call("POST", "/imports", header)).status).toBe(200);
  });
});
