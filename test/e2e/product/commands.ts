import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProductWorld } from "../../support/product-world.ts";

const PROJECT = resolve(import.meta.dirname, "..", "..", "..");

/** Tests `npm run admin` with the running service. */
export function describeCommands(world: ProductWorld): void {
  /** Runs a command with the state folder of this service. */
  async function run(...args: string[]): Promise<{ code: number; output: string }> {
    const command = [join(PROJECT, "scripts", "admin.ts"), ...args, "--persist-to", world.state];
    const child = spawn(process.execPath, command, { cwd: PROJECT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    const [code] = await once(child, "close");
    return { code, output };
  }

  async function createAccount(): Promise<{ id: string; key: string }> {
    const created = await run("create", "Acme", "--plan", "pro", "--monthly-credits", "50");
    const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(created.output)?.[0] ?? "";
    const { output } = await run("key", id);
    return { id, key: /sk_live_\w+/.exec(output)?.[0] ?? "" };
  }

  describe("npm run admin", () => {
    it("prints the keys of the local account again", async () => {
      const { output } = await run("keys");
      expect(output).toBe(`live key: ${world.product.live}\ntest key: ${world.product.test}\n`);
    });

    it("creates accounts and keys, and its changes apply to the next request", async () => {
      const { id, key } = await createAccount();
      expect((await world.call("GET", "/v1/usage", undefined, key)).status).toBe(200);
      for (let i = 0; i < 2; i++) expect((await run("credits", id, "--add=7", "--key", "once")).output).toContain("57");
      expect((await run("set", id, "--suspend")).code).toBe(0);
      const suspended = await world.call("GET", "/v1/usage", undefined, key);
      expect(await suspended.json()).toMatchObject({ error: { code: "account_suspended" } });
      await run("set", id, "--resume");
      expect((await world.call("GET", "/v1/usage", undefined, key)).status).toBe(200);
      expect((await run("list")).output).toContain(id);
      const charged = await run("set", id, "--charge-free-outcomes", "on");
      expect(charged.output).toMatch(/^charge free outcomes +true$/m);
      for (const line of charged.output.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
      const changed = await run("set", id, "--concurrent-jobs", "3", "--prices", "scrape=2,parse=3", "--json");
      expect(JSON.parse(changed.output)).toMatchObject({ id, concurrent_jobs: 3, prices: { scrape: 2, parse: 3 } });
      expect((await run("sign-in", "ada@extraction.example")).output).toContain(
        `${world.product.base}/dashboard/link?token=`,
      );
    });

    it("adds targets to the deny list, and removes them", async () => {
      const target = "*.abused.example";
      expect((await run("deny", "add", target, "--note", "Complaint 12")).output).toContain(`${target} was added.`);
      expect((await run("deny", "list")).output).toMatch(/^target +\*\.abused\.example\nnote +Complaint 12$/m);
      expect((await run("deny", "remove", target)).code).toBe(0);
      expect((await run("deny", "list")).output).toBe("none\n");
      expect((await run("deny", "dance")).output).toContain("'deny' isn't a command.");
    });

    it("prints the health of the service", async () => {
      const { code, output } = await run("health", "--range", "day", "--json");
      expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ range: "day", problems: [] })]);
    });

    it("prints an error for invalid arguments", async () => {
      expect(await run("show", "none")).toEqual({ code: 1, output: "There is no account 'none'.\n" });
      expect((await run("create", "Acme", "--plan", "huge")).output).toBe(
        "The parameter 'plan' must be one of free, pro, business, enterprise, not 'huge'.\n",
      );
      expect((await run("show", "none", "--persist-to", join(world.temporary, "none"))).code).toBe(1);
      expect(await run("create", "Acme", "--prices", "scrape=2")).toEqual({
        code: 1,
        output: "'create' doesn't have the option --prices.\n",
      });
      expect((await run("set", "none", "--prices", "scrape=2=3")).output).toBe(
        "--prices must be none, or prices such as scrape=2,parse=3, but is 'scrape=2=3'.\n",
      );
      expect((await run("set", "none", "--charge-free-outcomes", "maybe")).output).toBe(
        "--charge-free-outcomes must be on or off, but is 'maybe'.\n",
      );
      expect((await run("dance", "none")).output).toContain("npm run admin -- <command>");
      expect((await run("erase", "none")).output).toContain("--yes");
    });

    it("exports, erases, restores and compares an account, also in another location", async () => {
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
      expect((await run("find", job_id)).output).toContain(id);

      const folder = join(world.temporary, "backup");
      expect(await run("export", id, "--to", folder)).toMatchObject({ code: 0 });
      expect(statSync(join(folder, "account.ndjson")).mode & 0o777).toBe(0o600);
      expect(existsSync(join(folder, "objects", "screenshots"))).toBe(true);
      expect((await run("restore", folder)).output).toContain("exists. Erase it first.");

      expect(await run("erase", id, "--yes")).toMatchObject({ code: 0 });
      const refused = await world.call("GET", "/v1/usage", undefined, key);
      expect(await refused.json()).toMatchObject({ error: { code: "invalid_api_key" } });
      expect((await run("restore", folder, "--location", "mars")).output).toContain("location");
      const restore = async () => (await run("restore", folder, "--location", "weur")).output;
      await expect.poll(restore).toContain("restored");
      expect(await run("compare", folder)).toMatchObject({ code: 0 });
      expect(await read()).toEqual(before);
      expect((await fetch(data.screenshot_url)).status).toBe(200);
    });
  });
}
