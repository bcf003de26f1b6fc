import { describe, expect, it } from "vitest";
import { createClient, page, read } from "../support/client";
import { proxyLog } from "../support/proxied";

/** Returns the URL with another host name. The browser treats it as another site with a separate process. */
const onOtherSite = (url: string) => url.replace("//127.0.0.1:", "//localhost:");

const pageWith = (html: string) =>
  `${page("type")}?${new URLSearchParams({ type: "text/html; charset=utf-8", body: `<!doctype html><title>T</title><body>${html}` })}`;

const FRAME = onOtherSite(pageWith('<p>The frame.<script src="http://in-frame.doubleclick.net/a.js"></script>'));
const WORKER = `fetch("http://in-worker.doubleclick.net/a").catch(() => undefined)
  .then(() => fetch("http://content-in-worker.example/a")).catch(() => undefined).then(() => postMessage(1))`;
const HTML = `<h1>The tide</h1><p>It comes in twice a day.</p>
  <script src="http://www.googletagmanager.com/gtag/js?id=1"></script>
  <img src="http://www.facebook.com/tr?id=1">
  <iframe src="http://in-document.doubleclick.net/a"></iframe>
  <iframe src="${FRAME.replaceAll("&", "&amp;")}"></iframe>
  <script src="http://content.example/a.js"></script>
  <script>
    new Worker(URL.createObjectURL(new Blob([${JSON.stringify(WORKER)}]))).onmessage = () => {
      document.body.append("The worker has ended.");
    };
  </script>`;

/** Renders the page through a proxy. Returns its text, and the names of the hosts that the page requested. */
async function hostsOf(more: object): Promise<{ text: string; hosts: Set<string> }> {
  const { scrape } = await createClient();
  const url = pageWith(HTML);
  const request = { url, proxy_country: "TR", formats: ["text"], only_main_content: false, wait_ms: 500, ...more };
  const { data, job_id } = await read(await scrape(request));
  const { requests } = await proxyLog(`ok-tr-${job_id.replaceAll("-", "")}`);
  const hosts = requests.map(({ line }) => new URL(line.split(" ")[1] ?? "").hostname);
  return { text: data.text ?? "", hosts: new Set(hosts) };
}

describe.concurrent("block_ads", () => {
  it("keeps the page, its frames and workers from requesting advertising", async () => {
    const { text, hosts } = await hostsOf({ block_ads: true });
    expect(text).toContain("It comes in twice a day.");
    expect(text).toContain("The worker has ended.");
    expect(hosts).toEqual(new Set(["127.0.0.1", "localhost", "content.example", "content-in-worker.example"]));
  });

  it("is off by default", async () => {
    const { hosts } = await hostsOf({});
    const advertising = ["in-document", "in-frame", "in-worker"].map((name) => `${name}.doubleclick.net`);
    expect([...hosts]).toEqual(expect.arrayContaining(["www.googletagmanager.com", ...advertising]));
  });

  it("doesn't render the page", async () => {
    const { scrape } = await createClient();
    const { meta } = await read(await scrape({ url: page("article"), block_ads: true }));
    expect(meta).toMatchObject({ rendered: false, credits_used: 1 });
  });

  it("is refused for a parse of the caller's own HTML", async () => {
    const { call } = await createClient({ mode: "test" });
    const { error } = await read(
      await call("POST", "/v1/parse", { html: "<p>7", prompt: "The number.", block_ads: true }),
    );
    expect([error.code, error.details?.[0]?.path]).toEqual(["invalid_request", "block_ads"]);
  });
});
