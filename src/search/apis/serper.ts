import { z } from "zod";
import { googleLanguage } from "../engines/google";
import { requestApi } from "./request";
import { ApiResults, parseApiResponse, toOrganicResults } from "./response";
import type { ApiPage, ApiQuery, ApiSettings } from "./search-api";

const ORIGIN = "https://google.serper.dev";

const SerperResponse = z.object({ organic: ApiResults });

/**
 * Searches Google through https://serper.dev. A page has about ten results and no total. Serper has no parameter for
 * the device.
 */
export function searchSerper(query: ApiQuery, settings: ApiSettings, signal: AbortSignal): Promise<ApiPage> {
  const { origin, apiKey, timeouts } = settings;
  return requestApi({
    provider: "Serper",
    url: `${origin ?? ORIGIN}/search`,
    init: {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        q: query.text,
        hl: googleLanguage(query).toLowerCase(),
        gl: query.place?.country.code.toLowerCase(),
        location: query.place?.city?.google ?? undefined,
        page: query.page + 1,
      }),
    },
    timeouts,
    signal,
    read: readSerper,
  });
}

function readSerper(text: string): ApiPage {
  const organic = toOrganicResults("google", parseApiResponse(SerperResponse, text).organic);
  // Serper doesn't mark the last page, but the page after it is empty.
  return { organic, total: null, hasNext: organic.length > 0 };
}
