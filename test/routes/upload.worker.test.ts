import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toTag } from "../../src/lib/id";
import { MAX_ATTEMPTS } from "../../src/model/limits";
import { putFile } from "../../src/store/objects";
import { newJob, stubOf } from "../support/account";
import {
  type Client,
  createAccount,
  createClient,
  creditsOf,
  page,
  querySite,
  read,
  readEnded,
  refOf,
  request,
} from "../support/client";
import { documents, makeDocx } from "../support/documents";
import { connect } from "../support/extraction-client";
import { callTool, connectMcp } from "../support/mcp-client";
import { makePdf } from "../support/pdf";

const MB = 1024 * 1024;
const HTML = `<!doctype html><html><head><title>Tides</title></head><body><main><h1>The tides</h1>
<p>The keeper writes each height into the ledger at noon. See <a href="/ledger">the ledger</a> and <a href="https://example.com/log">the log</a>.</p></main></body></html>`;

type Part = string | Blob;

function fileOf(content: string | Uint8Array, name = "tides.html", type = "text/html"): File {
  return new File([content as Uint8Array<ArrayBuffer>], name, { type });
}

function formOf(parts: readonly (readonly [name: string, part: Part])[]): FormData {
  const form = new FormData();
  for (const [name, part] of parts) form.append(name, part);
  return form;
}

/** Uploads a file with its options. */
async function upload(
  { call }: Pick<Client, "call">,
  file: Part,
  { options, path = "/v1/scrape?wait=true", headers = {} }: { options?: object; path?: string; headers?: object } = {},
) {
  const sent = options === undefined ? [] : [["options", JSON.stringify(options)] as const];
  return await call("POST", path, undefined, { body: formOf([["file", file], ...sent]), headers: { ...headers } });
}

/** Returns the keys of the stored files of an account, by the id of one of its jobs. */
async function filesOf(jobId: string): Promise<string[]> {
  const { objects } = await env.STORE.list({ prefix: `files/${toTag(jobId)}/` });
  return objects.map(({ key }) => key);
}

/** Creates an account whose slots are all in use until `free` is called, so that a new job waits. */
async function createBusyClient() {
  const client = await createClient({ accountId: await createAccount({ plan: "free" }) });
  const held = page("held");
  const would = async () =>
    (await read(await client.call("POST", "/v1/scrape", { url: held, dry_run: true }))).data as unknown as {
      would_wait: boolean;
    };
  let jobs = 0;
  for (; !(await would()).would_wait; jobs++) await client.call("POST", "/v1/scrape", { url: held });
  const free = async () => {
    // The site only releases the requests that have arrived.
    await expect.poll(() => querySite("hits", held)).toBe(jobs);
    await querySite("release", held);
  };
  return { client, free };
}

