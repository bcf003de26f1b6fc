// Tests the command line of the client's package as a user runs it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NODES, requireNode } from "../../support/nodes.ts";
import type { ProductWorld } from "../../support/product-world.ts";

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** `folder` has the installed package. */
export function describeCommandLine(world: ProductWorld, folder: () => string): void {
  const configuration = () => join(folder(), "configuration");
  const started = (variables: Record<string, string>, args: string[], node = process.execPath): ChildProcess => {
    const { base, test } = world.product;
    const env = {
      ...process.env,
      XDG_CONFIG_HOME: configuration(),
      EXTRACTION_BASE_URL: base,
      EXTRACTION_API_KEY: test,
    };
    const program = join(folder(), "node_modules/.bin/web-data-extraction");
    return spawn(node, [program, ...args], { cwd: folder(), env: { ...env, ...variables } });
  };

  async function ended(child: ChildProcess, input = ""): Promise<Outcome> {
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (text) => {
        texts[name] += text;
      });
    child.stdin?.end(input);
    const [code] = await once(child, "close");
    return { code, ...texts };
  }

  const run = (...args: string[]) => ended(started({}, args));

  describe("the command line", () => {
    it.for(NODES)("prints results on stdout with Node.js $version", async (version, context) => {
      const node = requireNode(version, context);
      const runWith = (...args: string[]) => ended(started({}, args, node));
      const page = await runWith("scrape", "https://example.com/");
      expect(page).toMatchObject({ code: 0, stderr: "" });
      expect(page.stdout).toMatch(/^# Mock page of example\.com\n/);
      const response = JSON.parse(
        (await runWith("scrape", "https://example.com/", "--format", "text", "--json")).stdout,
      );
      expect(Object.keys(response)).toEqual(["data", "meta", "job_id"]);
      expect(response.data.text).toContain("Mock page of example.com");

      const found = await runWith("search", "harbor cranes", "--set", "num_results=2");
      expect(
        found.stdout
          .trim()
          .split("\n\n")
          .map((result) => result.split("\n")[1]),
      ).toEqual([expect.stringMatching(/^https?:/), expect.stringMatching(/^https?:/)]);
      const mapped = await runWith("map", "https://example.com/");
      expect(mapped.stdout.split("\n")).toContain("https://example.com/docs");

      writeFileSync(join(folder(), "schema.json"), '{"type":"object","properties":{"price":{"type":"number"}}}');
      const parsed = await runWith("parse", "https://example.com/", "--schema", "schema.json", "--prompt", "The price");
      expect(JSON.parse(parsed.stdout)).toEqual({ price: expect.any(Number) });

      const crawled = await runWith("crawl", "https://example.com/", "--set", "limit=3");
      const lines = crawled.stdout.trim().split("\n");
      expect(lines.map((line) => JSON.parse(line).result.markdown)).toEqual(Array(3).fill(expect.any(String)));
      expect(crawled.stderr).toMatch(/: crawl [\w-]+ has started\n.+: 3 pages completed, 0 failed, 0 credits used\n$/);
    });

    it("prints the code, field, hint and request id of an API error on stderr and exits with 1", async () => {
      const blocked = await run("scrape", "https://blocked.test/");
      expect(blocked).toMatchObject({ code: 1, stdout: "" });
      expect(blocked.stderr).toMatch(
        /^web-data-extraction: blocked_by_target: \S.*\n {2}hint: \S.*\n {2}job id: \S+\n {2}request id: \S+\n$/,
      );
      const invalid = await run("scrape", "https://example.com/", "--format", "markdown,pdff");
      expect(invalid).toMatchObject({ code: 1, stdout: "" });
      expect(invalid.stderr).toMatch(/: invalid_request: .*\n {2}field: formats\.1: .*'pdff'.*\n {2}hint: /);
      const unreachable = await ended(
        started({ EXTRACTION_BASE_URL: "http://localhost:1/" }, ["map", "https://a.test"]),
      );
      expect(unreachable).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(": network_error: ") });
    });

    it.each([
      { args: [], message: "A command is missing." },
      { args: ["scrap", "https://example.com/"], message: "Unknown command 'scrap'." },
      { args: ["scrape"], message: "'scrape' needs an argument: the url." },
      { args: ["scrape", "https://example.com/", "--colour"], message: "Unknown option '--colour'" },
      { args: ["search", "tea", "--schema", "schema.json"], message: "'search' doesn't have the option --schema." },
      {
        args: ["parse", "https://example.com/", "--schema", "none.json"],
        message: "'none.json' can't be read as JSON",
      },
      { args: ["map", "https://example.com/", "--set", "limit"], message: "--set must have the form NAME=VALUE" },
      { args: ["crawl", "https://example.com/", "--set", "dry_run=true"], message: "--set can't set 'dry_run'." },
      { args: ["map", "https://example.com/", "--base-url", "example.com"], message: "must be an http or https URL" },
    ])("exits with 2 for invalid arguments: $args", async ({ args, message }) => {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(message);
    });

    it("prints its help and version", async () => {
      expect(await run("--help")).toMatchObject({ code: 0, stdout: expect.stringContaining("scrape URL"), stderr: "" });
      expect(await run("--version")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    });

    it("stores a checked key in a file that only the user can read, and sends it only to its service", async () => {
      const { base, test } = world.product;
      const withoutKey = (...args: string[]) => started({ EXTRACTION_API_KEY: "", EXTRACTION_BASE_URL: "" }, args);
      const file = join(configuration(), "web-data-extraction", "config.json");
      expect(await ended(withoutKey("login", "--base-url", base), "sk_test_wrong")).toMatchObject({ code: 1 });
      expect((await ended(withoutKey("map", "https://example.com/", "--base-url", base))).stderr).toContain(
        "no API key",
      );
      // The new file replaces one that others can read.
      mkdirSync(join(configuration(), "web-data-extraction"), { recursive: true });
      writeFileSync(file, "{}", { mode: 0o644 });
      expect(await ended(withoutKey("login", "--base-url", base), `${test}\n`)).toMatchObject({ code: 0, stdout: "" });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ apiKey: test, baseUrl: `${base}/` });
      expect((await ended(withoutKey("scrape", "https://example.com/"))).stdout).toContain("# Mock page");
      const other = await ended(withoutKey("scrape", "https://example.com/", "--base-url", "https://other.test"));
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining(`The stored key is for ${base}/.`)]);
    });

    it("ends quietly when the reader closes the pipe", async () => {
      const child = started({}, ["scrape", "https://example.com/"]);
      child.stdout?.destroy();
      expect(await ended(child)).toMatchObject({ code: 0, stderr: "" });
    });

    it("exits with 1 if its output can't be written", async () => {
      const program = join(folder(), "node_modules/.bin/web-data-extraction");
      const child = spawn("sh", ["-c", '"$0" "$@" > /dev/full', process.execPath, program, "--help"]);
      expect(await ended(child)).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOSPC") });
    });

    it("cancels the crawl and ends quietly after Ctrl-C", async () => {
      const child = started({ EXTRACTION_API_KEY: world.product.live }, ["crawl", world.silentUrl]);
      child.stderr?.once("data", () => child.kill("SIGINT"));
      const { code, stdout, stderr } = await ended(child);
      const id = /^web-data-extraction: crawl (\S+) has started\n$/.exec(stderr)?.[1];
      expect([code, stdout, id]).toEqual([130, "", expect.any(String)]);
      const crawl = await world.call("GET", `/v1/crawl/${id}`);
      expect(await crawl.json()).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    });
  });
}
