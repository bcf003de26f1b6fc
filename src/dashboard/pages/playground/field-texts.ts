import { MAX_BATCH_REQUESTS } from "../../../model/limits";

/** The texts of a field, in addition to those that follow from the contract. */
interface FieldText {
  label?: string;
  hint?: string;
  placeholder?: string;
  /** The number of lines of a text area. */
  rows?: number;
}

/** The texts of the fields, by the name of the parameter. A name with an operation has precedence. */
const FIELD_TEXTS: { readonly [name: string]: FieldText } = {
  url: { placeholder: "https://example.com/" },
  "parse.url": { placeholder: "https://example.com/product" },
  "crawl.url": { hint: "The crawl starts at this page and follows the links of its site." },
  render: {
    label: "Render in a browser",
    hint: "Rendering can cost more. Screenshots, PDFs, waits and actions use a browser.",
  },
  wait_for: { label: "Wait for an element (CSS)", placeholder: "#price" },
  only_main_content: { label: "Content" },
  include_selectors: { label: "Included elements (CSS)", rows: 2 },
  exclude_selectors: { label: "Excluded elements (CSS)", rows: 2 },
  hidden_text: { hint: "Text that readers of the page can't see." },
  proxy_country: { placeholder: "DE" },
  json: {
    label: "Data for the JSON format",
    placeholder: '{"prompt": "The product and its price."}',
    hint: "A JSON object with a prompt, and optionally a schema.",
  },
  actions: { placeholder: '[{"type": "click", "selector": "#more"}]' },
  max_credits: { label: "Maximum credits", hint: "Leave empty for no limit." },
  webhook_url: { label: "Webhook URL", hint: "Leave empty to use your account's webhook endpoints." },
  other: { label: "Other parameters", hint: "A JSON object with other parameters from the API reference." },
  headers: {
    placeholder: "X-Api-Key: example",
    hint: "Enter one per line. The values are sent only to the site of the URL, and aren't stored.",
    rows: 2,
  },
  cookies: { placeholder: "session=example; Path=/", hint: "Enter one per line.", rows: 2 },
  basic_auth: { label: "Basic authentication", placeholder: "user:password" },
  html: { label: "HTML", hint: "Leave the URL empty.", rows: 6 },
  prompt: { placeholder: "The product's name and price.", rows: 3 },
  schema: { placeholder: '{"type": "object", "properties": {"name": {"type": "string"}}}', rows: 8 },
  strategy: { hint: "The page's own data is what it declares, such as JSON-LD. Needs a schema." },
  evidence: { hint: "For each value, the result quotes the page." },
  query: { placeholder: "lighthouse museums" },
  num_results: { label: "Number of results" },
  location: {
    placeholder: "Istanbul, Turkey",
    hint: "Enter a country, its ISO code, a city, or “City, Country”.",
  },
  language: { placeholder: "en", hint: "Enter a language code, such as tr or en-US." },
  search: { placeholder: "pricing" },
  sitemap: { label: "Sitemaps" },
  "map.limit": { label: "Number of URLs" },
  include_subdomains: { label: "Subdomains", hint: "The result includes the URLs of subdomains." },
  requests: {
    label: "URLs",
    placeholder: "https://example.com/\nhttps://example.com/about",
    hint: `One URL per line, at most ${MAX_BATCH_REQUESTS.toLocaleString("en")}. A line can also be a JSON object with a url and other parameters.`,
    rows: 8,
  },
  defaults: {
    label: "Options of all pages (JSON)",
    hint: "The parameters of the endpoint, such as formats, render, prompt and schema. max_credits limits the price of each page.",
    rows: 6,
  },
  ignore_invalid: {
    label: "Omit invalid URLs",
    hint: "If this isn't selected, an invalid URL refuses the whole batch.",
  },
  webhook_events: { label: "Events for the webhook URL" },
  tags: { hint: "Enter one per line.", rows: 2 },
  "crawl.limit": { label: "Maximum number of pages" },
  max_depth: {
    label: "Maximum depth",
    hint: "The maximum number of links from the first page. Leave empty for no limit.",
  },
  include_paths: {
    label: "Included paths",
    placeholder: "/blog/*",
    hint: "Enter one pattern per line. * matches any characters.",
    rows: 2,
  },
  exclude_paths: { label: "Excluded paths", placeholder: "/blog/tags/*", rows: 2 },
  allow_subdomains: { label: "Subdomains" },
  scrape: {
    label: "Options of all pages (JSON)",
    hint: "The parameters of a scrape, such as formats and render. max_credits limits the price of each page.",
    rows: 4,
  },
  delay: {
    label: "Delay between pages (seconds)",
    hint: "A longer Crawl-delay in robots.txt takes precedence.",
  },
  robots: { label: "robots.txt" },
};

/** The labels of values that aren't their names. */
const OPTION_LABELS: { readonly [option: string]: string } = {
  "formats.text": "Plain text",
  "formats.summary": "Summary (language model)",
  "formats.json": "JSON (language model)",
  "render.auto": "Only if the page has no content otherwise",
  "only_main_content.true": "Main content",
  "only_main_content.false": "Whole page with navigation and footers",
  "hidden_text.drop": "Leave out",
  "strategy.model": "Language model",
  "strategy.auto": "The page's own data first",
  "strategy.page": "Only the page's own data",
  "sitemap.only": "Only sitemaps",
};

const WORDS: { readonly [word: string]: string } = { url: "URL", html: "HTML", json: "JSON", pdf: "PDF" };

/** Returns the texts of a field. */
export function textOf(operation: string, name: string): FieldText & { label: string } {
  const own = { ...FIELD_TEXTS[name], ...FIELD_TEXTS[`${operation}.${name}`] };
  return { ...own, label: own.label ?? toWords(name) };
}

/** Returns the label of a value of a field. */
export function toOptionLabel(name: string, option: string): string {
  // The names of events are the same everywhere.
  return OPTION_LABELS[`${name}.${option}`] ?? (option.includes(".") ? option : toWords(option));
}

/** Converts a name such as `raw_html` to the words "Raw HTML". */
function toWords(name: string): string {
  const words = name.split("_").map((word) => WORDS[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
