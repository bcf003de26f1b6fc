import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { getPdf, getScreenshot } from "../../../src/store/objects";
import { createClient, page, querySite, read } from "../../support/client";
import { readJpegSize, readPixels } from "../../support/pixels";
import { run, runFailing } from "../../support/run-endpoint";

/** Runs a scrape with a screenshot. Returns the stored file and the result. */
async function shoot(url: string, screenshot: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const id = crypto.randomUUID();
  const { data, extras } = await run("scrape", { url, formats: ["screenshot"], screenshot, ...more }, { job: { id } });
  const object = await getScreenshot(env.STORE, id);
  const bytes = new Uint8Array((await object?.arrayBuffer()) ?? []);
  return { bytes, type: object?.httpMetadata?.contentType, data, extras };
}

const RED = "#ff0000";
const BLUE = "#0000ff";
const GREEN = "#00ff00";
const YELLOW = "#ffff00";
const WHITE = "#ffffff";

describe("the options of a screenshot", () => {
  it("can show only the visible part", async () => {
    const { width, height, at } = readPixels((await shoot(page("parts"), { full_page: false })).bytes);
    expect([width, height, at(10, 10)]).toEqual([1280, 800, GREEN]);
  });

  it("has the size of the viewport, within the limit of pixels", async () => {
    const phone = readPixels((await shoot(page("parts"), { full_page: false }, { device: "mobile" })).bytes);
    expect([phone.width, phone.height]).toEqual([412, 915]);
    const whole = readPixels((await shoot(page("parts"), {}, { viewport: { width: 300, height: 400 } })).bytes);
    expect([whole.width, whole.height > 400]).toEqual([300, true]);
    const screenshot = { full_page: false, format: "jpeg", device_scale_factor: 2 };
    const largest = await shoot(page("parts"), screenshot, { viewport: { width: 1920, height: 1920 } });
    expect(readJpegSize(largest.bytes)).toEqual({ width: 3840, height: 2082 });
  });

  it("can show one element, with the image that is loaded when a reader scrolls to it", async () => {
    const url = page("parts");
    const { bytes, type } = await shoot(url, { selector: "#card" });
    const { width, height, at } = readPixels(bytes);
    expect([width, height, at(150, 90), type]).toEqual([200, 100, RED, "image/png"]);
    expect(await querySite("hits", new URL("picture", url).href)).toBe(1);
  });

  it("can have two image pixels per CSS pixel, in strips that fit together", async () => {
    const { width, height, at } = readPixels(
      (await shoot(page("banners"), { device_scale_factor: 2, block_banners: true })).bytes,
    );
    expect([width, height]).toEqual([2560, 6080]);
    expect([at(20, 60), at(2500, 4000), at(1300, 6000)]).toEqual([GREEN, BLUE, BLUE]);
  });

  it.each([
    ["jpeg", "image/jpeg", [0xff, 0xd8, 0xff]],
    ["webp", "image/webp", [0x52, 0x49, 0x46, 0x46]],
  ])("can be a %s", async (format, contentType, signature) => {
    const { bytes, type } = await shoot(page("noise"), { format, quality: 20 });
    expect([type, Array.from(bytes.slice(0, signature.length))]).toEqual([contentType, signature]);
    const better = await shoot(page("noise"), { format, quality: 95 });
    expect(better.bytes.length).toBeGreaterThan(2 * bytes.length);
  });

  it("cut off a tall JPEG, and refuse an element that is too large", async () => {
    const { bytes } = await shoot(page("tall-noise"), { format: "jpeg", quality: 100 });
    expect(readJpegSize(bytes)).toEqual({ width: 1280, height: 6250 });
    const request = { url: page("parts"), formats: ["screenshot"], screenshot: { selector: "#huge" } };
    expect(await runFailing("scrape", request)).toMatchObject({
      code: "target_too_large",
      message: expect.stringContaining("20000 × 50 px"),
    });
  });

  it("can hide elements, without an effect on the other formats", async () => {
    const screenshot = { full_page: false, hide_selectors: ["h1", "#note"] };
    const { bytes, data } = await shoot(page("parts"), screenshot, { formats: ["screenshot", "html", "markdown"] });
    expect(readPixels(bytes).at(10, 10)).toBe(WHITE);
    expect(data.html).not.toContain("visibility");
    expect(data.markdown).toContain("# Parts");
  });

  it("can remove banners, dialogs and their backdrop, and let the page scroll again", async () => {
    const plain = readPixels((await shoot(page("banners"), { full_page: true })).bytes);
    expect([plain.height, plain.at(640, 780), plain.at(350, 450)]).toEqual([800, RED, RED]);
    const { bytes, data } = await shoot(page("banners"), { block_banners: true }, { formats: ["screenshot", "html"] });
    const { height, at } = readPixels(bytes);
    expect(height).toBe(3040);
    // The header and the chat button must stay, because they aren't banners.
    expect([at(640, 780), at(350, 450), at(640, 20), at(1270, 120)]).toEqual([BLUE, BLUE, GREEN, YELLOW]);
    expect(data.html).toContain("We use cookies");
    expect(data.html).not.toContain("display: none");
  });

  it.each([{ hide_selectors: ["form"] }, { block_banners: true }])(
    "hide a form whose fields have the names of its members with %j",
    async (options) => {
      const { bytes } = await shoot(page("masked-form"), { full_page: false, ...options });
      expect(readPixels(bytes).at(190, 90)).toBe(WHITE);
    },
  );

  it("hide many elements that many selectors match", async () => {
    // The time limit of a render would be too short if elements could be hidden more than once.
    const screenshot = { full_page: false, hide_selectors: Array(50).fill("div") };
    const { bytes } = await shoot(page("many-elements"), screenshot);
    expect(readPixels(bytes).at(4, 10)).toBe(WHITE);
  });

  it("have all rows with a fractional scale", async () => {
    const screenshot = { device_scale_factor: 1.3, block_banners: true };
    const { width, height } = readPixels((await shoot(page("banners"), screenshot)).bytes);
    expect([width, height]).toEqual([1664, 3952]);
  });

  it.each([
    ["#nothing", "No element matched the screenshot's selector '#nothing'."],
    ["#gone", "The element with the selector '#gone' isn't displayed, so the screenshot can't show it."],
  ])("fail if the element %s can't be shown", async (selector, message) => {
    const request = { url: page("parts"), formats: ["screenshot"], screenshot: { selector } };
    expect(await runFailing("scrape", request)).toMatchObject({ code: "selector_not_found", message });
  });
});

