import { fold, suggest } from "../lib/suggest";

/** The entries of a line `name: alias alias`, by alias. */
function toAliases(lines: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of lines.trim().split("\n")) {
    const [name = "", aliases = ""] = line.split(": ");
    for (const alias of aliases.split(" ").map(fold)) names.set(alias, [...(names.get(alias) ?? []), name.trim()]);
  }
  return names;
}

/** The names that similar services use for our parameters. A name can stand for parameters of several operations. */
const PARAMETER_ALIASES = toAliases(`
  url: uri urls link href target target_url page_url website address start_url
  requests: urls url_list links pages items inputs
  formats: format output output_format output_formats return_format response_format
  js_render: javascript js render_js enable_js use_browser browser headless dynamic
  wait_for: wait_for_selector wait_selector selector
  wait_ms: wait wait_time delay sleep wait_for_timeout wait_browser_ms rendering_wait
  wait_until: wait_for_event wait_browser wait_until_event load_event
  block_ads: block_ad ad_block adblock block_trackers block_tracking no_ads remove_ads
  actions: steps js_scenario browser_actions scenario interactions page_actions instructions
  ms: milliseconds timeout time duration delay
  by: amount pixels y
  to: direction position
  clear: clear_first replace
  full_page: fullpage full
  timeout_ms: timeout timeout_milliseconds page_timeout max_timeout time_limit
  only_main_content: main_content readability article_only extract_main_content
  include_selectors: include_tags target_selector css_selector css_selectors include
  exclude_selectors: exclude_tags remove_selector remove_selectors remove_tags exclude
  proxy_country: country country_code geo geo_code geo_location region proxy location gl
  max_credits: max_cost max_price credit_limit budget max_cost_credits
  dry_run: estimate preview simulate dryrun estimate_cost validate_only
  json: json_options extract extract_options extractor llm_extraction extraction structured
  screenshot: screenshot_options
  full_page: fullpage full_page_screenshot
  device_scale_factor: scale pixel_ratio device_pixel_ratio dpr
  block_banners: block_cookie_banners block_consent_modals hide_cookie_banners no_cookie_banners
  hide_selectors: hide_elements
  paper: paper_size paper_format page_size
  background: print_background
  webhook_url: webhook callback callback_url notify_url hook
  prompt: instruction instructions description system_prompt extraction_prompt ask
  schema: json_schema output_schema response_schema extract_rules extraction_schema rules
  html: raw_html content source page_html body
  model: model_name llm engine
  headers: custom_headers http_headers forward_headers extra_headers request_headers set_extra_http_headers
  cookies: cookie custom_cookies set_cookies set_cookie
  user_agent: useragent ua custom_user_agent
  basic_auth: auth authenticate authentication http_auth credentials
  query: q search search_query keyword keywords term text search_term
  engine: search_engine source provider
  location: gl country country_code uule geo region place
  language: hl lang lr locale
  num_results: num n count limit max_results results size top top_k number_of_results
  device: user_agent platform mobile is_mobile emulate_mobile device_type
  viewport: window_size screen_size resolution viewport_size window_width viewport_width width window
  timezone: time_zone tz timezone_id
  geolocation: coordinates geo_position gps lat_long
  locale: language lang hl accept_language languages
  q: text query search keyword term url
  from: since start start_date date_from after_date created_after date
  to: until end end_date date_to before_date created_before
  since: from start start_date date_from after_date created_after
  until: to end end_date date_to before_date created_before
  tags: tag labels label keywords categories
  tag: tags label labels
  metadata: meta custom custom_data user_data userdata context extra custom_metadata
  cursor: after starting_after next next_cursor page_token continuation
  offset: page skip start
  limit: per_page page_size count size num take
  status: state
  code: error error_code reason
  endpoint: type operation
  key_id: key api_key_id
  scopes: permissions scope roles
  allowed_ips: ips ip_allowlist ip_whitelist whitelist allowlist allowed_ip cidr cidrs
  expires_at: expiry expiration expiration_date expires expires_in valid_until ttl
  credit_limit: limit monthly_limit max_credits credits budget quota spend_limit cap
  grace_period_s: grace grace_period overlap
  group_by: group groups aggregate breakdown
  name: label title description
  mode: environment env type test live
`);

/** The names that similar services use for our values. */
const VALUE_ALIASES = toAliases(`
  markdown: md
  html: source
  raw_html: raw rawhtml original_html
  clean_html: cleaned_html main_html article_html
  text: txt plain plaintext plain_text
  screenshot: png image jpg jpeg picture screenshot@fullPage full_page_screenshot
  pdf: print printed
  images: image_urls pictures
  links: urls hyperlinks hrefs
  metadata: meta
  summary: summarize abstract tldr
  json: extract extraction structured
  completed: done success succeeded successful finished complete ok
  failed: error errored failure
  succeeded: delivered success successful completed done ok
  abandoned: failed error errored failure
  pending: queued waiting scheduled retrying
  target_http_error: http_error http_404 http_500 404 500 503
  target_timeout: timeout timed_out
  blocked_by_target: blocked captcha bot_detected
  dns_failure: dns_error
  queued: pending waiting new created
  processing: running active in_progress started
  mobile: phone smartphone iphone android
  desktop: computer pc laptop
  quiet: networkidle networkidle0 networkidle2 idle network_idle
  domcontentloaded: domloaded dom dom_content_loaded
  load: loaded complete onload
  live: production prod
  test: sandbox dev development testing
  day: date days daily
  key: key_id api_key
  code: outcome result error error_code
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
    job_id: "Use GET /v1/jobs/{id} to read one job.",
    sort: "Lists are sorted from newest to oldest.",
    order: "Lists are sorted from newest to oldest.",
    sort_by: "Lists are sorted from newest to oldest.",
    ...Object.fromEntries(
      ["http_only", "same_site", "host_only", "expires", "expiration_date"].map((name) => [
        name,
        "Remove it: a cookie only has 'name', 'value', 'domain', 'path' and 'secure'.",
      ]),
    ),
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
