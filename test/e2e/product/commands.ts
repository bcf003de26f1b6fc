import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProductWorld } from "../../support/product-world.ts";

const PROJECT = resolve(import.meta.dirname, "..", "..", "..");

/** Tests `npm run account` and `npm run jobs` with the running service. */
export function describeCommands(world: ProductWorld): void {
  /** Runs an npm script with the state folder of this service. */
  async function run(script: "account" | "jobs", ...args: string[]): Promise<{ code: number; output: string }> {
    const command = [join(PROJECT, "scripts", `${script}.ts`), ...args, "--persist-to", world.state];
    const child = spawn(process.execPath, command, { cwd: PROJECT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    const [code] = await once(child, "close");
    return { code, output };
  }

  async function createAccount(): Promise<{ id: string; key: string }> {
    const created = await run("account", "create", "Acme", "--plan", "pro", "--monthly-credits", "50");
    const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(created.output)?.[0] ?? "";
    const { output } = await run("account", "key", id);
    return { id, key: /sk_live_\w+/.exec(output)?.[0] ?? "" };
  }

  describe("npm run account", () => {
    it("prints the keys of the local account again", async () => {
      const { output } = await run("account", "keys");
      expect(output).toBe(`live key: ${world.product.live}\ntest key: ${world.product.test}\n`);
    });

    it("creates accounts and keys, and its changes apply to the next request", async () => {
      const { id, key } = await createAccount();
      expect((await world.call("GET", "/v1/usage", undefined, key)).status).toBe(200);
      for (let i = 0; i < 2; i++)
        expect((await run("account", "credits", id, "--add=7", "--key", "once")).output).toContain("57");
      expect((await run("account", "set", id, "--suspend")).code).toBe(0);
      const suspended = await world.call("GET", "/v1/usage", undefined, key);
      expect(await suspended.json()).toMatchObject({ error: { code: "account_suspended" } });
      await run("account", "set", id, "--resume");
      expect((await world.call("GET", "/v1/usage", undefined, key)).status).toBe(200);
      expect((await run("account", "list")).output).toContain(id);
      const charged = await run("account", "set", id, "--charge-free-outcomes", "on");
      expect(charged.output).toMatch(new RegExp(`${id}.*'charged'`));
      const free = await run("account", "set", id, "--charge-free-outcomes", "off");
      expect(free.output).toMatch(new RegExp(`${id}.*'free'`));
      expect((await run("account", "sign-in", "ada@extraction.example")).output).toContain(
        `${world.product.base}/dashboard/link?token=`,
      );
    });

    it("prints an error for invalid arguments", async () => {
      expect(await run("account", "show", "none")).toEqual({ code: 1, output: "There is no account 'none'.\n" });
      expect((await run("account", "create", "Acme", "--plan", "huge")).output).toBe(
        "--plan must be one of free, pro, business, enterprise, but is 'huge'.\n",
      );
      expect((await run("account", "show", "none", "--persist-to", join(world.temporary, "none"))).code).toBe(1);
      expect(await run("account", "create", "Acme", "--prices", "scrape=2")).toEqual({
        code: 1,
        output: "'create' doesn't have the option --prices. Create the account, then change it with 'set'.\n",
      });
      expect((await run("account", "set", "none", "--prices", "scrape=2=3")).output).toBe(
        "--prices: The price 'scrape' must be a whole number from 0 to 1000, such as scrape=1.\n",
      );
      expect((await run("account", "set", "none", "--charge-free-outcomes", "maybe")).output).toBe(
        "--charge-free-outcomes must be on or off, but is 'maybe'.\n",
      );
      expect((await run("account", "dance", "none")).output).toContain("npm run account -- list");
      expect((await run("account", "erase", "none")).output).toContain("--yes");
    });

    it("exports, erases, imports and compares an account, and then moves it", async () => {
      const { id, key } = await createAccount();
      const scraped = await world.call(
        "POST",
        "/v1/scrape?wait=true",
        { url: world.siteUrl, formats: ["screenshot"] },
        key,
      );
      const { job_id, data } = (await scraped.json()) as { job_id: string; data: { screenshot_url: string } };
      const read = async () => await (await world.call("GET", `/v1/jobs/${job_id}`, undefined, key)).json();
      const before = await read();
      expect(before).toMatchObject({ status: "completed" });
      expect((await run("account", "find", job_id)).output).toContain(id);

      const folder = join(world.temporary, "backup");
      expect(await run("account", "export", id, "--to", folder)).toMatchObject({ code: 0 });
      expect(statSync(join(folder, "account.ndjson")).mode & 0o777).toBe(0o600);
      expect(existsSync(join(folder, "objects", "screenshots"))).toBe(true);
      expect((await run("account", "import", folder)).output).toContain("exists. Erase it first.");

      expect(await run("account", "erase", id, "--yes")).toMatchObject({ code: 0 });
      const refused = await world.call("GET", "/v1/usage", undefined, key);
      expect(await refused.json()).toMatchObject({ error: { code: "invalid_api_key" } });
      await expect.poll(async () => (await run("account", "import", folder)).output).toContain("restored");
      expect(await run("account", "compare", folder)).toMatchObject({ code: 0 });
      expect(await read()).toEqual(before);
      expect((await fetch(data.screenshot_url)).status).toBe(200);

      expect((await run("account", "move", id, "--location", "weur")).output).toContain(`${id}:3`);
      expect(await run("account", "compare", folder)).toMatchObject({ code: 0 });
      expect(await read()).toEqual(before);
    });
  });

  describe("npm run jobs", () => {
    it("lists the jobs for a host", async () => {
      const { key } = await createAccount();
      const { job_id } = (await (
        await world.call("POST", "/v1/scrape?wait=true", { url: world.siteUrl }, key)
      ).json()) as { job_id: string };
      const host = new URL(world.siteUrl).hostname;
      const found = await run("jobs", "--host", host, "--since", "2026-01-01");
      expect(found.code).toBe(0);
      expect(found.output).toContain(job_id);
      expect((await run("jobs", "--host", "other.example")).output).toBe("No jobs match these filters.\n");
      expect((await run("jobs", "--since", "yesterday")).output).toBe(
        "--since must be a date such as 2026-11-01, but is 'yesterday'.\n",
      );
    });
  });
}
