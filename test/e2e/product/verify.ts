import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openAdmin } from "../../../scripts/admin/client.ts";
import type { ProductWorld } from "../../support/product-world.ts";

const PROJECT = resolve(import.meta.dirname, "..", "..", "..");

/** Tests `npm run deploy -- --verify` with the running service. */
export function describeVerify(world: ProductWorld): void {
  describe("npm run deploy -- --verify", () => {
    it("finds no difference, and revokes its key", async () => {
      const targets = join(world.temporary, "targets.json");
      writeFileSync(targets, JSON.stringify(world.verification.targets));
      const options = ["--verify", "--persist-to", world.state, "--targets", targets];
      const child = spawn(process.execPath, [join(PROJECT, "scripts", "deploy.ts"), ...options], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
      const [code] = await once(child, "close");
      expect(output).toContain("No check failed.");
      expect(output).toContain("0 with a minor difference, 0 unclear.");
      expect(output).toMatch(/^webhook signature +verified +verified +ok$/m);
      expect(output).toMatch(/^large screenshot .* 1280 × 4000, 15\.\d MB, .* ok$/m);
      expect(output).toMatch(/^render with many parts +30 scripts, 8 fetches +30 scripts, 8 fetches +ok$/m);
      expect(code).toBe(0);

      const admin = openAdmin({ "persist-to": world.state });
      const [account] = await admin.call<{ id: string }[]>("GET", "/accounts?search=Verification");
      const keys = await admin.call<{ revoked_at: string | null }[]>("GET", `/accounts/${account?.id}/keys`);
      expect(keys).toEqual([expect.objectContaining({ revoked_at: expect.any(String) })]);
    });
  });
}