describe("an uploaded file", () => {
  it("is returned in the requested formats, for the price of a scrape", async () => {
    const client = await createClient();
    const options = { formats: ["markdown", "metadata", "links"], metadata: { order: "17" } };
    const response = await upload(client, fileOf(HTML), { options });
    const { data, meta, job_id } = await read(response);
    expect([response.status, data.markdown]).toEqual([
      200,
      "# The tides\n\nThe keeper writes each height into the ledger at noon. See the ledger and [the log](https://example.com/log).",
    ]);
    expect(data.links).toEqual([{ url: "https://example.com/log", text: "the log" }]);
    expect(data.metadata).toMatchObject({ title: "The tides", url: "file:///tides.html", content_type: "text/html" });
    expect(meta).toMatchObject({ outcome: "ok", rendered: false, credits_used: 1 });
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 1 });
    const job = await read(await client.call("GET", `/v1/jobs/${job_id}`));
    expect(job.request).toMatchObject({
      file: { name: "tides.html", content_type: "text/html", size: HTML.length, sha256: expect.any(String) },
      ...options,
    });
    expect(job.request).not.toHaveProperty("url");
    const listed = await read(await client.call("GET", "/v1/jobs?q=tides.html"));
    expect(listed.data).toMatchObject([{ job_id }]);
    expect(await filesOf(job_id)).toEqual([]);
  });

  it.each([
    ["report.docx", "", () => documents["report.docx"]?.(), "# The harbour of Leba"],
    ["REPORT.XLSX", "text/plain", () => documents["report.xlsx"]?.(), "|"],
    ["notes.md", "", () => "# Notes\n\n- one", "# Notes\n\n- one"],
    ["table.csv", "application/octet-stream", () => "day,height\nMonday,1.2", "| day | height |"],
    [`${"x".repeat(300)}.csv`, "", () => "day,height\nMonday,1.2", "| day | height |"],
    ["part.html", "application/octet-stream", () => "<p>Just <b>one</b> line.</p>", "Just **one** line."],
  ])("is recognized by its bytes, its name and its type (%s, '%s')", async (name, type, content, expected) => {
    const response = await upload(await createClient(), fileOf(content() ?? "", name, type));
    expect((await read(response)).data?.markdown).toContain(expected);
  });

  it.each([
    ["photo.pdf", "\x89PNG\r\n\x1a\n…"],
    ["letter.doc", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])],
  ])("that can't be read fails with unsupported_content, is free and is deleted (%s)", async (name, content) => {
    const client = await createClient();
    const bytes = typeof content === "string" ? Uint8Array.from(content, (char) => char.charCodeAt(0)) : content;
    const response = await upload(client, fileOf(bytes, name, ""));
    const { error, job_id } = await read(response);
    expect([response.status, error.code]).toEqual([422, "unsupported_content"]);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 0 });
    await expect.poll(() => filesOf(job_id)).toEqual([]);
  });

  it("with more text than a page may have is refused", async () => {
    const response = await upload(await createClient(), fileOf("word ".repeat(1.2 * MB), "long.txt", "text/plain"));
    expect([response.status, (await read(response)).error.code]).toEqual([422, "target_too_large"]);
  });

  it("has a name without a path, control characters and markup", async () => {
    const client = await createClient();
    const name = "..\\..\\etc/a\u0007\u202e<script>'.html";
    const { data, job_id } = await read(
      await upload(client, fileOf(HTML, name), { options: { formats: ["metadata"] } }),
    );
    const job = await read(await client.call("GET", `/v1/jobs/${job_id}`));
    const { file } = job.request as { file: { name: string } };
    expect(file.name).not.toMatch(/[\\/\p{C}]/u);
    const { url } = data.metadata as unknown as { url: string };
    expect(URL.parse(url)?.href).toBe(url);
  });

  it("of a test key returns mock data and isn't stored", async () => {
    const client = await createClient({ mode: "test" });
    const response = await upload(client, fileOf(HTML), { options: { formats: ["markdown", "metadata"] } });
    const { data, meta, job_id } = await read(response);
    expect([response.status, data.markdown]).toEqual([200, expect.stringContaining("Mock page of tides.html")]);
    expect(meta.credits_used).toBe(0);
    expect(await filesOf(job_id)).toEqual([]);
    const parsed = await upload(client, fileOf(HTML), {
      path: "/v1/parse?wait=true",
      options: { prompt: "The title." },
    });
    expect(parsed.status).toBe(200);
  });

  it("of a dry run isn't stored", async () => {
    const client = await createClient();
    const response = await upload(client, fileOf(HTML), { options: { dry_run: true } });
    expect((await read(response)).data).toMatchObject({ max_credits: 1, method: "given_file" });
    const { job_id } = await read(await client.scrape({ url: page("article") }));
    expect(await filesOf(job_id)).toEqual([]);
  });
});