describe("the format pdf", () => {
  const print = async (url: string, pdf?: Record<string, unknown>, formats = ["pdf"]) => {
    const id = crypto.randomUUID();
    const { data, extras } = await run("scrape", { url, formats, ...(pdf && { pdf }) }, { job: { id } });
    return { text: await (await getPdf(env.STORE, id))?.text(), data, extras };
  };
  const sizeOf = (text = "") => /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text)?.slice(1).map(Number).map(Math.floor);

  it("is the rendered page on the chosen paper", async () => {
    const { text, data, extras } = await print(page("script"));
    expect(text?.slice(0, 5)).toBe("%PDF-");
    expect(sizeOf(text)).toEqual([595, 841]);
    expect(data).toEqual({ pdf_url: expect.stringContaining("/pdfs/") });
    expect(extras?.rendered).toBe(true);
    expect(sizeOf((await print(page("script"), { paper: "letter", landscape: true })).text)).toEqual([792, 612]);
  });

  it("has at most 200 pages", async () => {
    const { text } = await print(page("many-sheets"));
    expect(text?.match(/\/Type \/Page\b/g)).toHaveLength(200);
  });

  it("can be combined with other formats", async () => {
    const { data } = await print(page("parts"), undefined, ["pdf", "screenshot", "raw_html", "text"]);
    expect(Object.keys(data).sort()).toEqual(["pdf_url", "raw_html", "screenshot_url", "text"]);
  });

  it("isn't made of a download", async () => {
    expect((await runFailing("scrape", { url: page("pdf"), formats: ["pdf"] })).code).toBe("unsupported_content");
  });
});

