/// <reference path="../../html/raw.d.ts" />
import bingChallenge from "../../fixtures/serp/bing-challenge.html?raw";
import bingDesktop from "../../fixtures/serp/bing-desktop.html?raw";
import bingMobile from "../../fixtures/serp/bing-mobile.html?raw";
import bingNone from "../../fixtures/serp/bing-none.html?raw";
import googleBasic from "../../fixtures/serp/google-basic.html?raw";
import googleConsent from "../../fixtures/serp/google-consent.html?raw";
import googleDesktop from "../../fixtures/serp/google-desktop.html?raw";
import googleMobile from "../../fixtures/serp/google-mobile.html?raw";
import googleNone from "../../fixtures/serp/google-none.html?raw";
import googleNoneBasic from "../../fixtures/serp/google-none-basic.html?raw";
import googleShell from "../../fixtures/serp/google-shell.html?raw";
import googleSorry from "../../fixtures/serp/google-sorry.html?raw";
import yandexCaptcha from "../../fixtures/serp/yandex-captcha.html?raw";
import yandexDesktop from "../../fixtures/serp/yandex-desktop.html?raw";
import yandexLight from "../../fixtures/serp/yandex-light.html?raw";
import yandexMobile from "../../fixtures/serp/yandex-mobile.html?raw";
import yandexNone from "../../fixtures/serp/yandex-none.html?raw";

export const PAGES = {
  bingChallenge,
  bingDesktop,
  bingMobile,
  bingNone,
  googleBasic,
  googleConsent,
  googleDesktop,
  googleMobile,
  googleNone,
  googleNoneBasic,
  googleShell,
  googleSorry,
  yandexCaptcha,
  yandexDesktop,
  yandexLight,
  yandexMobile,
  yandexNone,
} as const;

/** Replaces each class name with its hash. Equal names stay equal. */
export function withOtherClasses(html: string): string {
  const rename = (name: string) => `x${[...name].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) | 0, 7)}`;
  return html.replace(/ class="([^"]*)"/g, (_, names: string) => ` class="${names.split(" ").map(rename).join(" ")}"`);
}