describe("the job of an uploaded file", () => {
  it("keeps the file while it waits, runs later from the queue, and deletes it at its end", async () => {
    const { client, free } = await createBusyClient();
    const { job_id } = await read(await upload(client, fileOf(HTML), { path: "/v1/scrape" }));
    expect(await filesOf(job_id)).toEqual([`files/${toTag(job_id)}/${job_id}`]);
    await free();
    const job = await readEnded(client, `/v1/jobs/${job_id}`);
    expect(job).toMatchObject({
      status: "completed",
      result: { markdown: expect.stringContaining("# The tides") },
    });
    await expect.poll(() => filesOf(job_id)).toEqual([]);
  });

  it("deletes the file if it is canceled", async () => {
    const { client, free } = await createBusyClient();
    const { job_id } = await read(await upload(client, fileOf(HTML), { path: "/v1/scrape" }));
    await client.call("DELETE", `/v1/jobs/${job_id}`);
    await expect.poll(() => filesOf(job_id)).toEqual([]);
    await free();
  });

  it("deletes the file if its key is revoked", async () => {
    const { client, free } = await createBusyClient();
    const second = await createClient({ accountId: client.accountId });
    const { job_id } = await read(await upload(second, fileOf(HTML), { path: "/v1/scrape" }));
    expect(await filesOf(job_id)).toHaveLength(1);
    await client.call("DELETE", `/v1/keys/${second.keyId}`);
    await expect.poll(() => filesOf(job_id)).toEqual([]);
    await free();
  });

  it("with store: false deletes the file and the request", async () => {
    const client = await createClient();
    const { data, job_id } = await read(await upload(client, fileOf(HTML), { options: { store: false } }));
    expect(data.markdown).toContain("# The tides");
    await expect.poll(() => filesOf(job_id)).toEqual([]);
    expect((await read(await client.call("GET", `/v1/jobs/${job_id}`))).request).toBeNull();
  });

  it("is returned for a repeated request with the same bytes, and conflicts for others", async () => {
    const client = await createClient();
    const headers = { "idempotency-key": "file" };
    const first = await read(await upload(client, fileOf(HTML), { headers }));
    const again = await read(await upload(client, fileOf(HTML), { headers }));
    expect(again).toEqual(first);
    const inJson = { file: { name: "tides.html", content_type: "text/html", base64: btoa(HTML) } };
    const json = await read(await client.call("POST", "/v1/scrape?wait=true", inJson, { headers }));
    expect(json).toEqual(first);
    expect((await upload(client, fileOf(`${HTML} `), { headers })).status).toBe(409);
    expect((await upload(client, fileOf(HTML), { headers, options: { formats: ["text"] } })).status).toBe(409);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 1 });
    expect(await filesOf(first.job_id)).toEqual([]);
  });

  it("doesn't leave the file behind if the balance is too low", async () => {
    const client = await createClient({ accountId: await createAccount({ credits: 1 }) });
    const { job_id } = await read(await client.scrape({ url: page("article") }));
    expect((await upload(client, fileOf(HTML))).status).toBe(402);
    expect(await filesOf(job_id)).toEqual([]);
  });
});

describe("a failing run of an uploaded file", () => {
  it("is retried with the file, and the last one deletes the file", async () => {
    const account = await refOf((await createClient()).accountId);
    const job = newJob(account, { plan: { method: "given_file", lines: [] } });
    const stub = stubOf(account);
    await putFile(env.STORE, job.id, new Uint8Array([1]));
    await stub.createJob(job);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      expect(await filesOf(job.id)).toHaveLength(1);
      await stub.claim(job, `token ${attempt}`);
      await stub.release(job, attempt, { kind: "error" });
    }
    expect(await stub.get(job)).toMatchObject({ status: "failed" });
    await expect.poll(() => filesOf(job.id)).toEqual([]);
  });
});

describe("parse with a file", () => {
  const schema = { type: "object", properties: { height: { type: "number" } }, required: ["height"] };
  const pdf = makePdf([[{ text: "High water at Leba: 1.43 m at noon.", y: 700 }]]);
  const docx = makeDocx("<w:p><w:r><w:t>High water at Leba: 1.43 m at noon.</w:t></w:r></w:p>");

  it.each([
    ["tides.pdf", pdf],
    ["tides.docx", docx],
    ["tides.csv", "place,high water\nLeba,1.43 m at noon"],
    ["tides.html", HTML.replace("</main>", "<p>High water at Leba: 1.43 m at noon.</p></main>")],
  ])("returns the data with evidence from the file (%s)", async (name, content) => {
    const client = await createClient();
    const answer = { data: { height: 1.43 }, evidence: [{ pointer: "/height", quote: "1.43 m at noon" }] };
    const prompt = `The high water. [[good ${crypto.randomUUID()} ${JSON.stringify(answer)}]]`;
    const response = await upload(client, fileOf(content, name, ""), {
      path: "/v1/parse?wait=true",
      options: { prompt, schema, evidence: true },
    });
    const { data, meta } = await read(response);
    expect([response.status, data]).toEqual([200, answer.data]);
    expect(meta).toMatchObject({
      evidence: { "/height": { quote: "1.43 m at noon", verified: true } },
      unverified: [],
      rendered: false,
      credits_used: 5,
    });
  });

  it("reads the data of an HTML file without a model", async () => {
    const product = { "@context": "https://schema.org", "@type": "Product", name: "Tide lamp" };
    const html = `<html><head><script type="application/ld+json">${JSON.stringify(product)}</script></head><body><main><h1>Tide lamp</h1><p>A lamp that follows the tide.</p></main></body></html>`;
    const named = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const response = await upload(await createClient(), fileOf(html), {
      path: "/v1/parse?wait=true",
      options: { prompt: "The product.", schema: named, strategy: "page" },
    });
    expect((await read(response)).data).toEqual({ name: "Tide lamp" });
  });

  it("doesn't call a model for a file without text", async () => {
    const response = await upload(await createClient(), fileOf(makeDocx(""), "empty.docx", ""), {
      path: "/v1/parse?wait=true",
      options: { prompt: "The title.", schema },
    });
    expect([response.status, (await read(response)).error.code]).toEqual([422, "unusable_page"]);
  });
});

