import { z } from "zod";
import { googleLanguage } from "../engines/google";
import { requestApi } from "./request";
import { ApiResults, parseApiAnswer, toOrganicResults } from "./response";
import type { ApiPage, ApiQuery, ApiSettings } from "./search-api";

const ORIGIN = "https://google.serper.dev";

const SerperAnswer = z.object({ organic: ApiResults });

/** Searches Google with https://serper.dev: about ten results a page, without a total. It takes no device. */
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

function readSerper(answer: string): ApiPage {
  const organic = toOrganicResults("google", parseApiAnswer(SerperAnswer, answer).organic);
  // Serper doesn't mark the last page. The page after it is empty.
  return { organic, total: null, hasNext: organic.length > 0 };
}
