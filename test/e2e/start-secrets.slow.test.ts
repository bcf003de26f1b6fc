// Tests the secrets that `npm start` reads from the environment and from a file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product.ts";

const MARK = "marked-secret";

let folder: string;
let product: Product;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "start-secrets-"));
  const file = join(folder, "secrets.env");
  const lines = [`ANTHROPIC_API_KEY="${MARK}-file"`, `ADMIN_TOKEN=${MARK}-file`, "ANTHROPIC_MODEL=file-model"];
  writeFileSync(file, ["# Secrets", ...lines, ""].join("\n"));
  product = await startProduct({
    ...{ state: join(folder, "state"), temporary: folder, allowedHosts: "127.0.0.1:9" },
    env: { OPENAI_API_KEY: `${MARK}-environment`, ADMIN_TOKEN: `${MARK}-environment` },
    args: ["--var-file", file, "--var", "OPENAI_MODEL:given-model"],
  });
}, 120_000);

afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the model that a parse would call. */
async function planModel(model?: string): Promise<unknown> {
  const response = await fetch(`${product.base}/v1/parse`, {
    method: "POST",
    headers: { authorization: `Bearer ${product.live}`, "content-type": "application/json" },
    body: JSON.stringify({ html: "<p>Text</p>", prompt: "The text.", dry_run: true, ...(model && { model }) }),
  });
  return ((await response.json()) as { data?: { model: unknown } }).data?.model;
}

it("uses a secret of the environment, and says so", async () => {
  expect(await planModel()).toBe("given-model");
  expect(product.output()).toMatch(/^Secrets from the environment: .*OPENAI_API_KEY/m);
});

it("uses the secrets and variables of the file, which replace the environment", async () => {
  expect(await planModel("file-model")).toBe("file-model");
  const statusFor = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${product.base}/admin/v1/health`, { headers })).status;
  };
  expect(await statusFor(`${MARK}-file`)).toBe(200);
  expect(await statusFor(`${MARK}-environment`)).toBe(401);
});

/** Returns the command line or the environment of each process. */
function readProcesses(name: "cmdline" | "environ"): { pid: string; text: string }[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .map((pid) => {
      try {
        return { pid, text: readFileSync(`/proc/${pid}/${name}`, "utf8").replaceAll("\0", " ") };
      } catch {
        return { pid, text: "" };
      }
    });
}

it("shows no secret in the list of processes, and gives none to the environment of the runtime and browsers", () => {
  const commands = readProcesses("cmdline");
  expect(commands.filter(({ text }) => text.includes(MARK))).toEqual([]);
  const started = new Set(commands.filter(({ text }) => /workerd|--user-data-dir/.test(text)).map(({ pid }) => pid));
  const own = readProcesses("environ").filter(({ pid, text }) => started.has(pid) && text.includes(folder));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ text }) => text.includes(MARK))).toEqual([]);
  expect(product.output()).not.toContain(MARK);
});
