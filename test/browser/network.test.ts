import { describe, expect, it } from "vitest";
import { InterceptedRequests, toBrowserNetwork } from "../../src/browser/network";
import { findAddressRefusal } from "../../src/net/egress";

/** Returns true if the browser pauses the request: a pattern matches its URL and its type. */
function isPaused(url: string, resourceType: string): boolean {
  return (new InterceptedRequests("public").toCommand().patterns ?? []).some((pattern) => {
    const { urlPattern = "*" } = pattern;
    const regex = new RegExp(
      `^${urlPattern
        .replace(/[.[\]]/g, "\\$&")
        .replaceAll("*", ".*")
        .replaceAll("?", ".")}$`,
    );
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
    "http://metadata.google.internal./computeMetadata/v1/",
    "http://app.localhost.:3000/",
    "http://server.localdomain/",
    "http://router.home.arpa/",
  ])("intercepts every request to %s", (url) => {
    expect(isPaused(url, "Fetch")).toBe(true);
  });

  it("intercepts every request to an IPv4 address that the egress policy refuses", () => {
    const seconds = [0, 16, 18, 19, 31, 51, 63, 64, 88, 127, 168, 254, 255];
    const missed = Array.from({ length: 256 }, (_, first) => first).flatMap((first) =>
      seconds.flatMap((second) =>
        [0, 2, 99, 100, 113, 129]
          .map((third) => `${first}.${second}.${third}.16`)
          .filter((address) => {
            return findAddressRefusal(address) !== null && !isPaused(`http://${address}/`, "Fetch");
          }),
      ),
    );
    expect(missed).toEqual([]);
  });
});
