import { describe, expect, it } from "vitest";
import { toBrowserNetwork, toIntercepted } from "../../src/browser/network";

/** Returns true if the browser pauses the request: a pattern matches its URL and its type. */
function isPaused(url: string, resourceType: string): boolean {
  return (toIntercepted("public").patterns ?? []).some((pattern) => {
    const { urlPattern = "*" } = pattern;
    const regex = new RegExp(`^${urlPattern.replace(/[.[\]]/g, "\\$&").replaceAll("*", ".*")}$`);
    return regex.test(url) && (pattern.resourceType ?? resourceType) === resourceType;
  });
}

describe("the browser's network", () => {
  it.for([
    { settings: {}, network: "checked" },
    { settings: { BROWSER_NETWORK: "private" }, network: "checked" },
    { settings: { BROWSER_NETWORK: "public" }, network: "public" },
    { settings: { BROWSER_NETWORK: "public", BROWSER_PROXY: "socks5://127.0.0.1:1080" }, network: "filtered" },
  ])("is $network with $settings", ({ settings, network }) => {
    expect(toBrowserNetwork(settings)).toBe(network);
  });
});

describe("in a public network", () => {
  it.for(["Script", "Stylesheet", "Fetch", "XHR", "Image", "Font"])("doesn't intercept a request for a %s", (type) => {
    expect(isPaused("https://cdn.example.com/file?at=127", type)).toBe(false);
  });

  it("intercepts every document", () => {
    expect(isPaused("https://www.example.com/", "Document")).toBe(true);
  });

  it.for([
    "http://127.0.0.1:8080/",
    "http://10.0.0.1/",
    "http://100.64.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[fd00::1]:81/",
    "http://0.0.0.0/",
    "http://localhost:3000/",
    "https://db.internal/",
    "https://printer.local:631/ipp",
    "https://app.localhost/",
    "https://nas.lan/",
  ])("intercepts every request to %s", (url) => {
    expect(isPaused(url, "Fetch")).toBe(true);
  });
});