describe("the client and the MCP server", () => {
  it("send a file with its options, and check its price", async () => {
    const client = connect(await createClient());
    const bytes = new TextEncoder().encode(HTML);
    for (const file of [
      new Blob([HTML], { type: "text/html" }),
      bytes,
      fileOf(HTML),
      { name: "a.html", data: bytes },
    ]) {
      const { data } = await client.scrape({ file, formats: ["text"] });
      expect(data).toEqual({ text: expect.stringContaining("The keeper writes each height") });
    }
    expect(await client.dryRun("scrape", { file: bytes })).toMatchObject({ method: "given_file", max_credits: 1 });
    const job = await client.startScrape({ file: { name: "notes.md", data: new Blob(["# Notes"]) } });
    expect((await job.result()).data.markdown).toBe("# Notes");
  });

  it("read a small file", async () => {
    const mcp = await connectMcp(await createClient());
    const file = { name: "tides.html", base64: btoa(HTML) };
    const { text, isError } = await callTool(mcp, "scrape", { options: { file } });
    expect([isError, text]).toEqual([undefined, expect.stringContaining("The keeper writes each height")]);
    expect(text).toContain('"tides.html"');
    const large = await callTool(mcp, "scrape", { options: { file: { ...file, base64: "A".repeat(1.5 * MB) } } });
    expect([large.isError, large.text]).toEqual([true, expect.stringContaining("must have at most 1 MB")]);
  });
});

