import { spawn, spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { writeClient } from "../../scripts/build-client.ts";
import { ORIGIN, readCurl } from "../../scripts/docs-code.ts";
import { toSiteFiles } from "../../scripts/docs-site.ts";
import { type Samples, toReadable, toSamples } from "../../src/dashboard/pages/playground/samples.ts";
import { listen } from "../support/loopback.ts";

const folder = mkdtempSync(join(tmpdir(), "extraction-samples-"));
const key = "sk_test_of-this-test";
const has = (command: string) => spawnSync(command, ["--version"]).status === 0;

interface SentRequest {
  target: string | undefined;
  type: string | undefined;
  authorization: string | undefined;
  body: unknown;
}

// The sample in TypeScript imports the package of the client.
await writeClient();
const packed = resolve(import.meta.dirname, "../../assets/client.tgz");
const installed = spawnSync("npm", ["install", "--offline", "--no-audit", "--no-fund", packed], { cwd: folder });
if (installed.status !== 0) throw new Error(String(installed.stderr));

let requests: SentRequest[] = [];
const arrivals = new EventEmitter();
const { origin, close } = await listen(
  createServer(async (request, response) => {
    const { "content-type": type, authorization } = request.headers;
    const sent = await text(request);
    const body = sent === "" || !type?.includes("json") ? sent : JSON.parse(sent);
    requests.push({ target: `${request.method} ${request.url}`, type, authorization, body });
    arrivals.emit(authorization ?? "", requests.at(-1));
    response.end(JSON.stringify({ success: true, data: {}, meta: { credits_used: 1 }, job_id: "a job" }));
  }),
);
afterAll(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

// The Python sample imports the package `requests`, which Python doesn't include. This module replaces it.
writeFileSync(
  join(folder, "requests.py"),
  `import json as codec, urllib.request
class Response:
    def __init__(self, text): self.text = text
    def json(self): return codec.loads(self.text)
def send(method, url, *, headers, json=None, files=None, data=None, timeout):
    kind = {} if json is None else {"Content-Type": "application/json"}
    if files is None:
        data = None if json is None else codec.dumps(json).encode()
    else:
        part = lambda name, more, value: b'--x\\r\\nContent-Disposition: form-data; name="%s"%s\\r\\n\\r\\n%s\\r\\n' % (name, more, value)
        file = files["file"]
        data = part(b"options", b"", data["options"].encode()) + part(b"file", b'; filename="%s"' % file.name.replace('"', '%22').encode(), file.read()) + b"--x--"
        kind = {"Content-Type": "multipart/form-data; boundary=x"}
    request = urllib.request.Request(url, data, {**headers, **kind}, method=method)
    return Response(urllib.request.urlopen(request, timeout=timeout).read())
for name in ["get", "post", "put", "patch", "delete"]:
    globals()[name] = lambda url, method=name.upper(), **options: send(method, url, **options)
`,
);

let files = 0;

/** Runs TypeScript in Node. */
function runTypeScript(code: string): [string, ...string[]] {
  const name = `sample-${files++}.mts`;
  writeFileSync(join(folder, name), code);
  return [process.execPath, "--no-warnings", "--experimental-strip-types", name];
}

const runners: Record<keyof Samples, { available: boolean; command: (code: string) => [string, ...string[]] }> = {
  curl: { available: has("curl"), command: (code) => ["sh", "-c", code] },
  typescript: { available: true, command: runTypeScript },
  python: { available: has("python3"), command: (code) => ["python3", "-c", code] },
};

/** Runs the sample in this language and returns the request that arrives. */
async function run(
  language: keyof Samples,
  body: Record<string, unknown>,
  file?: string,
): Promise<SentRequest | undefined> {
  requests = [];
  const sample = toSamples({ origin, operation: "parse", body, file });
  const [command, ...args] = runners[language].command(sample[language]);
  const env = { ...process.env, KEY: key };
  const child = spawn(command, args, { cwd: folder, env, stdio: "ignore" });
  const [status] = await once(child, "exit");
  expect(status).toBe(0);
  return requests[0];
}

const bodies: [name: string, body: Record<string, unknown>][] = [
  ["a plain request", { url: "https://example.com/?a=b&c=d#e", formats: ["markdown", "links"], js_render: true }],
  ["all kinds of quotes", { prompt: `it's "so" \`called\` 'fine' ''' """ \\' \\"` }],
  [
    "characters that shells and templates interpret",
    { prompt: `$HOME $(touch hurt) \${HOME} \`touch hurt\` !! %s {x} \\$ ; rm | cat > hurt` },
  ],
  ["backslashes and control characters", { prompt: "a\\nb\nc\td\re\u0000f\u001bg\\\\", html: "\\" }],
  ["letters of many scripts", { query: "müze saatleri Ⓛ 東京 🗼 \u2028\u2029 \u202e", language: "tr" }],
  [
    "a schema",
    {
      prompt: "p",
      schema: JSON.parse(
        `{"type":"object","properties":{"__proto__":{"type":["string","null"],"enum":["it's",null,true,false]},"two words":{"minimum":-1.5e-7},"constructor":{}},"required":[],"additionalProperties":false}`,
      ),
    },
  ],
  ["an unknown member", { "it's": { deep: [[], [{}], ["x".repeat(100)]] } }],
];

const languages = (["curl", "typescript", "python"] as const).filter((language) => runners[language].available);

describe.each(languages)("the sample in %s", (language) => {
  it.each(bodies)("sends exactly the request: %s", async (_, body) => {
    const sent = await run(language, body);
    expect(sent).toMatchObject({ target: "POST /v1/parse?wait=true", type: "application/json" });
    expect(sent?.authorization).toBe(`Bearer ${key}`);
    // Compares JSON text, because an object comparison doesn't show whether a member named `__proto__` was lost.
    expect(JSON.stringify(sent?.body)).toBe(JSON.stringify(body));
  });

  it.each(["tides.csv", "the \"tides\"; 'list'.csv"])("sends a file instead of the URL: %s", async (name) => {
    writeFileSync(join(folder, name), "day;height\n");
    const body = { url: "https://example.com/", prompt: "@tides.csv; 'now'" };
    const sent = await run(language, body, name);
    expect(sent?.type).toMatch(/^multipart\/form-data; /);
    const form = await new Response(String(sent?.body), { headers: { "Content-Type": sent?.type ?? "" } }).formData();
    expect(JSON.parse(String(form.get("options")))).toEqual({ prompt: body.prompt });
    expect(await (form.get("file") as File).text()).toBe("day;height\n");
  });

  it("doesn't wait if the request has a webhook, because only asynchronous jobs send webhooks", async () => {
    const sent = await run(language, { prompt: "p", webhook_url: "https://example.org/hook" });
    expect(sent?.target).toBe("POST /v1/parse");
  });
});

describe("toReadable", () => {
  it("truncates long texts and sets `cut`", () => {
    const html = "<p>".repeat(1_000);
    const read = toReadable({ html, prompt: "p" });
    expect(read).toEqual({ body: { html: `${html.slice(0, 200)}…`, prompt: "p" }, cut: true });
    expect(toReadable({ prompt: "p" })).toEqual({ body: { prompt: "p" }, cut: false });
  });
});

/** The text of each example that a page of the documentation shows in several languages. */
const EXAMPLES = [...toSiteFiles()].flatMap(([name, file]) => {
  if (!name.endsWith(".json") || !name.startsWith("pages/")) return [];
  const { html = "" } = JSON.parse(String(file)) as { html?: string };
  const codes = [...html.matchAll(/<pre[^>]* data-language="\w+"[^>]*><code>([\s\S]*?)<\/code>/g)].map(
    ([, code = ""]) => toText(code).replaceAll(ORIGIN, origin),
  );
  return Array.from({ length: codes.length / 3 }, (_, i) => ({
    name: `${name} ${i + 1}`,
    curl: codes[3 * i] ?? "",
    typescript: codes[3 * i + 1] ?? "",
    python: codes[3 * i + 2] ?? "",
  }));
});

function toText(html: string): string {
  const text = html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  return text.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Runs the code until its first request arrives, and returns the request. Each run has another key. */
async function runShown(language: keyof Samples, code: string): Promise<SentRequest> {
  const [command, ...args] = runners[language].command(code);
  const own = `sk_test_${files++}`;
  const variables = Object.fromEntries(code.match(/\b[A-Z]+_ID\b/g)?.map((name) => [name, `value-of-${name}`]) ?? []);
  const arrived = once(arrivals, `Bearer ${own}`);
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...variables, KEY: own } });
  const errors = text(child.stderr);
  const exited = once(child, "exit").then(async () => {
    throw new Error(`The code sent no request: ${code}\n${await errors}`);
  });
  try {
    const [sent] = (await Promise.race([arrived, exited])) as [SentRequest];
    return { ...sent, authorization: undefined };
  } finally {
    child.kill();
    exited.catch(() => {});
  }
}

