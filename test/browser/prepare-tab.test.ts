import { expect, it } from "vitest";
import type { CDPSession } from "../../src/browser/connection";
import { prepareTab } from "../../src/browser/prepare-tab";
import type { DeviceOptions, RenderRequest } from "../../src/browser/protocol";
import type { RunningBrowser } from "../../src/browser/running-browser";
import { Tab } from "../../src/browser/tab";

/** Returns the commands that prepare a tab for the request. */
async function prepare(more: Partial<RenderRequest>, { skipsByUrl = false } = {}): Promise<string[]> {
  const commands: string[] = [];
  const session = { on: () => undefined, send: async (method: string) => void commands.push(method) };
  const tab = new Tab(session as unknown as CDPSession, "context", "main", {
    isIsolated: false,
    skipsByUrl,
    checksAddress: false,
    quietName: "quiet",
  });
  const browser = { userAgent: "A", facts: { product: "Chrome/153.0.1.2" }, allowGeolocation: async () => undefined };
  const request = { url: "https://example.com/", visit: null, ...more } as RenderRequest;
  await prepareTab({ browser } as unknown as RunningBrowser, tab, request, { isPainted: false });
  return commands;
}

const device: DeviceOptions = { isMobile: false, viewport: null, languages: [], timezone: null, geolocation: null };

it("a request without options needs no commands", async () => {
  expect(await prepare({})).toEqual([]);
});

it("a request without options only skips resources in a public network", async () => {
  const commands = ["Page.addScriptToEvaluateOnNewDocument", "Network.setBlockedURLs"];
  expect(await prepare({}, { skipsByUrl: true })).toEqual(commands);
});

it("a device only has the commands for what it sets", async () => {
  const layout = "Emulation.setDeviceMetricsOverride";
  expect(await prepare({ device: { ...device, timezone: "UTC" } })).toEqual([layout, "Emulation.setTimezoneOverride"]);
  expect(await prepare({ device: { ...device, isMobile: true } })).toEqual([
    "Network.setUserAgentOverride",
    layout,
    "Emulation.setTouchEmulationEnabled",
  ]);
});
