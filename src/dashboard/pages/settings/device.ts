// In this order: those that call themselves by the names of others come first.
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const MAX_PRODUCT_CHARS = 40;

/** What a User-Agent calls itself, in two or three words: enough to recognise one's own devices by. */
export function toDevice(userAgent: string): string {
  const browser = find(BROWSERS, userAgent);
  const system = find(SYSTEMS, userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // Programs begin with their own name, such as `curl/8.5.0`.
  const [product = ""] = userAgent.trim().split(/[/\s]/);
  if (product === "") return "Unknown device";
  const name = product.slice(0, MAX_PRODUCT_CHARS);
  return system === undefined ? name : `${name} on ${system}`;
}

function find(table: typeof BROWSERS, userAgent: string): string | undefined {
  return table.find(([pattern]) => pattern.test(userAgent))?.[1];
}
