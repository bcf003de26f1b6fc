import { describe, expect, inject, it } from "vitest";
import { createClient, page, querySite, read } from "../support/client";

/** Returns the URL of a page with this markup. */
const pageWith = (html: string) =>
  `${page("type")}?${new URLSearchParams({ type: "text/html; charset=utf-8", body: `<!doctype html><title>T</title><body>${html}` })}`;

type Action = Record<string, unknown>;

async function act(html: string, actions: Action[], more: object = {}) {
  const { scrape } = await createClient();
  const response = await scrape({
    url: html.startsWith("http") ? html : pageWith(html),
    formats: ["text"],
    only_main_content: false,
    actions,
    ...more,
  });
  const { data, meta, error } = await read(response);
  return { status: response.status, data, meta, error };
}

/** Performs actions that must succeed, and returns the text of the page. */
async function textAfter(html: string, actions: Action[], more: object = {}): Promise<string> {
  const { data, error } = await act(html, actions, more);
  expect(error).toBeUndefined();
  return data.text ?? "";
}

const OUT = `<p id="out">nothing</p><script>const out = document.querySelector("#out"); const show = (text) => { out.textContent = text };</script>`;

describe.concurrent("actions", () => {
  it("fill in and submit a sign-in form, and read the page behind it", async () => {
    const target = pageWith("<h1>Your account</h1><p>Welcome to the members of the harbour club.</p>");
    const html = `<form onsubmit="event.preventDefault(); if (user.value === 'ada' && pass.value === 's3cret!') location.href = ${JSON.stringify(target).replaceAll('"', "&quot;")}">
      <input id="user" value="old"><input id="pass" type="password"><button>Sign in</button></form>`;
    const { data, error } = await act(html, [
      { type: "type", selector: "#user", text: "ada", clear: true },
      { type: "type", selector: "#pass", text: "s3cret!" },
      { type: "click", selector: "button" },
      { type: "wait", selector: "h1" },
    ]);
    expect(error).toBeUndefined();
    expect(data.text).toContain("Your account");
    expect(data.actions).toHaveLength(4);
    expect(data.actions?.[2]).toMatchObject({ index: 2, type: "click", url: target });
  });

  it("send trusted events of the mouse and the keyboard", async () => {
    const text = await textAfter(
      `<input id="field"><button id="go">Go</button>${OUT}<script>
       const seen = []; const note = (event) => { seen.push(event.type + ":" + (event.key ?? "") + ":" + event.isTrusted); show(seen.join(" ")) };
       field.addEventListener("keydown", note); go.addEventListener("mouseenter", note); go.addEventListener("click", note);</script>`,
      [
        { type: "press", selector: "#field", key: "Enter" },
        { type: "hover", selector: "#go" },
        { type: "click", selector: "#go" },
      ],
    );
    expect(text).toContain("keydown:Enter:true mouseenter::true click::true");
  });

  it("select options by value and by label, also options that appear later", async () => {
    const html = `<select id="a" onchange="setTimeout(() => { b.innerHTML = '<option>x<option value=2>Two' }, 300)"><option>0<option value="v">V</select>
      <select id="b" onchange="show(a.value + b.value)"></select>${OUT}`;
    expect(
      await textAfter(html, [
        { type: "select", selector: "#a", value: "v" },
        { type: "select", selector: "#b", label: "Two" },
      ]),
    ).toContain("v2");
  });

  it("scroll to the end until nothing new is loaded", async () => {
    const html = `<div id="list"></div><script>
      let n = 0; const list = document.querySelector("#list");
      const add = () => { for (let i = 0; i < 40; i++) list.insertAdjacentHTML("beforeend", "<p style='height:100px'>Row " + n++ + "</p>") };
      add(); let busy = false;
      addEventListener("scroll", () => { if (busy || n >= 100 || innerHeight + scrollY < document.body.scrollHeight - 50) return;
        busy = true; fetch("echo").then((r) => r.text()).then(() => { add(); busy = false }) });</script>`;
    const { data, error } = await act(html, [{ type: "scroll", to: "end" }], { timeout_ms: 55_000 });
    expect(error).toBeUndefined();
    expect(data.text).toContain("Row 99");
    expect(data.actions?.[0]).toMatchObject({ type: "scroll", end_reached: true });
  });

  it("return the HTML, and each screenshot with its own link", async () => {
    const { call } = await createClient();
    const { data, error } = await act(
      `<button onclick="show('clicked')">Go</button>${OUT}<div style="height:5000px"></div>`,
      [
        { type: "html" },
        { type: "screenshot" },
        { type: "click", selector: "button" },
        { type: "screenshot", full_page: true },
        { type: "html" },
        { type: "click", selector: "button" },
      ],
    );
    expect(error).toBeUndefined();
    const [before, viewport, , full, after] = data.actions as unknown as { html?: string; screenshot_url?: string }[];
    expect(before?.html).toContain("nothing</p>");
    expect(after?.html).toContain("clicked</p>");
    const sizes = [];
    for (const link of [viewport?.screenshot_url, full?.screenshot_url]) {
      const { pathname, search } = new URL(link ?? "");
      const response = await call("GET", `${pathname}${search}`);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
      sizes.push(new DataView(await response.arrayBuffer()).getUint32(20));
      const other = await call("GET", `${pathname}${search.replace(/action=\d/, "action=7")}`);
      expect(other.status).toBe(404);
    }
    expect(sizes[0]).toBe(800);
    expect(sizes[1]).toBeGreaterThan(5_000);
  });

  it("keep to the request's policy: a click can't open a private host", async () => {
    for (const html of [
      `<a href="http://10.0.0.1/">Go</a>`,
      `<a href="${page("redirect")}?to=http://10.0.0.1/">Go</a>`,
      `<form method="post" action="http://169.254.169.254/"><a onclick="document.forms[0].submit()" href="#">Go</a></form>`,
    ]) {
      const { status, error } = await act(html, [{ type: "click", selector: "a" }]);
      expect([status, error.code, error.details?.[0]?.path]).toEqual([422, "invalid_target", "actions.0"]);
      expect(error.message).toContain("Action 0 (click)");
    }
  });

  it("aren't stopped by new windows, dialogs and downloads", async () => {
    const html = `<a id="tab" target="_blank" href="${page("article")}">Tab</a>
      <button id="open" onclick="window.open('${page("article")}'); show('opened')">Open</button>
      <button id="ask" onclick="show(String(prompt('name?')) + confirm('sure?')); alert('hi')">Ask</button>
      <a id="save" download href="data:application/octet-stream,abc">Save</a>
      <a id="zip" href="${page("type")}?type=application/zip">Zip</a>${OUT}`;
    const { data, error } = await act(
      html,
      ["#tab", "#open", "#save", "#zip", "#ask"].map((selector) => ({ type: "click", selector })),
    );
    expect(error?.message).toBeUndefined();
    expect(data.text).toContain("nullfalse");
  });

  it.each([
    [
      "is covered",
      `<div id="banner" style="position:fixed;inset:0"></div><button id="go">Go</button>`,
      'is covered by <div id="banner">',
    ],
    ["is hidden", `<button id="go" style="display:none">Go</button>`, "is hidden"],
    ["is disabled", `<button id="go" disabled>Go</button>`, "is disabled"],
    ["ignores the mouse", `<button id="go" style="pointer-events:none">Go</button>`, "has 'pointer-events: none'"],
    ["doesn't exist", `<p>empty</p>`, "no element matches '#go'"],
  ])("fail if the element %s", async (_, html, reason) => {
    const { status, error } = await act(html, [
      { type: "wait", ms: 1 },
      { type: "click", selector: "#go" },
    ]);
    expect([status, error.code]).toEqual([422, "action_failed"]);
    expect(error.message).toContain("Action 1 (click) failed");
    expect(error.details).toEqual([{ path: "actions.1.selector", message: expect.stringContaining(reason) }]);
  });

  it.each(["click", "wait"])("of the type %s name a selector that the browser doesn't support", async (type) => {
    const { error } = await act("<button>Go</button>", [{ type, selector: "button:has-text('Go')" }]);
    expect([error.code, error.details?.[0]?.path]).toEqual(["action_failed", "actions.0.selector"]);
    expect(error.message).toContain("the browser refuses the selector 'button:has-text('Go')'");
  });

  it.each([
    ["file", "/etc/hosts", "isn't a text field"],
    ["number", "1,5", "doesn't accept this text as a number"],
  ])("don't type into a field of the type %s what it can't have", async (type, text, reason) => {
    const { status, error } = await act(`<input id="a" type="${type}">`, [{ type: "type", selector: "#a", text }]);
    expect([status, error.code]).toEqual([422, "action_failed"]);
    expect(error.message).toContain(reason);
  });

  it("don't type into a page that opens while a text is typed", async () => {
    const next = pageWith(`<input autofocus>`);
    const html = `<input id="field" oninput="if (this.value === 'abc') location.href = ${JSON.stringify(next).replaceAll('"', "&quot;")}">`;
    const { status, error } = await act(html, [{ type: "type", selector: "#field", text: "abc".repeat(100) }]);
    expect([status, error.code, error.details?.[0]?.path]).toEqual([422, "action_failed", "actions.0.text"]);
    expect(error.message).toContain("began to load another page");
  });

  it("enter capital letters with Shift, and delete what Control+a selects", async () => {
    const keys = ["Control+a", "Backspace", "Shift+a", "b"];
    const actions = [{ type: "click", selector: "#field" }, ...keys.map((key) => ({ type: "press", key }))];
    expect(await textAfter(`<input id="field" value="old" oninput="show(this.value)">${OUT}`, actions)).toContain("Ab");
  });

  it("click an element that a fixed header covers in the center of the page", async () => {
    const html = `<div style="position:fixed;top:0;left:0;right:0;height:60%;background:red">Header</div>
      <div style="height:3000px"></div><button onclick="show('hit')">Go</button><div style="height:3000px"></div>${OUT}`;
    expect(await textAfter(html, [{ type: "click", selector: "button" }])).toContain("hit");
  });

  it("wait until an element can be clicked", async () => {
    const html = `<div id="banner" style="position:fixed;inset:0"></div><button id="go" onclick="show('clicked')">Go</button>${OUT}
      <script>setTimeout(() => banner.remove(), 1500)</script>`;
    expect(await textAfter(html, [{ type: "click", selector: "#go" }])).toContain("clicked");
  });

  it("can't be deceived by the page's changes of built-ins", async () => {
    const html = `<form name="querySelectorAll"></form><button id="go" onclick="show('clicked')">Go</button>${OUT}
      <script>Element.prototype.getClientRects = () => []; Document.prototype.elementFromPoint = () => null; Element.prototype.checkVisibility = () => false;</script>`;
    expect(await textAfter(html, [{ type: "click", selector: "#go" }])).toContain("clicked");
  });

  it("are cut off by the time limit, and the error names the running action", async () => {
    const waits = Array.from({ length: 50 }, () => ({ type: "click", selector: "#go" }));
    const html = `<button id="go" onclick="const end = Date.now() + 400; while (Date.now() < end);">Go</button>`;
    const { status, error } = await act(html, waits, { timeout_ms: 15_000 });
    expect([status, error.code]).toEqual([504, "target_timeout"]);
    expect(error.message).toMatch(/^The page was not rendered within 15 seconds\. Action \d+ \(click\) was running\.$/);
  });

  it("return only the beginning of a very long URL", async () => {
    const html = `<button id="go" onclick="location.hash = 'x'.repeat(20_000)">Go</button>`;
    const { data } = await act(html, [{ type: "click", selector: "#go" }]);
    expect(data.actions).toMatchObject([{ url: expect.stringMatching(/^(?=.{8192}$)http.*#x+$/) }]);
  });

  it.each([
    ["value", "<option>A", "has no option"],
    ["label", "<option>A", "has no option"],
    ["label", "<option>A<option disabled>B", "the option is disabled"],
  ])("name the %s of an option that doesn't exist or can't be selected: %s", async (member, options, reason) => {
    const actions = [{ type: "select", selector: "select", [member]: "B" }];
    const { error } = await act(`<select>${options}</select>`, actions);
    expect(error.details).toEqual([{ path: `actions.0.${member}`, message: expect.stringContaining(reason) }]);
  });

  it("report an error page that a click opens", async () => {
    const { status, error } = await act(`<a href="${page("busy")}?times=9&code=500">Go</a>`, [
      { type: "click", selector: "a" },
    ]);
    expect([status, error.code]).toEqual([502, "target_http_error"]);
    expect(error.message).toContain("Action 0 (click)");
  });

  it("work for a parse, which reads the page after them", async () => {
    expect(inject("hostile")).toBeDefined();
    const { call } = await createClient({ mode: "test" });
    const body = { url: "https://example.com/", prompt: "The tides.", actions: [{ type: "html" }] };
    const response = await call("POST", "/v1/parse", body);
    expect(response.status).toBe(400);
    expect((await read(response)).error.details?.[0]?.path).toBe("actions.0.type");
    expect(await querySite("hits", page("article"))).toBe(0);
  });
});

describe.concurrent("bad actions", () => {
  it.each<[Action, string, string]>([
    [{ type: "fill", selector: "#a", text: "x" }, "actions.0.type", "Did you mean 'type'?"],
    [{ type: "wait_for_selector", selector: "#a" }, "actions.0.type", "Did you mean 'wait'?"],
    [{ type: "scrollTo" }, "actions.0.type", "Did you mean 'scroll'?"],
    [{ type: "executeJavascript", script: "1" }, "actions.0.type", "actions are declarative"],
    [{ type: "evaluate" }, "actions.0.type", "actions are declarative"],
    [{ type: "wait", milliseconds: 5 }, "actions.0.milliseconds", "Did you mean 'ms'?"],
    [{ type: "click" }, "actions.0.selector", "must be a CSS selector"],
    [{ type: "click", selector: "a[" }, "actions.0.selector", "must be a CSS selector"],
    [{ type: "select", selector: "a" }, "actions.0", "exactly one of 'value', 'label'"],
    [{ type: "scroll", by: 5, to: "end" }, "actions.0", "exactly one of 'selector', 'by', 'to'"],
    [{ type: "type", selector: "#a", text: "[redacted]" }, "actions.0.text", "Send the value itself"],
    [{ type: "press", key: "enter" }, "actions.0.key", "Did you mean 'Enter'?"],
    [{ type: "press", key: "Return" }, "actions.0.key", "Did you mean 'Enter'?"],
    [{ type: "press", key: "ctrl-a" }, "actions.0.key", "Did you mean 'Control+a'?"],
    [{ type: "write" }, "actions.0.type", "screenshot, html, not 'write'. Did you mean 'type'?"],
  ])("are explained: %j", async (action, path, message) => {
    const { call } = await createClient({ mode: "test" });
    const response = await call("POST", "/v1/scrape", { url: "https://example.com/", actions: [action] });
    const { error } = await read(response);
    expect([response.status, error.code]).toEqual([400, "invalid_request"]);
    expect(error.details?.map((detail) => detail.path)).toContain(path);
    expect(error.message).toContain(message);
  });

  it("are refused without a browser, and if there are too many", async () => {
    const { call } = await createClient({ mode: "test" });
    const send = async (more: object) =>
      (await read(await call("POST", "/v1/scrape", { url: "https://example.com/", ...more }))).error.message;
    const actions = [{ type: "wait", ms: 9_000 }];
    expect(await send({ actions, render: "never" })).toContain("'actions' can't be combined with 'render: never'");
    expect(await send({ actions: Array(51).fill({ type: "html" }) })).toContain("must have at most 50 entries");
    expect(await send({ actions: Array(11).fill({ type: "screenshot" }) })).toContain("at most 10 actions");
    expect(await send({ actions: Array(5).fill(actions[0]) })).toContain("must be more than the waits");
    const long = { type: "type", selector: "#a", text: "中".repeat(10_000) };
    expect(await send({ actions: Array(50).fill(long) })).toContain(
      "'actions' must have at most 262144 bytes of 'text'",
    );
  });

  it("may have long texts, which are stored encrypted", async () => {
    const { call } = await createClient();
    const actions = Array(25).fill({ type: "type", selector: "#a", text: "x".repeat(10_000) });
    expect((await call("POST", "/v1/scrape", { url: page("type"), actions })).status).toBe(202);
  });

  it("have mock results for test keys, and their texts are secrets", async () => {
    const { call, scrape } = await createClient({ mode: "test" });
    const actions = [{ type: "type", selector: "#a", text: "hunter2" }, { type: "screenshot" }];
    const { data, job_id } = await read(await scrape({ url: "https://example.com/", actions }));
    expect(data.actions).toMatchObject([
      { index: 0, type: "type", duration_ms: 0 },
      { screenshot_url: expect.any(String) },
    ]);
    const record = await (await call("GET", `/v1/jobs/${job_id}`)).text();
    expect(record).not.toContain("hunter2");
    expect(record).toContain("[redacted]");
  });
});
