// Firecrawl's options of a scrape, which are also those of the pages of a crawl, a batch and a search.
import { z } from "zod";
import { invalidParameter } from "../../contract/invalid-request";
import { CAPTURE_MAX_AGE_S, SECOND_MS, SYNC_WAIT_MS, TIMEOUT_MARGIN_MS, WAIT_MAX_MS } from "../../model/limits";
import { chooseProxy, parseProxies } from "../../net/proxy-config";
import * as door from "../door";
import { as, choose, flag, type Rule, type Rules, type Translation, translate } from "../door";

const SCROLL_PX = 800;
const TIMEOUT_MAX_MS = SYNC_WAIT_MS - TIMEOUT_MARGIN_MS;
const SCHEMA_PROMPT = "Extract the data that the schema describes.";
const PDF_READ = "PDFs are converted to text, although the request disables this.";
const NO_PROXY = "The page was requested without an enhanced or stealth proxy, because this service has none.";

const Typed = z.looseObject({ type: z.string() });

/** Reads a list of names, each also as an object with a type and options. `kinds` has the rules of each type. */
export function readTyped(value: unknown, path: string, kinds: Readonly<Record<string, Rules>>) {
  return as(z.array(z.unknown()), value, path).map((entry, index) => {
    const at = `${path}.${index}`;
    const { type, ...given } = typeof entry === "string" ? { type: entry } : as(Typed, entry, at);
    if (!Object.hasOwn(kinds, type)) {
      const place = typeof entry === "string" ? at : `${at}.type`;
      throw invalidParameter(place, `must be one of ${Object.keys(kinds).join(", ")}`, { given: type });
    }
    return { type, at, fields: translate(given, kinds[type] ?? {}, { path: `${at}.` }).fields };
  });
}

/** Returns the rule of a parameter that is refused unless it is off. */
export function off(refused: string): Rule {
  return { refused, except: [false, { mode: "off" }, { mode: "disabled" }] };
}

/** Our names of each format. The browser may have discarded the body of a rendered page. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  ...{ markdown: ["markdown"], html: ["clean_html"], rawHtml: ["raw_html", "html"], summary: ["summary"] },
  ...{ links: ["links"], images: ["images"], screenshot: ["screenshot"], "screenshot@fullPage": ["screenshot"] },
  ...{ json: ["json"], extract: ["json"] },
};

const FULL_PAGE = flag({ full_page: true }, { full_page: false });
const FORMAT_OPTIONS: Readonly<Record<string, Rules>> = {
  ...Object.fromEntries(Object.keys(FORMATS).map((type) => [type, {}])),
  screenshot: { fullPage: FULL_PAGE, quality: "quality", viewport: "viewport" },
  json: { schema: "schema", prompt: "prompt", systemPrompt: "systemPrompt", mode: null },
};

function addFormats(value: unknown, to: Translation, path: string): void {
  to.fields.formats = readTyped(value, path, FORMAT_OPTIONS).flatMap(({ type, at, fields }) => {
    if (type.startsWith("screenshot")) addScreenshot({ full_page: type.endsWith("fullPage"), ...fields }, to);
    if (type === "json" && Object.keys(fields).length > 0) to.fields.json = toData(fields, `${at}.`);
    return FORMATS[type] ?? [];
  });
}

function addScreenshot({ viewport, ...options }: Record<string, unknown>, to: Translation): void {
  if (viewport !== undefined) to.fields.viewport = viewport;
  // Only a file with losses has a quality.
  to.fields.screenshot = { ...options, ...(options.quality !== undefined && { format: "jpeg" }) };
}

/** Returns our description of the data of the format json, and of an extract. */
export function toData({ schema, prompt, systemPrompt }: Record<string, unknown>, path = ""): Record<string, unknown> {
  const asked = prompt || (schema === undefined ? undefined : SCHEMA_PROMPT);
  if (asked === undefined) throw invalidParameter(`${path}prompt`, "is required without a schema");
  const text =
    systemPrompt === undefined ? asked : `${as(z.string(), systemPrompt, `${path}systemPrompt`)}\n\n${asked}`;
  return { prompt: text, ...(schema !== undefined && { schema }), strategy: "auto" };
}

