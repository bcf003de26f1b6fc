import { z } from "zod";
import { googleLanguage } from "../locale";
import { ask } from "./ask";
import { toOrganic } from "./found";
import { parseAnswer, Results } from "./json";
import type { ApiPage, ApiQuery, ApiSettings } from "./search-api";

const ORIGIN = "https://google.serper.dev";

const Answer = z.object({ organic: Results });

/** Google by https://serper.dev: about ten results a page, without a total. It takes no device. */
export function searchSerper(query: ApiQuery, settings: ApiSettings, signal: AbortSignal): Promise<ApiPage> {
  const { origin, apiKey, patience } = settings;
  return ask({
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
    patience,
    signal,
    read: readSerper,
  });
}

function readSerper(answer: string): ApiPage {
  const organic = toOrganic("google", parseAnswer(Answer, answer).organic);
  // It doesn't say which page is the last: the one after it is empty.
  return { organic, total: null, hasNext: organic.length > 0 };
}
