// Firecrawl's options of a scrape, which are also those of the pages of a crawl, a batch and a search.
import { z } from "zod";
import { invalidParameter } from "../../contract/invalid-request";
import {
  CAPTURE_MAX_AGE_S,
  SECOND_MS,
  SYNC_WAIT_MS,
  TIMEOUT_MARGIN_MS,
  TIMEOUT_MIN_MS,
  WAIT_MAX_MS,
} from "../../model/limits";
import { chooseProxy, parseProxies } from "../../net/proxy-config";
import { as, type DoorContext, type Rule, type Rules, type Translation, toNames, translate } from "../door";

const SCROLL_PX = 800;
/** The prompt for data that only a schema describes. */
export const SCHEMA_PROMPT = "Extract the data that the schema describes.";

const Flag = z.boolean();
const Typed = z.looseObject({ type: z.string() });

/** Returns the rule of a parameter for which only `false` and similar values ask for nothing. */
function off(refused: string, ...except: unknown[]): Rule {
  return { refused, except: [false, { mode: "off" }, { mode: "disabled" }, ...except] };
}

/** Returns the rule of a parameter whose value `when` makes no difference to the request, but needs a warning. */
function warn(when: unknown, warning: string): Rule {
  return {
    convert(value, to, path) {
      if (as(Flag, value, path) === when) to.warnings.push(warning);
    },
  };
}

/** Our names of the formats. An object has a rule for each option. */
const FORMATS: Readonly<Record<string, string | readonly string[]>> = {
  markdown: "markdown",
  html: "clean_html",
  // The browser may have discarded the body of a rendered page.
  rawHtml: ["raw_html", "html"],
  links: "links",
  images: "images",
  screenshot: "screenshot",
  "screenshot@fullPage": "screenshot",
  json: "json",
  extract: "json",
  summary: "summary",
  question: "json",
  query: "json",
};

const REFUSED_FORMATS: Readonly<Record<string, string>> = {
  highlights: "Use the format question, or json with a prompt.",
  attributes: "Use the format json with a schema, or html.",
  changeTracking: "Compare the markdown of two scrapes.",
  branding: "Use the formats json and screenshot.",
  product: "Use the format json with the schema of a product. GET /v1/schemas lists ready-made schemas.",
  menu: "Use the format json with a schema.",
  audio: "The service returns no media.",
  video: "The service returns no media.",
};

const FORMAT_OPTIONS: Readonly<Record<string, Rules>> = {
  screenshot: {
    fullPage: "full_page",
    quality: "quality",
    viewport: "viewport",
  },
  json: { schema: "schema", prompt: "prompt", systemPrompt: "systemPrompt" },
  question: { question: "question" },
  query: { prompt: "question", mode: null },
};

function addFormats(value: unknown, to: Translation, path: string): void {
  const formats: string[] = [];
  for (const [index, entry] of as(z.array(z.unknown()), value, path).entries()) {
    const at = `${path}.${index}`;
    const { type, ...given } = typeof entry === "string" ? { type: entry } : as(Typed, entry, at);
    const refused = REFUSED_FORMATS[type];
    if (refused !== undefined)
      throw invalidParameter(at, `must not be '${type}', which isn't supported here. ${refused}`);
    const ours = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
    if (ours === undefined)
      throw invalidParameter(at, `must be one of ${Object.keys(FORMATS).join(", ")}`, { given: type });
    const { fields } = translate(given, FORMAT_OPTIONS[type] ?? {}, { path: `${at}.` });
    formats.push(...[ours].flat());
    if (type.startsWith("screenshot")) addScreenshot({ full_page: type.endsWith("fullPage"), ...fields }, to);
    if (type === "json" && Object.keys(fields).length > 0) to.fields.json = toData(fields);
    if (type === "question" || type === "query") to.fields.json = toAnswer(fields.question, to, at);
  }
  to.fields.formats = formats;
}

function addScreenshot({ viewport, ...options }: Record<string, unknown>, to: Translation): void {
  if (viewport !== undefined) to.fields.viewport = viewport;
  // Only a file with losses has a quality.
  to.fields.screenshot = { ...options, ...(options.quality !== undefined && { format: "jpeg" }) };
}

/** Returns our description of the data of the format json, and of an extract. */
export function toData({ schema, prompt, systemPrompt }: Record<string, unknown>): Record<string, unknown> {
  const given = [systemPrompt, prompt].filter((text) => text !== undefined && text !== "");
  const text = given.length === 2 ? given.join("\n\n") : given[0];
  return { prompt: text ?? SCHEMA_PROMPT, ...(schema !== undefined && { schema }), strategy: "auto" };
}

/** Returns the description of data with the answer to a question about the page. */
function toAnswer(question: unknown, to: Translation, path: string): Record<string, unknown> {
  const prompt = as(z.string().min(1), question, `${path}.question`);
  if (to.fields.json !== undefined)
    throw invalidParameter(path, "can't be combined with the format json. Send two requests");
  const schema = { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] };
  return { prompt, schema, strategy: "model" };
}

