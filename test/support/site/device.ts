// A page that shows its device, and the device that its worker and its frame on another site see.
import { sendHtml } from "../responses.ts";
import { recorded } from "./session.ts";
import type { Visit } from "./visit.ts";

/** The device as one document or worker sees it. */
export interface SeenDevice {
  userAgent: string;
  /** The client hints: mobile, platform and brands. */
  mobile: boolean;
  platform: string;
  brands: string[];
  languages: string[];
  timezone: string;
  locale: string;
  touchPoints?: number;
  isCoarse?: boolean;
  width?: number;
  screen?: { width: number; height: number; orientation: string };
  /** The latitude, or null if the page may not read the location. */
  latitude?: number | null;
}

const LOOK = `const look = () => ({
  userAgent: navigator.userAgent, mobile: navigator.userAgentData.mobile, platform: navigator.userAgentData.platform,
  brands: navigator.userAgentData.brands.map(({ brand, version }) => brand + " " + version),
  languages: navigator.languages, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: Intl.NumberFormat().resolvedOptions().locale });
const lookInPage = () => ({ ...look(), touchPoints: navigator.maxTouchPoints,
  isCoarse: matchMedia("(pointer: coarse)").matches });
const lookAtScreen = () => ({ width: screen.width, height: screen.height, orientation: screen.orientation.type });`;

export const device: Record<string, (visit: Visit) => void> = {
  "device-frame": recorded(({ response }) => {
    sendHtml(response, `<p>Frame</p><script>${LOOK} parent.postMessage(lookInPage(), "*")</script>`);
  }),
  "device-page": recorded(({ url, query, response }) => {
    const frame = `${query.get("other") ?? ""}${url.pathname.replace("device-page", "device-frame")}`;
    sendHtml(
      response,
      `<!doctype html><html><head><title>Device</title><meta name="viewport" content="width=device-width"></head><body>
<p>The page shows the device of its visitor.</p><iframe src="${frame}"></iframe><script>${LOOK}
const fromFrame = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data)));
const source = ${JSON.stringify(`${LOOK} postMessage(look())`)};
const fromWorker = new Promise((resolve) => {
  new Worker(URL.createObjectURL(new Blob([source]))).onmessage = ({ data }) => resolve(data);
});
const latitude = new Promise((resolve) => {
  navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords.latitude), () => resolve(null));
});
Promise.all([fromFrame, fromWorker, latitude]).then(([frame, worker, latitude]) => {
  const report = document.createElement("pre");
  report.id = "report";
  report.textContent = JSON.stringify({ page: { ...lookInPage(), width: innerWidth, screen: lookAtScreen(), latitude }, frame, worker });
  document.body.append(report);
});
</script></body></html>`,
    );
  }),
};