const JSON_OPTIONS: Rule = {
  convert(value, to, path) {
    const options = as(z.looseObject({}), value, path);
    to.fields.json = toData(translate(options, FORMAT_OPTIONS.json ?? {}, { path: `${path}.` }).fields, `${path}.`);
  },
};

/** The options of each action. `write` becomes `type`, and `scrape` becomes `html`. */
const ACTIONS: Readonly<Record<string, Rules>> = {
  wait: {
    milliseconds: door.put("ms", (ms, path) => as(z.int().min(1).max(SYNC_WAIT_MS), ms, path)),
    selector: "selector",
  },
  click: { selector: "selector", all: off("Add a click for each element.") },
  write: { text: "text" },
  press: {
    key: door.put("key", (key, path) =>
      as(z.string(), key, path).replace(/^([A-Z])([A-Z]+)$/, (_, first, others) => first + others.toLowerCase()),
    ),
  },
  scroll: { direction: choose({ up: { by: -SCROLL_PX }, down: {} }), selector: off("The action scrolls the page.") },
  screenshot: { fullPage: FULL_PAGE, quality: null, viewport: off("Use the format screenshot.") },
  scrape: {},
};
const RENAMED: Readonly<Record<string, string>> = { write: "type", scrape: "html" };

function addActions(value: unknown, to: Translation, path: string): void {
  /** The field that the click before has selected. Firecrawl types into the focused element. */
  let selector: unknown;
  to.fields.actions = readTyped(value, path, ACTIONS).flatMap(({ type, at, fields }) => {
    if (type === "click") selector = fields.selector;
    if (type === "write" && selector === undefined)
      throw invalidParameter(at, "must follow a click on the field into which it writes");
    const action = { ...(type === "scroll" && { by: SCROLL_PX }), ...(type === "write" && { selector }), ...fields };
    return splitWait(fields.ms).map((ms) => ({
      type: RENAMED[type] ?? type,
      ...action,
      ...(ms !== undefined && { ms }),
    }));
  });
}

/** Splits a wait into waits that one action or parameter can have. Other values are left to our schema. */
function splitWait(ms: unknown): unknown[] {
  if (typeof ms !== "number" || ms <= WAIT_MAX_MS || ms > SYNC_WAIT_MS) return [ms];
  return [WAIT_MAX_MS, ...splitWait(ms - WAIT_MAX_MS)];
}

function addHeaders(value: unknown, to: Translation, path: string): void {
  const others: Record<string, string> = {};
  for (const [name, text] of Object.entries(as(z.record(z.string(), z.string()), value, path))) {
    const pairs = text.split(";").map((pair) => pair.trim().split(/=(.*)/s));
    if (/^cookie$/i.test(name))
      to.fields.cookies = pairs.filter(([key]) => key).map(([key, text = ""]) => ({ name: key, value: text }));
    else if (/^user-agent$/i.test(name)) to.fields.user_agent = text;
    else others[name] = text;
  }
  if (Object.keys(others).length > 0) to.fields.headers = others;
}

const Location = z.strictObject({ country: z.string().optional(), languages: z.array(z.string()).optional() });

/** Adds the first language, or the usual one of the country. */
const LOCATION: Rule = {
  ours: ["locale", "proxy_country"],
  convert(value, to, path) {
    const { country, languages = [] } = as(Location, value, path);
    const usual = /^[a-z]{2}$/i.test(country ?? "") ? new Intl.Locale(`und-${country}`).maximize() : null;
    const locale = languages[0] ?? (usual && `${usual.language}-${usual.region}`);
    if (locale) to.fields.locale = locale;
    if (country !== undefined) to.fields.proxy_country = country.toUpperCase();
  },
};

const PDF: Rules = { mode: choose({ auto: {}, fast: {} }), maxPages: { refused: "All pages are read." } };

function checkParsers(value: unknown, to: Translation, path: string): void {
  if (readTyped(value, path, { pdf: PDF, image: {} }).length === 0) to.warnings.push(PDF_READ);
}