describe("an upload is refused", () => {
  const file = fileOf(HTML);
  const withOptions = (options: unknown): [string, Part][] => [
    ["file", file],
    ["options", typeof options === "string" ? options : JSON.stringify(options)],
  ];

  it.each<[reason: string, parts: [string, Part][], path: string, message: RegExp]>([
    ["without a file", [["options", '{"url": "https://example.com/"}']], "file", /is required in multipart/],
    [
      "with two files",
      [
        ["file", file],
        ["file", file],
      ],
      "file",
      /must be one file/,
    ],
    ["with a text as its file", [["file", "text"]], "file", /must be a file with a file name/],
    ["with an empty file", [["file", fileOf("")]], "file", /must not be empty/],
    [
      "with an unknown part",
      [
        ["file", file],
        ["formats", "text"],
      ],
      "formats",
      /in the part 'options'/,
    ],
    ["with options that aren't JSON", withOptions("{formats}"), "options", /must be a JSON object/],
    ["with a list as options", withOptions([]), "options", /must be a JSON object/],
    ["with options twice", [...withOptions({}), ["options", "{}"]], "options", /only once/],
    ["with a file in the options", withOptions({ file: {} }), "options.file", /as the part 'file'/],
    ["with a URL", withOptions({ url: "https://example.com/" }), "url", /can't be combined with 'file'/],
    ["with a capture", withOptions({ capture_id: "x" }), "capture_id", /can't be combined with 'file'/],
    ["with render", withOptions({ render: "always" }), "render", /no page is loaded/],
    ["with actions", withOptions({ actions: [{ type: "wait", ms: 1 }] }), "actions", /no page is loaded/],
    ["with cookies", withOptions({ cookies: [{ name: "a", value: "b" }] }), "cookies", /no page is loaded/],
    ["with a proxy", withOptions({ proxy_country: "de" }), "proxy_country", /no page is loaded/],
    ["with a capture to keep", withOptions({ capture: true }), "capture", /no page is loaded/],
    ["with a screenshot", withOptions({ formats: ["text", "screenshot"] }), "formats.1", /requires a browser/],
    ["with an unknown option", withOptions({ format: "text" }), "format", /formats/],
  ])("%s", async (_, parts, path, message) => {
    const { call, accountId } = await createClient();
    const response = await call("POST", "/v1/scrape", undefined, { body: formOf(parts) });
    const { error } = await read(response);
    expect([response.status, error.details?.[0]?.path, error.message]).toEqual([
      400,
      path,
      expect.stringMatching(message),
    ]);
    expect(await creditsOf(accountId)).toMatchObject({ balance: 100_000 });
  });

  it.each(["html", "render", "capture"])("for parse with %s", async (name) => {
    const value = { html: "<p>x</p>", render: "auto", capture: true }[name];
    const response = await upload(await createClient(), file, {
      path: "/v1/parse",
      options: { prompt: "The title.", [name]: value },
    });
    expect([response.status, (await read(response)).error.details?.[0]?.path]).toEqual([400, name]);
  });

  it("above 25 MB, and then accepts the next one", async () => {
    const client = await createClient();
    const large = fileOf(new Uint8Array(25 * MB), "large.bin", "");
    const response = await upload(client, large);
    expect([response.status, (await read(response)).error.code]).toEqual([413, "payload_too_large"]);
    const chunked = { body: new Response(formOf([["file", large]])).body, duplex: "half" } as RequestInit;
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    expect((await client.call("POST", "/v1/scrape", undefined, { ...chunked, headers })).status).toBe(413);
    expect((await upload(client, fileOf(HTML + " ".repeat(2 * MB)))).status).toBe(200);
  });

  it("with another media type, by other endpoints, and if the form is broken", async () => {
    const { call } = await createClient();
    const form = (path: string) => call("POST", path, undefined, { body: formOf([["file", file]]) });
    for (const path of ["/v1/serp", "/v1/map", "/v1/batch", "/v1/crawl"]) expect((await form(path)).status).toBe(415);
    const typed = (type: string) =>
      call("POST", "/v1/scrape", undefined, { body: HTML, headers: { "content-type": type } });
    const refused = await typed("text/html");
    expect([refused.status, (await read(refused)).error.message]).toEqual([
      415,
      "The body must be sent with 'Content-Type: application/json', or a file with 'multipart/form-data', not 'text/html'.",
    ]);
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=x"]) {
      const response = await typed(type);
      expect([response.status, (await read(response)).error.code]).toEqual([400, "invalid_request"]);
    }
  });

  it("without a key, and with a key that lacks the scope", async () => {
    const body = () => formOf([["file", file]]);
    expect((await request("/v1/scrape", { method: "POST", body: body() })).status).toBe(401);
    const { call } = await createClient({ scopes: ["serp"] });
    expect((await call("POST", "/v1/scrape", undefined, { body: body() })).status).toBe(403);
  });
});

describe("a file in JSON", () => {
  it("is read like an uploaded one", async () => {
    const { scrape } = await createClient();
    const bytes = makeDocx("<w:p><w:r><w:t>High water at noon.</w:t></w:r></w:p>");
    const base64 = btoa(String.fromCharCode(...bytes));
    const { data } = await read(await scrape({ file: { name: "note.docx", base64 } }));
    expect(data.markdown).toBe("High water at noon.");
  });

  it.each<[string, unknown, string]>([
    ["isn't base64", { name: "a.txt", base64: "§" }, "file.base64"],
    ["has no name", { name: "/", base64: "YQ==" }, "file.name"],
    ["is empty", { name: "a.txt", base64: "" }, "file"],
    ["is larger than 1 MB", { name: "a.txt", base64: "A".repeat(1.5 * MB) }, "file.base64"],
    ["is the record of a stored one", { name: "a.txt", size: 1, sha256: "0" }, "file.base64"],
    ["is a text", "YQ==", "file"],
  ])("is refused if it %s", async (_, file, path) => {
    const { call } = await createClient();
    const response = await call("POST", "/v1/scrape", { file });
    const { error } = await read(response);
    expect([response.status, error.details?.map((detail) => detail.path)]).toEqual([
      400,
      expect.arrayContaining([path]),
    ]);
  });

  it("is refused in batches and crawls", async () => {
    const { call } = await createClient();
    const file = { name: "a.txt", base64: "YQ==" };
    expect((await call("POST", "/v1/batch", { endpoint: "scrape", requests: [{ file }] })).status).toBe(400);
    expect((await call("POST", "/v1/crawl", { url: "https://example.com/", scrape: { file } })).status).toBe(400);
  });
});
