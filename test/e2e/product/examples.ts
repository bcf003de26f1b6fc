// Runs the documented examples of the clients in TypeScript and Python against a service that `npm start` started.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { sign } from "@octokit/webhooks-methods";
import { beforeAll, describe, expect, it } from "vitest";
import type { ProductWorld } from "../../support/product-world.ts";
import { installPythonClient, NO_PYTHON } from "../../support/python-client.ts";
import { describeCommandLine } from "./command-line.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const secret = "whsec_of-this-test";
const meta = { processing_time_ms: 1, credits_used: 1, created_at: "", completed_at: "" };
const event = { event: "job.completed", job_id: "job-1", status: "completed", endpoint: "scrape", meta };
const body = JSON.stringify({ ...event, result: { markdown: "# Zażółć" } });

/** Returns all examples of docs/clients.md in a language as one program. */
function toProgram(language: string): string {
  const blocks = [...read("docs/clients.md").matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))];
  return blocks.map(([, code = ""]) => code).join("\n");
}

const line = (output: string, start: RegExp) => output.split("\n").find((text) => start.test(text));

/** Checks the output of the examples in both languages: the page, the results by position, the job and the crawl. */
function expectShown(output: string): void {
  expect(output).toMatch(/^Mock page of example.com # Mock page of example.com$/m);
  expect(line(output, /^20 /)).toMatch(/^20 .+ https?:\/\//);
  expect(line(output, /^[0-9a-f]{8}-[0-9a-f-]{27} #/)).toBeDefined();
  const crawled = output.matchAll(/^https:\/\/example\.com(\/\S*) \d+$/gm);
  expect(Array.from(crawled, ([, path]) => path).toSorted()).toEqual([
    "/",
    "/about",
    "/contact",
    "/docs",
    "/docs/api",
    "/docs/start",
  ]);
}

export function describeExamples(world: ProductWorld): void {
  describe("the examples of docs/clients.md", () => {
    let signature: string;
    let folder: string;

    beforeAll(async () => {
      signature = await sign(secret, body);
      folder = join(world.temporary, "reader");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      const packed = await fetch(`${world.product.base}/client.tgz`);
      expect([packed.status, packed.headers.get("content-type")]).toEqual([200, "application/gzip"]);
      await packed.body?.cancel();
      await run("npm", ["install", "--no-audit", "--no-fund", `${world.product.base}/client.tgz`]);
    });

    async function run(command: string, args: string[], variables: Record<string, string> = {}): Promise<string> {
      const { base, test } = world.product;
      const env = { ...process.env, BASE: base, KEY: test, WEBHOOK_SECRET: secret, ...variables };
      const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env, encoding: "utf8" });
      return stdout;
    }

    describeCommandLine(world, () => folder);

    it("compile and run in TypeScript", async () => {
      const program = `${toProgram("ts")}
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
      expect(await run(tsc, ["-p", folder]).catch((error) => error.stdout)).toBe("");

      const output = await run(process.execPath, ["program.ts"]);
      expectShown(output);
      expect(line(output, /^blocked_by_target /)).toMatch(
        /^blocked_by_target 502 true \S.+ http\S+#blocked_by_target [0-9a-f-]{36} [0-9a-f-]{36}$/,
      );
      expect(output).toContain("job-1 # Zażółć");
      expect(line(output, /^receivers answer/)).toBe("receivers answer 204 401");
    });

    it("load pages for LangChain and the AI SDK", async () => {
      const own = join(folder, "frameworks");
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, "package.json"), '{ "type": "module" }');
      const install = ["install", "--no-audit", "--no-fund", "--prefix", own, `${world.product.base}/client.tgz`];
      const certificates = { NODE_EXTRA_CA_CERTS: process.env.MACHINE_CA_CERTS ?? "" };
      await run("npm", [...install, "@langchain/core@1.4.0", "ai@7.0.173", "zod@4.6.7"], certificates);
      for (const name of ["langchain.ts", "ai-sdk.ts"]) {
        const [, code = ""] =
          new RegExp(`^\`\`\`ts ${name}\n([\\s\\S]*?)^\`\`\``, "m").exec(read("docs/clients.md")) ?? [];
        writeFileSync(join(own, name), code);
      }
      writeFileSync(
        join(own, "program.ts"),
        `import { ExtractionClient } from "web-data-extraction";
import { readPage } from "./ai-sdk.ts";
import { SiteLoader } from "./langchain.ts";
const client = new ExtractionClient({ apiKey: process.env.KEY ?? "", baseUrl: process.env.BASE ?? "" });
const documents = await new SiteLoader(client, { url: "https://example.com/", limit: 3 }).load();
for (const { metadata, pageContent } of documents) console.log(metadata.source, pageContent.split("\\n")[0]);
const options = { toolCallId: "1", messages: [], context: {} };
console.log(await readPage(client).execute?.({ url: "https://example.com/about" }, options));
`,
      );
      const compilerOptions = {
        ...{ lib: ["es2023", "dom"], types: [join(root, "node_modules/@types/node")], module: "nodenext" },
        ...{ target: "es2023", strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
      };
      writeFileSync(join(own, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
      expect(await run(join(root, "node_modules/.bin/tsc"), ["-p", own]).catch((error) => error.stdout)).toBe("");
      const output = await run(process.execPath, [join(own, "program.ts")]);
      expect(output).toMatch(/^https:\/\/example\.com\/ # Mock page of example\.com$/m);
      expect(output.match(/^https:/gm)).toHaveLength(3);
      expect(output).toContain("This is the last paragraph of the mock page.");
    });

    it("run in Python", async ({ skip }) => {
      const python = await installPythonClient(folder);
      if (python === null) return skip(NO_PYTHON);
      writeFileSync(join(folder, "program.py"), toProgram("python"));
      const output = await run(python, ["program.py"]);
      expectShown(output);
      expect(output).toMatch(
        /^blocked_by_target 502 True \S.+ http\S+#blocked_by_target [0-9a-f-]{36} [0-9a-f-]{36}$/m,
      );
    });
  });
}