describe("the links of screenshots and PDFs", () => {
  it("serve each file with its type, and no other file", async () => {
    const { scrape, call } = await createClient();
    const body = { url: page("article"), formats: ["screenshot", "pdf"], screenshot: { format: "webp" } };
    const { data, job_id, meta } = await read(await scrape(body));
    expect(meta.credits_used).toBe(2);
    const get = async (link = "") => {
      const { pathname, search } = new URL(link);
      const { status, headers } = await call("GET", pathname + search, undefined, { headers: { authorization: "" } });
      return [
        status,
        headers.get("content-type"),
        headers.get("content-disposition"),
        headers.get("x-content-type-options"),
      ];
    };
    expect(await get(data.screenshot_url)).toEqual([
      200,
      "image/webp",
      `inline; filename="screenshot-${job_id}.webp"`,
      "nosniff",
    ]);
    expect(await get(data.pdf_url)).toEqual([
      200,
      "application/pdf",
      `inline; filename="page-${job_id}.pdf"`,
      "nosniff",
    ]);
    expect((await get(data.pdf_url?.replace("/pdfs/", "/screenshots/")))[0]).toBe(404);
    expect((await get(data.screenshot_url?.replace("/screenshots/", "/pdfs/")))[0]).toBe(404);
  });

  it("of a test key have mock files", async () => {
    const { scrape, call } = await createClient({ mode: "test" });
    for (const [format, type] of [
      ["png", "image/png"],
      ["jpeg", "image/jpeg"],
      ["webp", "image/webp"],
    ]) {
      const body = { url: "https://example.com/", formats: ["screenshot", "pdf"], screenshot: { format } };
      const { data } = await read(await scrape(body));
      for (const [link, contentType] of [
        [data.screenshot_url, type],
        [data.pdf_url, "application/pdf"],
      ]) {
        const { pathname, search } = new URL(link ?? "");
        const response = await call("GET", pathname + search);
        expect([response.status, response.headers.get("content-type")]).toEqual([200, contentType]);
      }
    }
  });
});

it.each([
  [{ screenshot: { format: "jpeg" } }, "screenshot", "requires the format 'screenshot'"],
  [{ pdf: {} }, "pdf", "requires the format 'pdf'"],
  [{ screenshot: true }, "screenshot", "add 'screenshot' to 'formats'"],
  [{ formats: ["text", "pdf"], render: "never" }, "formats.1", "'render: never'"],
  [{ formats: ["screenshot"], screenshot: { quality: 50 } }, "screenshot.quality", "jpeg or webp"],
  [{ formats: ["screenshot"], screenshot: { format: "webp", quality: 101 } }, "screenshot.quality", "from 1 to 100"],
  [
    { formats: ["screenshot"], screenshot: { device_scale_factor: 3 } },
    "screenshot.device_scale_factor",
    "from 1 to 2",
  ],
  [{ formats: ["screenshot"], screenshot: { selector: "#a", full_page: true } }, "screenshot.full_page", "'selector'"],
  [{ formats: ["screenshot"], screenshot: { selector: "a[" } }, "screenshot.selector", "CSS selector"],
  [
    { formats: ["screenshot"], screenshot: { hide_selectors: ["a", "b["] } },
    "screenshot.hide_selectors.1",
    "CSS selector",
  ],
  [{ formats: ["screenshot"], screenshot: { fullPage: false } }, "screenshot.fullPage", "full_page"],
  [{ formats: ["pdf"], pdf: { paper: "a3" } }, "pdf.paper", "a4"],
])("refuses %j with the path and the rule", async (more, path, rule) => {
  const { scrape } = await createClient({ mode: "test" });
  const response = await scrape({ url: "https://example.com/", ...more });
  const { error } = await read(response);
  expect([response.status, error.code]).toEqual([400, "invalid_request"]);
  expect(error.details).toEqual([{ path, message: expect.stringContaining(rule) }]);
});
