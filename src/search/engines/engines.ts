import type { EngineName } from "../../contract/serp";
import { bing } from "./bing";
import type { SearchEngine } from "./engine";
import { google } from "./google";
import { yandex } from "./yandex";

/** All search engines. To add one, add its name to `EngineName` and its definition here. */
export const ENGINES: { readonly [E in EngineName]: SearchEngine } = { google, bing, yandex };
