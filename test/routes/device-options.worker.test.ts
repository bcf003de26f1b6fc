import { describe, expect, it } from "vitest";
import { createClient, page, querySite, read, site } from "../support/client";
import type { SeenDevice } from "../support/site/device";
import type { RecordedRequest } from "../support/site/session";

interface Report {
  page: SeenDevice;
  frame: SeenDevice;
  worker: SeenDevice;
}

/** The test site under its second host name, which counts as another site. */
const other = site.replace("127.0.0.1", "localhost");

/** Renders a page that shows its device. Returns what the page saw, and the headers of its requests. */
async function look(more: object): Promise<Report & { headers: RecordedRequest["headers"][] }> {
  const { scrape } = await createClient();
  const url = `${page("device-page")}?${new URLSearchParams({ other })}`;
  const { data, error } = await read(await scrape({ url, wait_for: "#report", formats: ["html"], ...more }));
  expect(error).toBeUndefined();
  const report = /<pre id="report">(.*?)<\/pre>/s.exec(data.html ?? "")?.[1] ?? "{}";
  const requests = await querySite<RecordedRequest[]>("recorded", url);
  return { ...JSON.parse(report), headers: requests.map(({ headers }) => headers) };
}

async function fetchPlain(more: object): Promise<RecordedRequest["headers"] | undefined> {
  const { scrape } = await createClient();
  const url = page("session-leaf");
  const { meta } = await read(await scrape({ url, ...more }));
  expect(meta).toMatchObject({ rendered: false, credits_used: 1 });
  return (await querySite<RecordedRequest[]>("recorded", url))[0]?.headers;
}

const errorOf = async (body: object, path = "/v1/scrape") => {
  const { call } = await createClient({ mode: "test" });
  const response = await call("POST", path, body);
  const { error } = await read(response);
  expect([response.status, error.code]).toEqual([400, "invalid_request"]);
  return { path: error.details?.[0]?.path, message: error.message };
};

