import type { DeviceOptions } from "../../browser/protocol";
import { invalidParameter } from "../../contract/invalid-request";
import type { PageFields } from "../../contract/scrape";
import { DESKTOP_MIN_WIDTH_PX, MOBILE_MAX_WIDTH_PX } from "../../model/page-limits";
import { COUNTRIES, ZONES } from "../../search/places/tables";

const ACCURACY_M = 100;
/** The accuracy of the default location, which is the capital of a country. */
const CAPITAL_ACCURACY_M = 10_000;

/** Throws AppError if the viewport doesn't fit the kind of device in the request. */
export function checkDevice({ device, viewport }: PageFields): void {
  if (device === undefined || viewport === undefined) return;
  const { width } = viewport;
  if (device === "mobile" && width > MOBILE_MAX_WIDTH_PX) {
    const rule = `must be at most ${MOBILE_MAX_WIDTH_PX} with 'device: mobile', not ${width}. Use a narrower viewport, or 'device: desktop'`;
    throw invalidParameter("viewport.width", rule);
  }
  if (device === "desktop" && width < DESKTOP_MIN_WIDTH_PX) {
    const rule = `must be at least ${DESKTOP_MIN_WIDTH_PX} with 'device: desktop', not ${width}. Use a wider viewport, or 'device: mobile'`;
    throw invalidParameter("viewport.width", rule);
  }
}

/** Returns the device, with the place of `proxy_country` for missing fields. Undefined: the service's defaults. */
export function toDevice(fields: PageFields): DeviceOptions | undefined {
  const { device, viewport, proxy_country: country } = fields;
  const isMobile = device === "mobile";
  const zone = country === undefined ? undefined : ZONES.get(country);
  const locale = fields.locale ?? (country === undefined ? undefined : localeOf(country));
  const timezone = fields.timezone ?? zone?.timezone;
  const geolocation = fields.geolocation ?? (zone && { ...zone, accuracy: CAPITAL_ACCURACY_M });
  if (!isMobile && [viewport, locale, timezone, geolocation].every((field) => field === undefined)) return undefined;
  return {
    isMobile,
    viewport: viewport ?? null,
    languages: locale === undefined ? [] : toLanguages(locale),
    timezone: timezone ?? null,
    geolocation: geolocation
      ? {
          latitude: geolocation.latitude,
          longitude: geolocation.longitude,
          accuracy: geolocation.accuracy ?? ACCURACY_M,
        }
      : null,
  };
}

/** Returns the country's main language with the country code, such as de-CH. */
function localeOf(code: string): string | undefined {
  const country = COUNTRIES.find((candidate) => candidate.code === code);
  return country && `${new Intl.Locale(country.languages[0]).language}-${code}`;
}

/** Returns the preferred languages, the most preferred first: the locale, its language, and English. */
function toLanguages(locale: string): string[] {
  return [...new Set([locale, new Intl.Locale(locale).language, "en"])];
}
