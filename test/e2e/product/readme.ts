// The README's examples in TypeScript, Python and curl, from the first to the last, against the product as it is started.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { sign } from "@octokit/webhooks-methods";
import { beforeAll, describe, expect, it } from "vitest";
import type { ProductWorld } from "../../support/product-world.ts";

const root = resolve(import.meta.dirname, "../../..");
const [, section = ""] = /^## From code\n([\s\S]*?)^## /m.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
const secret = "whsec_of-this-test";
const meta = { processing_time_ms: 1, credits_used: 1, created_at: "", completed_at: "" };
const event = { event: "job.completed", job_id: "job-1", status: "completed", endpoint: "scrape", meta };
const body = JSON.stringify({ ...event, result: { markdown: "# Zażółć" } });

/** All examples of a language as one text. */
function examples(language: string): string {
  const blocks = [...section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))];
  return blocks.map(([, code = ""]) => code).join("\n");
}

const line = (output: string, start: RegExp) => output.split("\n").find((text) => start.test(text));

/** What TypeScript and Python show alike: the page, the results by rank, the job, the webhook's event. */
function expectShown(output: string): void {
  expect(output).toMatch(/^Mock page of example.com # Mock page of example.com$/m);
  expect(line(output, /^20 /)).toMatch(/^20 .+ https?:\/\//);
  expect(line(output, /^[0-9a-f]{8}-[0-9a-f-]{27} #/)).toBeDefined();
  expect(output).toContain("job-1 # Zażółć");
}

export function describeReadme(world: ProductWorld): void {
  describe("the README's examples", () => {
    let signature: string;
    let folder: string;

    beforeAll(async () => {
      signature = await sign(secret, body);
      folder = join(world.temporary, "reader");
      const installed = join(folder, "node_modules/web-data-extraction");
      mkdirSync(installed, { recursive: true });
      await promisify(execFile)(process.execPath, [join(root, "scripts/build-client.ts"), installed]);
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    });

    async function run(command: string, ...args: string[]): Promise<string> {
      const env = { ...process.env, BASE: world.product.base, KEY: world.product.test, WEBHOOK_SECRET: secret };
      const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env, encoding: "utf8" });
      return stdout;
    }

    it("in TypeScript compile and do what they say", async () => {
      const program = `${examples("ts")}
const signed = (signature: string) =>
  new Request("https://receiver.example/", { method: "POST", body: ${JSON.stringify(body)}, headers: { "X-Webhook-Signature": signature } });
console.log("receivers answer", (await receive(signed(${JSON.stringify(signature)}))).status, (await receive(signed("sha256="))).status);
`;
      writeFileSync(join(folder, "program.ts"), program);
      const compilerOptions = {
        lib: ["es2023"],
        types: [join(root, "node_modules/@types/node")],
        module: "nodenext",
        target: "es2023",
        strict: true,
        noEmit: true,
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
      const tsc = join(root, "node_modules/.bin/tsc");
      expect(await run(tsc, "-p", folder).catch((error) => error.stdout)).toBe("");

      const output = await run(process.execPath, "program.ts");
      expectShown(output);
      expect(line(output, /^blocked_by_target /)).toMatch(
        /^blocked_by_target 502 true [0-9a-f-]{36} [0-9a-f-]{36} \d+$/,
      );
      expect(output).toContain("ended by TimeoutError");
      expect(line(output, /^receivers answer/)).toBe("receivers answer 204 401");
    });

    const hasRequests = spawnSync("python3", ["-c", "import requests"]).status === 0;
    it.skipIf(!hasRequests)("in Python do what they say", async () => {
      const program = `${examples("python")}
body = ${JSON.stringify(body)}.encode()
print("receivers answer", receive(body, {"X-Webhook-Signature": ${JSON.stringify(signature)}}), receive(body, {}))
`;
      writeFileSync(join(folder, "program.py"), program);
      const output = await run("python3", "program.py");
      expectShown(output);
      expect(output).toMatch(/^blocked_by_target: \S/m);
      expect(line(output, /^receivers answer/)).toBe("receivers answer 204 401");
    });

    it("in curl do what they say", async () => {
      const [, ...commands] = examples("sh").split(/^(?=curl|JOB=)/m);
      expect(commands).toHaveLength(8);
      const output = await run("bash", "-c", commands.map((command) => `${command}\necho`).join("\n"));
      const answers = output.split("\n").filter((text) => text !== "");
      expect(answers.map((text) => JSON.parse(text))).toMatchObject([
        { success: true, data: { markdown: expect.any(String), metadata: expect.any(Object) } },
        { success: true, data: { name: expect.any(String), price: expect.any(Number) } },
        { success: true, data: { organic: expect.any(Array) } },
        { success: true, status: "completed", result: { markdown: expect.any(String) } },
        { success: true, data: expect.any(Array), pagination: { limit: 100 } },
        { success: false, error: { code: "blocked_by_target", retryable: true }, job_id: expect.any(String) },
        { success: true, data: { url: "https://example.org/hooks/extraction", secret: expect.any(String) } },
      ]);
    });
  });
}
