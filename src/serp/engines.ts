export { bing } from "./bing";
export { google } from "./google";
export { yandex } from "./yandex";