describe("the examples of the documentation", () => {
  it("are shown in several languages on most pages of the API guide", () => {
    expect(EXAMPLES.length).toBeGreaterThan(40);
  });

  it.concurrent.each(EXAMPLES)("send the same request in each language: $name", async (example) => {
    const sent = await runShown("curl", example.curl);
    expect(sent.target).toMatch(/^[A-Z]+ \/v1\//);
    for (const language of languages.filter((each) => each !== "curl")) {
      const same = await runShown(language, example[language]);
      expect({ ...same, body: JSON.stringify(same.body) }).toEqual({ ...sent, body: JSON.stringify(sent.body) });
    }
  });

  it.each([
    ["a pipe", `curl -s "${ORIGIN}/v1/usage" -H "Authorization: Bearer $KEY" | jq .data`],
    ["a command in a command", `curl -s "${ORIGIN}/v1/jobs/$(cat id)" -H "Authorization: Bearer $KEY"`],
    ["a file", `curl -s "${ORIGIN}/v1/scrape" -H "Authorization: Bearer $KEY" -d @body.json`],
    ["an unknown option", `curl -s "${ORIGIN}/v1/usage" -H "Authorization: Bearer $KEY" -o usage.json`],
    [
      "a variable in the body",
      `curl -s "${ORIGIN}/v1/scrape" -H "Authorization: Bearer $KEY" -d '{"url": "'$SITE'/a"}'`,
    ],
    ["two commands", `curl -s "${ORIGIN}/v1/usage" -H "Authorization: Bearer $KEY"; ls`],
    ["no key", `curl -s "${ORIGIN}/v1/usage"`],
    ["another command", "npm start"],
  ])("stay in curl if the command has %s", (_, command) => {
    expect(readCurl(command)).toBeNull();
  });
});
