import { z } from "@hono/zod-openapi";
import { suggest } from "../lib/suggest";
import { VIEWPORT_MAX_PX, VIEWPORT_MIN_PX } from "../model/page-limits";
import { integer, text } from "./fields";

const DEVICES = ["desktop", "mobile"] as const;

const LOCALE_RULE = "must be a language with an optional region (BCP 47), such as de or de-CH";
const TIMEZONE_RULE = "must be a time zone of the IANA database, with its region, such as Europe/Berlin";
/** The probable meanings of common abbreviations. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ["BST", "Europe/London"],
  ["CEST", "Europe/Berlin"],
  ["CST", "America/Chicago"],
  ["CDT", "America/Chicago"],
  ["EDT", "America/New_York"],
  ["IST", "Asia/Kolkata"],
  ["JST", "Asia/Tokyo"],
  ["PDT", "America/Los_Angeles"],
  ["PST", "America/Los_Angeles"],
]);

/** Returns the canonical form of a language tag, or null if the text isn't a language with an optional script and region. */
function toLocale(text: string): string | null {
  try {
    const [locale = ""] = Intl.getCanonicalLocales(text);
    return /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/.test(locale) ? locale : null;
  } catch {
    return null;
  }
}

/** Returns the name of a time zone that browsers accept, or null if it doesn't exist. */
function toTimezone(text: string): string | null {
  // `Intl` also accepts offsets and abbreviations. Browsers don't accept offsets, and abbreviations are ambiguous.
  if (!text.includes("/") && !/^(?:utc|gmt)$/i.test(text)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Returns the time zone that the text probably stands for: a misspelled name, a city, or an abbreviation. */
function suggestTimezone(text: string): string | null {
  const names = Intl.supportedValuesOf("timeZone");
  const city = names.find((name) => name.toLowerCase().endsWith(`/${text.toLowerCase().replaceAll(" ", "_")}`));
  return ABBREVIATIONS.get(text.toUpperCase()) ?? city ?? suggest(text, names);
}

/** Returns a schema for texts that `toValue` converts. The error for any other text has the rule and a suggestion. */
function converted(
  rule: string,
  toValue: (text: string) => string | null,
  toSuggestion: (text: string) => string | null,
) {
  return text.transform((text, context) => {
    const value = toValue(text);
    if (value !== null) return value;
    const suggestion = toSuggestion(text);
    const question = suggestion === null ? "" : `. Did you mean '${suggestion}'?`;
    context.addIssue({ code: "custom", message: `${rule}${question}`, input: text });
    return z.NEVER;
  });
}

function within(limit: number, name: string) {
  const rule = `must be the ${name} in degrees, from -${limit} to ${limit}`;
  return z
    .number()
    .min(-limit, rule)
    .max(limit, rule)
    .openapi({ description: `The ${name} in degrees.` });
}

const pixels = integer(VIEWPORT_MIN_PX, VIEWPORT_MAX_PX, "pixels");
const ACCURACY_RULE = "must be a number of meters from 1 to 100000";

/** The fields that describe the device and the place from which a page is requested. */
export const DEVICE_OPTIONS = {
  device: z.enum(DEVICES).optional().openapi({
    description:
      "`mobile`: the page gets the user agent of a phone. A rendered page also gets the viewport, touch and client hints of a phone. `desktop` is the default. This parameter alone doesn't render the page.",
  }),
  viewport: z
    .strictObject({
      width: pixels.openapi({ description: "The width in CSS pixels." }),
      height: pixels.openapi({ description: "The height in CSS pixels." }),
    })
    .optional()
    .openapi({
      description:
        "The size of the window in CSS pixels. The default is 1280 × 800, or 412 × 915 for `device: mobile`. This parameter always renders the page.",
      example: { width: 1440, height: 900 },
    }),
  locale: converted(LOCALE_RULE, toLocale, (text) => toLocale(text.replaceAll("_", "-").replace(/[.@,;].*/, "")))
    .optional()
    .openapi({
      description:
        "The preferred language (BCP 47), for the header `Accept-Language` and for scripts of a rendered page. By default, it is the main language of the country in `proxy_country`. This parameter alone doesn't render the page.",
      example: "de-CH",
    }),
  timezone: converted(TIMEZONE_RULE, toTimezone, suggestTimezone).optional().openapi({
    description:
      "The time zone (IANA) that scripts of the page see. By default, it is the time zone of the capital of the country in `proxy_country`. This parameter always renders the page.",
    example: "Europe/Zurich",
  }),
  geolocation: z
    .strictObject({
      latitude: within(90, "latitude"),
      longitude: within(180, "longitude"),
      accuracy: z.number().min(1, ACCURACY_RULE).max(100_000, ACCURACY_RULE).optional().openapi({
        description: "The accuracy in meters. The default is 100.",
      }),
    })
    .optional()
    .openapi({
      description:
        "The location that scripts of the page get if they request it. The permission is granted to the origin of `url`. By default, it is the capital of the country in `proxy_country`. This parameter always renders the page.",
      example: { latitude: 47.37, longitude: 8.54 },
    }),
  proxy_country: text
    // The endpoint checks whether the code exists, because it has the list of countries.
    .transform((code) => (/^[a-z]{2}$/i.test(code) ? code.toUpperCase() : code))
    .optional()
    .openapi({
      pattern: "^[A-Za-z]{2}$",
      description:
        "The country from which the page is requested, as an ISO 3166-1 alpha-2 code. The request is refused if no proxy is configured for the country. It also sets the defaults of `locale`, `timezone` and `geolocation`.",
      example: "TR",
    }),
};
