// Installs the client's package in an empty project outside this repository and uses it as a customer does.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeClient } from "../../scripts/build-client.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { NODES, requireNode } from "../support/nodes.ts";

const root = resolve(import.meta.dirname, "../..");
let folder: string;
let user: string;
let gateway: Gateway;

async function run(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: user, encoding: "utf8" });
  return stdout;
}

beforeAll(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), "extraction-client-"));
  user = join(folder, "user");
  await mkdir(user);
  await writeClient();
  await writeFile(join(user, "package.json"), '{ "type": "module" }');
  await run("npm", "install", "--offline", "--no-audit", "--no-fund", join(root, "assets/client.tgz"));
  await writeFile(join(user, "program.ts"), toProgram(gateway.origin));
});

afterAll(async () => {
  gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const toProgram = (gatewayOrigin: string) => `
import { ExtractionClient, ExtractionError, type JobRecord, verifyWebhook, type WebhookEvent } from "web-data-extraction";

let clients = 0;
const connect = (behaviors: string) =>
  new ExtractionClient({ apiKey: "sk_test_of-this-test", baseUrl: "${gatewayOrigin}/" + ++clients + "/" + behaviors });

const { data, meta } = await connect("reset,half,result").scrape({ url: "https://example.com/", formats: ["text"] });
const text: string | undefined = data.text;
const credits: number = meta.credits_used;
const job = await connect("accepted,queued,completed").startParse<{ text: string }>({ html: "<p>", prompt: "The text" });
const parsed: string = (await job.result()).data.text;
const status: JobRecord["status"] = (await job.get()).status;
const aborted: Error = await connect("never").usage({ signal: AbortSignal.timeout(200) }).then(() => new Error("none"), (error) => error);
const failure: unknown = await connect("429-61").serp({ query: "tea" }).catch((error) => error);
const refused = failure instanceof ExtractionError && failure.code === "rate_limited" ? failure.retryAfterMs : null;
const forged: WebhookEvent | string = await verifyWebhook({ body: "{}", headers: {}, secret: "whsec_" }).catch((error) => error.name);

// @ts-expect-error: The parameter js_rendr doesn't exist.
const misspelt: Parameters<ExtractionClient["scrape"]>[0] = { url: "https://example.com/", js_rendr: true };
// @ts-expect-error: The status "done" doesn't exist.
connect("").jobs.list({ status: "done" });

const shown: string = JSON.stringify(connect(""));
console.log(JSON.stringify({ text, credits, parsed, status, aborted: aborted.name, refused, forged, shown, misspelt }));
`;

describe("the client's package", () => {
  it("is one module of at most 15 kB, compressed, without dependencies", async () => {
    const installed = join(user, "node_modules/web-data-extraction");
    const packages = await readdir(join(user, "node_modules"));
    expect(packages.filter((name) => !name.startsWith("."))).toEqual(["web-data-extraction"]);
    const module = await readFile(join(installed, "dist/index.js"), "utf8");
    expect(module).not.toMatch(/\b(?:import|require)\b[ (]/);
    expect(gzipSync(module).length).toBeLessThan(15_000);
  });

  it("has the descriptions of the API reference in its types", async () => {
    const types = await readFile(join(user, "node_modules/web-data-extraction/dist/wire.d.ts"), "utf8");
    expect(types).toMatch(/\/\*\* The formats to return\. Default: \["markdown"\]\. \*\/\n +formats\?: /);
    expect(types).toMatch(/\/\*\* The URL of the page after redirects\. [^\n]* \*\/\n +url: string;/);
  });

  it.each([
    { platform: "browsers", lib: ["es2022", "dom"], types: [], moduleResolution: "bundler" },
    { platform: "Node", lib: ["es2022"], types: ["@types/node"], moduleResolution: "nodenext" },
    { platform: "Workers", lib: ["es2022"], types: ["@cloudflare/workers-types"], moduleResolution: "bundler" },
  ])("compiles with only the types of $platform", async ({ lib, types, moduleResolution }) => {
    const config = {
      compilerOptions: {
        lib,
        types: types.map((name) => join(root, "node_modules", name)),
        module: moduleResolution === "bundler" ? "esnext" : moduleResolution,
        moduleResolution,
        target: "es2022",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
      },
      files: ["program.ts"],
    };
    await writeFile(join(user, "tsconfig.json"), JSON.stringify(config));
    const errors = await run(join(root, "node_modules/.bin/tsc"), "-p", user).catch((error) => error.stdout);
    expect(errors).toBe("");
  });

  it.for(NODES)("works in Node.js $version", async (version, context) => {
    const node = requireNode(version, context);
    await build({ entryPoints: [join(user, "program.ts")], outfile: join(user, "program.js") });
    expect(JSON.parse(await run(node, "program.js"))).toEqual({
      text: "It came.",
      credits: 1,
      parsed: "It came.",
      status: "completed",
      aborted: "TimeoutError",
      refused: 61_000,
      forged: "WebhookSignatureError",
      // The serialized client must not contain the API key.
      shown: '{"jobs":{},"keys":{},"schemas":{},"webhooks":{"endpoints":{}}}',
      misspelt: { url: "https://example.com/", js_rendr: true },
    });
  });
});