const JsonOptions: Rule = {
  ours: ["json"],
  convert(value, to, path) {
    const options = translate(
      as(z.looseObject({}), value, path),
      { ...FORMAT_OPTIONS.json, mode: null },
      { path: `${path}.` },
    );
    to.fields.json = toData(options.fields);
  },
};

/** The options of each action. Our type is `type`, or else the same as Firecrawl's. */
const ACTIONS: Readonly<Record<string, { type?: string; rules: Rules }>> = {
  wait: { rules: { milliseconds: "ms", selector: "selector" } },
  click: { rules: { selector: "selector", all: off("Add a click for each element.") } },
  write: { type: "type", rules: { text: "text" } },
  press: { rules: { key: "key" } },
  scroll: {
    rules: {
      direction: {
        ours: ["by"],
        convert(value, to, path) {
          to.fields.by = as(z.enum(["up", "down"]), value, path) === "up" ? -SCROLL_PX : SCROLL_PX;
        },
      },
      selector: off("The action scrolls the page."),
    },
  },
  screenshot: {
    rules: { fullPage: "full_page", quality: null, viewport: off("Use the viewport of the format screenshot.") },
  },
  scrape: { type: "html", rules: {} },
};

function addActions(value: unknown, to: Translation, path: string): void {
  const actions: Record<string, unknown>[] = [];
  /** The field that the click before has selected. Firecrawl types into the focused element. */
  let selector: unknown;
  for (const [index, entry] of as(z.array(Typed), value, path).entries()) {
    const at = `${path}.${index}`;
    const { type, ...given } = entry;
    const action = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined;
    if (action === undefined) {
      const rule = `must be one of ${Object.keys(ACTIONS).join(", ")}. Scripts and PDFs aren't supported, because actions are declarative`;
      throw invalidParameter(`${at}.type`, rule, { reason: `'${type.slice(0, 40)}' isn't supported` });
    }
    const { fields } = translate(given, action.rules, { path: `${at}.` });
    if (type === "click") selector = fields.selector;
    if (type === "write" && selector === undefined)
      throw invalidParameter(at, "must follow a click on the field into which it writes");
    if (type === "write") fields.selector = selector;
    if (type === "scroll") fields.by ??= SCROLL_PX;
    if (typeof fields.key === "string" && /^[A-Z]{2,}$/.test(fields.key))
      fields.key = fields.key.charAt(0) + fields.key.slice(1).toLowerCase();
    const parts = typeof fields.ms === "number" ? splitWait(fields.ms).map((ms) => ({ ...fields, ms })) : [fields];
    actions.push(...parts.map((part) => ({ type: action.type ?? type, ...part })));
  }
  to.fields.actions = actions;
}

/** Splits a wait into waits that one action or parameter can have. Other values are left to our schema. */
function splitWait(ms: number): number[] {
  if (!(ms > WAIT_MAX_MS) || ms > SYNC_WAIT_MS) return [ms];
  return [WAIT_MAX_MS, ...splitWait(ms - WAIT_MAX_MS)];
}

const Headers = z.record(z.string(), z.string());

function addHeaders(value: unknown, to: Translation, path: string): void {
  const headers = Object.entries(as(Headers, value, path));
  const find = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1];
  const cookies = find("cookie")
    ?.split(";")
    .map((pair) => pair.trim().split(/=(.*)/s))
    .filter(([name]) => name !== "")
    .map(([name, text = ""]) => ({ name, value: text }));
  if (cookies !== undefined) to.fields.cookies = cookies;
  const agent = find("user-agent");
  if (agent !== undefined) to.fields.user_agent = agent;
  const others = headers.filter(([name]) => !/^(?:cookie|user-agent)$/i.test(name));
  if (others.length > 0) to.fields.headers = Object.fromEntries(others);
}

const Location = z.strictObject({ country: z.string().optional(), languages: z.array(z.string()).optional() });

/** Adds the first language, or the usual one of the country. `finish` removes the country if there is no proxy. */
function addLocation(value: unknown, to: Translation, path: string): void {
  const { country, languages = [] } = as(Location, value, path);
  const isCountry = country !== undefined && /^[a-z]{2}$/i.test(country);
  const usual = isCountry ? new Intl.Locale(`und-${country}`).maximize() : null;
  const locale = languages[0] ?? (usual && `${usual.language}-${usual.region}`);
  if (locale !== null && locale !== undefined) to.fields.locale = locale;
  if (country !== undefined) to.fields.proxy_country = country.toUpperCase();
}

const Location_: Rule = { ours: ["locale", "proxy_country"], convert: addLocation };

const Parser = z.union([z.string(), z.looseObject({ type: z.string(), mode: z.string().optional() })]);

