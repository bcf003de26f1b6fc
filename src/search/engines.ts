import type { EngineName } from "../contract/serp";
import type { Engine } from "./engine";
import { bing } from "./engines/bing";
import { google } from "./engines/google";
import { yandex } from "./engines/yandex";

export const ENGINES = { google, bing, yandex } satisfies Record<EngineName, Engine>;