const PHONE =
  /^Mozilla\/5\.0 \(Linux; Android 10; K\) .* Chrome\/[\d.]+ Mobile Safari\/[\d.]+ \(compatible; WebDataExtraction/;

describe.concurrent("device", () => {
  it("mobile has the user agent, hints, touch and viewport of a phone, also in frames and workers", async () => {
    const seen = await look({ device: "mobile" });
    expect(seen.page).toMatchObject({ touchPoints: 5, isCoarse: true, width: 412 });
    expect(seen.page.screen).toEqual({ width: 412, height: 915, orientation: "portrait-primary" });
    expect(seen.frame).toMatchObject({ touchPoints: 5, isCoarse: true });
    for (const { userAgent, mobile, platform, brands } of [seen.page, seen.frame, seen.worker]) {
      expect({ userAgent, mobile, platform }).toEqual({
        userAgent: expect.stringMatching(PHONE),
        mobile: true,
        platform: "Android",
      });
      const version = /Chrome\/(\d+)/.exec(userAgent)?.[1];
      expect(brands).toContain(`Chromium ${version}`);
    }
    expect(seen.headers).toHaveLength(2);
    for (const headers of seen.headers) {
      expect(headers).toMatchObject({ "sec-ch-ua-mobile": "?1", "sec-ch-ua-platform": '"Android"' });
      expect(headers["user-agent"]).toBe(seen.page.userAgent);
    }
  });

  it("mobile has the user agent of a phone in a plain request, which names the service", async () => {
    const headers = await fetchPlain({ device: "mobile" });
    expect(headers?.["user-agent"]).toMatch(PHONE);
  });

  it("has no effect on the user agent that the request sets", async () => {
    const { page: seen, worker } = await look({ device: "mobile", user_agent: "Tester/2.0" });
    expect(seen).toMatchObject({ userAgent: "Tester/2.0", mobile: false, brands: [], isCoarse: true });
    expect(worker).toMatchObject({ userAgent: "Tester/2.0", mobile: false });
    expect((await fetchPlain({ device: "mobile", user_agent: "Tester/2.0" }))?.["user-agent"]).toBe("Tester/2.0");
  });

  it("is a desktop by default", async () => {
    const { page: seen } = await look({});
    expect(seen).toMatchObject({ mobile: false, touchPoints: 0, isCoarse: false, width: 1280, latitude: null });
    expect(seen.userAgent).not.toContain("Mobile");
    expect(seen.screen).toEqual({ width: 1280, height: 800, orientation: "landscape-primary" });
  });

  it.each([
    [
      { device: "mobile", viewport: { width: 1920, height: 1080 } },
      "must be at most 1024 with 'device: mobile', not 1920",
    ],
    [
      { device: "desktop", viewport: { width: 390, height: 844 } },
      "must be at least 500 with 'device: desktop', not 390",
    ],
  ])("is refused with a viewport of the other kind: %j", async (more, rule) => {
    const { path, message } = await errorOf({ url: "https://example.com/", ...more });
    expect(path).toBe("viewport.width");
    expect(message).toContain(rule);
  });
});

describe.concurrent("viewport", () => {
  it("sets the size of the window, and renders the page", async () => {
    expect((await look({ viewport: { width: 1440, height: 900 } })).page.width).toBe(1440);
    const { scrape } = await createClient();
    const { meta } = await read(await scrape({ url: page("article"), viewport: { width: 320, height: 640 } }));
    expect(meta).toMatchObject({ rendered: true, credits_used: 2 });
  });

  it.each([
    [{ width: 100, height: 800 }, "viewport.width"],
    [{ width: 800, height: 5_000 }, "viewport.height"],
    [{ width: 800 }, "viewport.height"],
  ])("is refused with another size: %j", async (viewport, expected) => {
    const { path, message } = await errorOf({ url: "https://example.com/", viewport });
    expect(path).toBe(expected);
    expect(message).toMatch(/must be a whole number of pixels from 240 to 1920/);
  });
});

describe.concurrent("the place of a request", () => {
  it("sets the language, the time zone and the location, also in frames and workers", async () => {
    const geolocation = { latitude: 47.37, longitude: 8.54 };
    const seen = await look({ locale: "de-CH", timezone: "europe/zurich", geolocation });
    expect(seen.page.latitude).toBe(47.37);
    for (const each of [seen.page, seen.frame, seen.worker]) {
      expect(each).toMatchObject({
        languages: ["de-CH", "de", "en"],
        locale: "de-CH",
        timezone: "Europe/Zurich",
        mobile: false,
      });
    }
    for (const headers of seen.headers) expect(headers["accept-language"]).toBe("de-CH,de;q=0.9,en;q=0.8");
  });

  it("is the capital of proxy_country by default", async () => {
    const seen = await look({ proxy_country: "TR" });
    expect(seen.page).toMatchObject({
      languages: ["tr-TR", "tr", "en"],
      locale: "tr-TR",
      timezone: "Europe/Istanbul",
      latitude: 39.9,
    });
    for (const headers of seen.headers) expect(headers["accept-language"]).toBe("tr-TR,tr;q=0.9,en;q=0.8");
    expect((await look({ proxy_country: "TR", locale: "fr", timezone: "UTC" })).page).toMatchObject({
      languages: ["fr", "en"],
      timezone: "UTC",
      latitude: 39.9,
    });
  });

  it("sets the language of a plain request, which isn't rendered for it", async () => {
    expect((await fetchPlain({ locale: "en-GB" }))?.["accept-language"]).toBe("en-GB,en;q=0.9");
    expect((await fetchPlain({ proxy_country: "TR" }))?.["accept-language"]).toBe("tr-TR,tr;q=0.9,en;q=0.8");
    expect((await fetchPlain({}))?.["accept-language"]).toBe("en;q=0.9,*;q=0.5");
  });

  it.each([
    [{ timezone: "Berlin" }, "timezone", "not 'Berlin'. Did you mean 'Europe/Berlin'?"],
    [{ timezone: "PST" }, "timezone", "Did you mean 'America/Los_Angeles'?"],
    [{ timezone: "Europe/Berln" }, "timezone", "Did you mean 'Europe/Berlin'?"],
    [
      { timezone: "+02:00" },
      "timezone",
      "must be a time zone of the IANA database, with its region, such as Europe/Berlin",
    ],
    [{ locale: "de_DE.UTF-8" }, "locale", "Did you mean 'de-DE'?"],
    [{ locale: "German" }, "locale", "must be a language with an optional region (BCP 47), such as de or de-CH"],
    [{ geolocation: { latitude: 91, longitude: 0 } }, "geolocation.latitude", "from -90 to 90, not 91"],
    [{ geolocation: { latitude: 1 } }, "geolocation.longitude", "is required"],
    [{ timezone: "UTC", render: "never" }, "timezone", "because it needs a browser"],
    [{ geolocation: { latitude: 1, longitude: 2 }, js_render: false }, "geolocation", "'js_render: false'"],
    [{ viewport: { width: 800, height: 600 }, render: "never" }, "viewport", "'render: never'"],
  ])("is refused with the rule and a suggestion: %j", async (more, expected, text) => {
    const { path, message } = await errorOf({ url: "https://example.com/", ...more });
    expect(path).toBe(expected);
    expect(message).toContain(text);
  });
});

describe.concurrent("a parse", () => {
  it.each(["device", "locale", "proxy_country"])("of the caller's own HTML is refused with %s", async (name) => {
    const values = { device: "mobile", locale: "de", proxy_country: "TR" } as Record<string, string>;
    const body = { html: "<p>7", prompt: "The number.", [name]: values[name] };
    expect((await errorOf(body, "/v1/parse")).path).toBe(name);
  });

  it("checks the country", async () => {
    const body = { url: "https://example.com/", prompt: "The number.", proxy_country: "Germany" };
    const { path, message } = await errorOf(body, "/v1/parse");
    expect(path).toBe("proxy_country");
    expect(message).toContain("Did you mean 'DE'?");
  });
});