export const SCRAPE_RULES: Rules = {
  formats: { ours: ["formats", "json", "screenshot", "viewport"], convert: addFormats },
  onlyMainContent: "only_main_content",
  includeTags: "include_selectors",
  excludeTags: "exclude_selectors",
  headers: { ours: ["headers", "cookies", "user_agent"], convert: addHeaders },
  waitFor: "wait_ms",
  mobile: {
    ours: ["device"],
    convert(value, to, path) {
      if (as(Flag, value, path)) to.fields.device = "mobile";
    },
  },
  timeout: {
    ours: ["timeout_ms"],
    convert(value, to, path) {
      const ms = as(z.int().positive(), value, path);
      to.fields.timeout_ms = Math.max(TIMEOUT_MIN_MS, Math.min(ms, SYNC_WAIT_MS - TIMEOUT_MARGIN_MS));
    },
  },
  actions: { ours: ["actions"], convert: addActions },
  location: Location_,
  geolocation: Location_,
  maxAge: {
    ours: ["max_age"],
    convert(value, to, path) {
      const ms = as(z.number().min(0), value, path);
      to.fields.max_age = Math.min(Math.ceil(ms / SECOND_MS), CAPTURE_MAX_AGE_S);
    },
  },
  storeInCache: {
    ours: ["capture"],
    convert(value, to, path) {
      if (!as(Flag, value, path)) to.fields.capture = false;
    },
  },
  zeroDataRetention: {
    ours: ["store"],
    convert(value, to, path) {
      if (as(Flag, value, path)) to.fields.store = false;
    },
  },
  blockAds: "block_ads",
  removeBase64Images: warn(false, "Images in data URLs aren't part of the markdown."),
  proxy: {
    convert(value, to, path) {
      const proxy = as(z.enum(["basic", "auto", "enhanced", "stealth"]), value, path);
      if (proxy === "enhanced" || proxy === "stealth")
        to.warnings.push(`The page was requested without a ${proxy} proxy, because this service has none.`);
    },
  },
  skipTlsVerification: warn(true, "The certificate of the site was verified despite skipTlsVerification."),
  parsePDF: warn(false, "PDFs are converted to text despite parsePDF: false."),
  parsers: {
    convert(value, _, path) {
      for (const [index, parser] of as(z.array(Parser), value, path).entries()) {
        const at = `${path}.${index}`;
        const { type, mode = "auto", ...others } = typeof parser === "string" ? { type: parser } : parser;
        if (type !== "pdf" && type !== "image") throw invalidParameter(at, "must be pdf or image", { given: type });
        if (mode === "ocr")
          throw invalidParameter(`${at}.mode`, "must not be 'ocr', because the service reads only the text of a PDF");
        translate(others, { maxPages: { refused: "All pages of a PDF are read." } }, { path: `${at}.` });
      }
    },
  },
  jsonOptions: JsonOptions,
  extract: JsonOptions,
  ...Object.fromEntries(
    ["fastMode", "integration", "origin", "auditMetadata", "maxConcurrency", "toolDetail"].map((name) => [name, null]),
  ),
  lockdown: off("Pages are always requested from their site, unless maxAge allows an earlier copy."),
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

export const SCRAPE_NAMES = toNames(SCRAPE_RULES);

/** Translates the options of a scrape. `path` is the place of the options in the request. */
export function toScrapeOptions(c: DoorContext, input: object, path = ""): Translation {
  const to = translate(input, SCRAPE_RULES, { path });
  const { fields, warnings } = to;
  const formats = (fields.formats ?? ["markdown"]) as string[];
  const { proxy_country: country, wait_ms: wait } = fields;
  if (typeof country === "string" && c.get("caller").mode === "live") {
    if (chooseProxy(parseProxies(c.env.PROXIES), country, "check") === null) {
      delete fields.proxy_country;
      warnings.push(`The page wasn't requested from the country ${country}, because no proxy is configured for it.`);
    }
  }
  if (typeof wait === "number") {
    const [first, ...others] = splitWait(wait);
    fields.wait_ms = first;
    const waits = others.map((ms) => ({ type: "wait", ms }));
    if (waits.length > 0) fields.actions = [...waits, ...((fields.actions as object[]) ?? [])];
  }
  // Our API doesn't use captures with these options. Firecrawl then loads the page.
  const isPrivate = ["headers", "cookies", "actions"].some((name) => fields[name] !== undefined);
  if (isPrivate || fields.capture === false || formats.some((each) => each === "json" || each === "screenshot"))
    delete fields.max_age;
  return { fields: { render: "auto", block_ads: true, ...fields, formats: [...formats, "metadata"] }, warnings };
}

/** Returns the URL with the scheme that Firecrawl adds to a URL without one. */
export function withScheme(url: unknown): unknown {
  return typeof url === "string" && /^(?!\w+:(?!\d))[^\s/?#]+\.[^\s/?#]+/.test(url.trim())
    ? `http://${url.trim()}`
    : url;
}
