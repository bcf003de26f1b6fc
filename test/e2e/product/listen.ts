import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { LISTEN_HOSTS } from "../../../scripts/listen/arguments.ts";
import type { ProductWorld } from "../../support/product-world.ts";

const PROJECT = resolve(import.meta.dirname, "..", "..", "..");

/** Runs `npm run listen` with the state folder of the service. */
export function describeListen(world: ProductWorld): void {
  const started: { stop: () => Promise<number> }[] = [];
  afterEach(async () => {
    for (const listening of started.splice(0)) await listening.stop();
  });

  function listen(...args: string[]) {
    const command = [join(PROJECT, "scripts", "listen.ts"), ...args];
    const child = spawn(process.execPath, command, { cwd: PROJECT, stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "close").then(([code]) => code as number);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    const listening = {
      ended,
      output: () => output,
      stop: async () => {
        child.kill("SIGINT");
        return await ended;
      },
    };
    started.push(listening);
    return listening;
  }

  const toLocal = (port = world.listenPort) => ["--port", String(port), "--persist-to", world.state];
  const call = async (...request: Parameters<ProductWorld["call"]>) =>
    // biome-ignore lint/suspicious/noExplicitAny: what each test reads, it asserts.
    (await (await world.call(...request)).json()) as any;
  const readUrl = async () => (await call("GET", "/v1/webhooks")).data.url;
  const scrape = async (body = {}) => (await call("POST", "/v1/scrape", { url: world.siteUrl, ...body })).job_id;

  describe("npm run listen", () => {
    it("sets its URL, prints deliveries whose signatures it verified, and removes its URL when it is stopped", async () => {
      const listening = listen(...toLocal());
      await expect.poll(listening.output).toContain("Press Ctrl-C");
      expect(await readUrl()).toBe(`http://127.0.0.1:${world.listenPort}/`);
      const id = await scrape();
      await expect.poll(listening.output).toContain(`  job                  ${id}`);
      await expect
        .poll(listening.output)
        .toContain("X-Webhook-Signature  verified\n  webhook-signature    verified (Standard Webhooks)\n");
      const test = await call("POST", "/v1/webhooks/test", undefined, world.product.test);
      await expect.poll(listening.output).toContain(`  X-Webhook-ID         ${test.data.id}`);
      expect(listening.output()).not.toContain("not verified");
      expect(await listening.stop()).toBe(0);
      expect(await readUrl()).toBeNull();
    });

    it("keeps a webhook URL that is set, and replaces it with --set until it is stopped", async () => {
      const url = `${world.receiver.origin}/listen/ok`;
      await call("PUT", "/v1/webhooks", { url });
      const keeping = listen(...toLocal());
      await expect.poll(keeping.output).toContain("Press Ctrl-C");
      expect(keeping.output()).toContain(`live jobs: the webhook URL stays ${url}. Use --set to replace it.`);
      await keeping.stop();

      const replacing = listen(...toLocal(), "--set", "--status", "500");
      await expect.poll(replacing.output).toContain("Press Ctrl-C");
      const id = await scrape();
      await expect.poll(replacing.output).toContain(id);
      const attempts = async () => (await call("GET", `/v1/webhooks/deliveries?job_id=${id}`)).data[0].attempts;
      await expect.poll(attempts).toMatchObject([{ status_code: 500 }]);
      expect(await replacing.stop()).toBe(0);
      expect(replacing.output()).toContain(`live jobs: the webhook URL was restored to ${url}.`);
      expect(await readUrl()).toBe(url);
      await call("PUT", "/v1/webhooks", { url: null });
    });

    it("can use its default address without further settings, and pages can't reach this address", async () => {
      for (const host of LISTEN_HOSTS) {
        expect((await call("PUT", "/v1/webhooks", { url: `http://${host}/` })).data.url).toBe(`http://${host}/`);
        const refused = await call("POST", "/v1/scrape", { url: `http://${host}/` });
        expect(refused.error.code).toBe("invalid_target");
      }
      await call("PUT", "/v1/webhooks", { url: null });
    });

    it.each([
      [
        "a port that isn't allowed",
        () => toLocal(world.listenPort === 65_535 ? 65_534 : 65_535),
        "ALLOWED_PRIVATE_HOSTS",
      ],
      ["a folder without a service", () => ["--persist-to", join(world.temporary, "none")], "Run npm start"],
      ["a port in use", () => toLocal(Number(new URL(world.siteUrl).port)), "choose another port with --port"],
      ["an unknown option", () => ["--colour"], "Unknown option '--colour'"],
    ])("prints an error for %s", async (_, args, message) => {
      const listening = listen(...args());
      expect(await listening.ended).toBe(1);
      expect(listening.output()).toContain(message);
      expect(await readUrl()).toBeNull();
    });
  });
}
