import { fold, suggest } from "../lib/suggest";

/** The entries of a line `name: alias alias`, by alias. */
function toAliases(lines: string): ReadonlyMap<string, readonly string[]> {
  const entries = lines
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [name = "", aliases = ""] = line.split(": ");
      return aliases.split(" ").map((alias): [string, string] => [fold(alias), name.trim()]);
    });
  const grouped = Map.groupBy(entries, ([alias]) => alias);
  return new Map([...grouped].map(([alias, found]) => [alias, found.map(([, name]) => name)]));
}

/** The names that similar services use for our parameters. A name can stand for parameters of several operations. */
const PARAMETER_ALIASES = toAliases(`
  url: uri urls link href target target_url page_url website address start_url
  formats: format output output_format output_formats return_format response_format
  js_render: javascript js render_js enable_js use_browser browser headless dynamic
  wait_for: wait_for_selector wait_selector wait_until selector
  only_main_content: main_content readability article_only extract_main_content
  include_selectors: include_tags target_selector css_selector css_selectors include
  exclude_selectors: exclude_tags remove_selector remove_selectors remove_tags exclude
  proxy_country: country country_code geo geo_code geo_location region proxy location gl
  webhook_url: webhook callback callback_url notify_url hook
  prompt: instruction instructions description system_prompt extraction_prompt ask
  schema: json_schema output_schema response_schema extract_rules extraction_schema rules
  html: raw_html content source page_html body
  model: model_name llm engine
  query: q search search_query keyword keywords term text search_term
  engine: search_engine source provider
  location: gl country country_code uule geo region place
  language: hl lang lr locale
  num_results: num n count limit max_results results size top top_k number_of_results
  device: user_agent platform mobile
  q: text query search keyword term url
  from: since start start_date date_from after_date created_after
  to: until end end_date date_to before_date created_before
  since: from start start_date date_from after_date created_after
  until: to end end_date date_to before_date created_before
  cursor: after starting_after next next_cursor page_token continuation
  offset: page skip start
  limit: per_page page_size count size num take
  status: state
  code: error error_code reason
  endpoint: type operation
  key_id: key api_key_id
  scopes: permissions scope roles
  allowed_ips: ips ip_allowlist ip_whitelist whitelist allowlist allowed_ip cidr cidrs
  name: label title description
  mode: environment env type test live
`);

/** The names that similar services use for our values. */
const VALUE_ALIASES = toAliases(`
  markdown: md
  html: raw_html raw source rawhtml
  text: txt plain plaintext plain_text
  screenshot: png image jpg jpeg picture screenshot@fullPage full_page_screenshot pdf
  links: urls hyperlinks hrefs
  metadata: meta
  completed: done success succeeded successful finished complete ok
  failed: error errored failure
  queued: pending waiting new created
  processing: running active in_progress started
  mobile: phone smartphone iphone android
  desktop: computer pc laptop
  live: production prod
  test: sandbox dev development testing
  serp: search
  parse: extract
  always: true
  never: false
  true: 1 yes on
  false: 0 no off
`);

/** The advice about parameters of similar services that have no counterpart, by folded name. */
const NOTES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    api_key: "Send the API key in the header 'Authorization: Bearer <API_KEY>'.",
    token: "Send the API key in the header 'Authorization: Bearer <API_KEY>'.",
    access_token: "Send the API key in the header 'Authorization: Bearer <API_KEY>'.",
    timeout: "The time limits can't be changed.",
    headers: "The service sends its own headers to the target.",
    cookies: "The service sends no cookies of the caller to the target.",
    actions: "The service performs no actions on a page. 'wait_for' waits for an element.",
    premium_proxy: "Use 'proxy_country' to choose the country of the request.",
  }).map(([name, note]) => [fold(name), note]),
);

/**
 * Returns the known parameter that an unknown one probably stands for, or null. Considers misspellings and the names
 * that similar services use.
 */
export function suggestParameter(name: string, known: readonly string[]): string | null {
  const aliases = PARAMETER_ALIASES.get(fold(name)) ?? [];
  const exact = known.find((candidate) => fold(candidate) === fold(name));
  return exact ?? aliases.find((alias) => known.includes(alias)) ?? suggest(name, known);
}

/** Returns the allowed value that another value probably stands for, or null. */
export function suggestValue(value: string, allowed: readonly string[]): string | null {
  const aliases = VALUE_ALIASES.get(fold(value)) ?? [];
  return aliases.find((alias) => allowed.includes(alias)) ?? suggest(value, allowed);
}

/** Returns a sentence about a parameter of similar services that this service doesn't have, or null. */
export function noteAbout(name: string): string | null {
  return NOTES.get(fold(name)) ?? null;
}
