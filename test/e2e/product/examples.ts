// Runs the documented examples in curl, TypeScript and Python against a service that `npm start` started.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { sign } from "@octokit/webhooks-methods";
import { beforeAll, describe, expect, it } from "vitest";
import type { ProductWorld } from "../../support/product-world.ts";

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

interface CurlExample {
  command: string;
  /** The documented response. Undefined if the page shows no body. */
  response: unknown;
}

/** Returns the curl commands of a page, each with the JSON block that follows it directly. */
function toCurlExamples(path: string): CurlExample[] {
  const blocks = read(path).matchAll(/^```sh\n(curl [\s\S]*?)^```\n(?:\n```json\n([\s\S]*?)^```)?/gm);
  return [...blocks].map(([, command = "", json]) => ({
    command,
    response: json === undefined ? undefined : JSON.parse(json),
  }));
}

/** The pages with examples in curl. The examples of a page use only the ids of the same page. */
const EXAMPLE_PAGES = ["README.md", ...readdirSync(join(root, "docs/api")).map((name) => `docs/api/${name}`)].filter(
  (path) => /^```sh$/m.test(read(path)),
);

/** Fields whose value for a test key is the same as in the documents. */
const LITERAL_FIELDS = new Set(["success", "status", "endpoint", "code", "event", "retryable", "position"]);

/** Fields that responses to test keys omit, because mock data has no source. */
const LIVE_FIELDS = new Set(["source"]);

/**
 * Returns a matcher for a documented value. A matching value has the same fields with the same types. The values of
 * literal fields must also be the same.
 */
function toMatcher(documented: unknown, field = ""): unknown {
  if (documented === null) return null;
  if (Array.isArray(documented)) {
    const [first] = documented;
    if (typeof first !== "object") return expect.any(Array);
    return expect.arrayContaining([toMatcher(first)]);
  }
  if (typeof documented === "object") {
    const fields = Object.entries(documented).filter(([name]) => !LIVE_FIELDS.has(name));
    return expect.objectContaining(Object.fromEntries(fields.map(([name, value]) => [name, toMatcher(value, name)])));
  }
  return LITERAL_FIELDS.has(field) ? documented : expect.any(Object(documented).constructor);
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
  describe("the documented examples", () => {
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

    async function run(command: string, args: string[], variables: Record<string, string> = {}): Promise<string> {
      const { base, test } = world.product;
      const env = { ...process.env, BASE: base, KEY: test, WEBHOOK_SECRET: secret, ...variables };
      const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env, encoding: "utf8" });
      return stdout;
    }

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

    const hasRequests = spawnSync("python3", ["-c", "import requests"]).status === 0;
    it.skipIf(!hasRequests)("run in Python", async () => {
      writeFileSync(join(folder, "program.py"), toProgram("python"));
      const output = await run("python3", ["program.py"]);
      expectShown(output);
      expect(output).toMatch(/^blocked_by_target: \S/m);
    });

    it("in README.md extract data with a live key and without a model", async () => {
      const example = toCurlExamples("README.md").find(({ command }) => command.includes("/v1/parse"));
      const output = await run("bash", ["-c", example?.command ?? ""], { KEY: world.product.live });
      expect(JSON.parse(output)).toMatchObject({
        data: { name: "Cast iron teapot", price: 49.5 },
        meta: { model_used: "none", credits_used: 5 },
      });
    });

    it.each(EXAMPLE_PAGES)("in %s return the documented responses to curl", async (path) => {
      const examples = toCurlExamples(path);
      expect(examples.length).toBeGreaterThan(0);
      // The ids in the responses, by variable name. Later examples use these variables.
      const ids: Record<string, string> = {};
      for (const { command, response } of examples) {
        const output = await run("bash", ["-c", command], ids);
        if (output === "" && response === undefined) continue;
        const received = JSON.parse(output);
        // If an example has no response, it only shows the parameters of a request.
        expect(received, command).toEqual(toMatcher(response ?? { success: true }));
        if (received.batch_id !== undefined) ids.BATCH_ID = received.batch_id;
        if (received.crawl_id !== undefined) ids.CRAWL_ID = received.crawl_id;
        if (received.job_id !== undefined) ids.JOB_ID = received.job_id;
        if (received.meta?.capture_id !== undefined) ids.CAPTURE_ID = received.meta.capture_id;
        if (received.data?.key !== undefined) ids.KEY_ID = received.data.id;
        if (received.data?.attempts !== undefined) ids.DELIVERY_ID ??= received.data.id;
        if (received.data?.events !== undefined) ids.ENDPOINT_ID = received.data.id;
      }
    });
  });
}