export const SCRAPE_RULES: Rules = {
  // A format and its options can have the same name, so only the paths of the options are names of parameters.
  formats: { ours: ["formats", "json.schema", "json.prompt", "screenshot.quality", "viewport"], convert: addFormats },
  onlyMainContent: "only_main_content",
  includeTags: "include_selectors",
  excludeTags: "exclude_selectors",
  headers: { ours: ["headers", "cookies", "user_agent"], convert: addHeaders },
  waitFor: "wait_ms",
  mobile: flag({ device: "mobile" }),
  timeout: door.put("timeout_ms", (ms) => (typeof ms === "number" ? Math.min(ms, TIMEOUT_MAX_MS) : ms)),
  actions: { ours: ["actions"], convert: addActions },
  // Errors name the last parameter.
  geolocation: LOCATION,
  location: LOCATION,
  maxAge: door.put("max_age", (ms, path) =>
    Math.min(Math.ceil(as(z.number().min(0), ms, path) / SECOND_MS), CAPTURE_MAX_AGE_S),
  ),
  storeInCache: flag({}, { capture: false }),
  zeroDataRetention: flag({ store: false }),
  blockAds: "block_ads",
  removeBase64Images: flag({}, "Images in data URLs aren't part of the markdown."),
  proxy: choose({ basic: {}, auto: {}, enhanced: NO_PROXY, stealth: NO_PROXY }),
  skipTlsVerification: flag("The certificate of the site was verified despite skipTlsVerification."),
  parsePDF: flag({}, PDF_READ),
  parsers: { convert: checkParsers },
  jsonOptions: JSON_OPTIONS,
  extract: JSON_OPTIONS,
  ...door.accepted("fastMode", "integration", "origin", "auditMetadata", "maxConcurrency", "toolDetail"),
  lockdown: off("Pages are requested from their site, unless maxAge allows an earlier copy."),
  redactPII: off("Remove personal data from the result."),
  threatProtection: off("Private and denied addresses are always refused."),
  domainTools: off("The service has no tools of domains."),
  useMock: off("Use a test key (sk_test_…) to get mock data."),
  onlyCleanContent: off("Use onlyMainContent, includeTags and excludeTags."),
  minAge: { refused: "Use maxAge." },
  profile: { refused: "Send the cookies of a session in headers." },
  agent: { refused: "Use actions." },
  changeTrackingOptions: { refused: "Compare the markdown of two scrapes." },
};

/** Translates the options of a scrape. `path` is the place of the options in the request. */
export function toScrapeOptions(c: door.DoorContext, input: unknown, path = ""): Translation {
  const to = translate(as(z.looseObject({}), input ?? {}, path.slice(0, -1) || "body"), SCRAPE_RULES, { path });
  const { fields, warnings } = to;
  const { proxy_country: country, actions = [] } = fields;
  const formats = (fields.formats ?? ["markdown"]) as string[];
  const hasProxy = () => chooseProxy(parseProxies(c.env.PROXIES), String(country), "check") !== null;
  if (country !== undefined && c.get("caller").mode === "live" && !hasProxy()) {
    delete fields.proxy_country;
    warnings.push(`The page wasn't requested from the country ${country}, because no proxy is configured for it.`);
  }
  const [wait, ...waits] = splitWait(fields.wait_ms).map((ms) => ({ type: "wait", ms }));
  if (waits.length > 0) fields.actions = [...waits, ...(actions as object[])];
  if (waits.length > 0) fields.wait_ms = wait?.ms;
  // Our API doesn't use captures with these options. Firecrawl then loads the page.
  const isPrivate = ["headers", "cookies", "actions", "json", "screenshot", "capture"].some((name) => name in fields);
  if (isPrivate) delete fields.max_age;
  return { fields: { render: "auto", block_ads: true, ...fields, formats: [...formats, "metadata"] }, warnings };
}

/** Returns the URL with the scheme that Firecrawl adds to a URL without one. */
export function withScheme(url: unknown): unknown {
  const isBare = typeof url === "string" && /^(?!\w+:(?!\d))[^\s/?#]+\.[^\s/?#]+/.test(url.trim());
  return isBare ? `http://${url.trim()}` : url;
}
