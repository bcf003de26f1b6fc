import { bing } from "./bing";
import type { Engine, EngineName } from "./engine";
import { google } from "./google";
import { yandex } from "./yandex";

export const ENGINES = { google, bing, yandex } satisfies Record<EngineName, Engine>;
