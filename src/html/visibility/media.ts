import type { Element } from "domhandler";
import { isBeacon } from "../ast/image-url";
import { attribute, findElement, hasMoreText, MEDIA, rawText } from "../parse/dom";
import { tidyValue } from "../parse/white-space";

/** The attributes in which media and boxes that load them later have their address. */
const ADDRESSES = new Set(
  (
    "src data data-src data-lazy-src data-litespeed-src data-original data-embed-url data-iframe-src data-oembed-url " +
    "data-instgrm-permalink data-url cite"
  ).split(" "),
);
/** The attributes with the identifier of a video, in boxes that load a player after a click. */
const VIDEO_IDS = new Set(
  "videoid data-video-id data-videoid data-youtube-id data-yt-id data-vimeo-id data-ytid".split(" "),
);
/** The attributes that a box can have whose player loads after a click. */
export const FACADE: ReadonlySet<string> = ADDRESSES.union(VIDEO_IDS);
const MAX_TITLE_CHARS = 300;
const VIDEO_ID = /^[\w-]{6,20}$/;
const NO_ADDRESS = /^\s*(?:about|javascript|data|blob|mailto):|^\s*#|^\s*$|\.swf(?:$|\?)/i;
/** The hosts of players. An address of other hosts in an attribute of a box may be anything. */
const PLAYER =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|wistia\.(?:com|net)|spotify\.com|soundcloud\.com|instagram\.com|tiktok\.com|google\.[a-z]{2,3}(?:\.[a-z]{2})?\/maps|loom\.com)\//i;
/** Frames that measure, advertise, check the visitor or show buttons. */
const SERVICE =
  /googletagmanager|doubleclick|googlesyndication|adservice|amazon-adsystem|recaptcha|hcaptcha|turnstile|challenges\.cloudflare|facebook\.com\/(?:tr\b|plugins\/(?:like|share|follow|page))|\/(?:pixel|beacon|sync|usersync)\b|addthis|sharethis|consent|\/widgets\/(?:follow|tweet)_button/i;
/** The kinds of media by address. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/spotify|soundcloud|podcast|\.(?:mp3|ogg|m4a|wav|flac)\b/i, "Audio"],
  [/youtu\.?be|vimeo|dailymotion|wistia|twitch|loom\.com|\/video|\.(?:mp4|webm|ogv|mov|m3u8)\b/i, "Video"],
  [/\/maps?\b|\bmaps\.|openstreetmap/i, "Map"],
  [/\.pdf\b/i, "PDF"],
  [/twitter|\/\/x\.com|instagram|facebook|tiktok|bsky|mastodon/i, "Post"],
];

/**
 * Returns true for a video, an audio, a frame or an object, and for a box without much text that loads a player after a
 * click.
 */
export function isMedia(element: Element): boolean {
  return MEDIA.has(element.name) || (facadeUrl(element) !== null && !hasMoreText(element, 80));
}

/** Returns the address and the text of a link to a medium. Returns null if it's hidden, or part of a service. */
export function mediaLink(element: Element): { url: string; text: string } | null {
  const { name, attribs } = element;
  const isImage = /^image\//i.test(attribs.type ?? "");
  const url = (MEDIA.has(name) ? addressOf(element) : facadeUrl(element)) ?? "";
  const isHidden = isGone(element) || isBeacon(element);
  if (isImage || isHidden || NO_ADDRESS.test(url) || SERVICE.test(url)) return null;
  const own = MEDIA.has(name) ? "" : rawText(element);
  const given = [attribs.title, attribs["aria-label"], attribs.playlabel, attribs["data-title"], own].map(tidyValue);
  const text =
    given.find((one) => one !== "" && one.length <= MAX_TITLE_CHARS) ??
    (name === "video" ? "Video" : name === "audio" ? "Audio" : kindOf(url));
  return { url, text };
}

function addressOf(element: Element): string | null {
  const own = ADDRESSES.keys()
    .map((name) => attribute(element, name))
    .find((address) => !NO_ADDRESS.test(address));
  const source = own ? undefined : findElement(element, ({ name }) => name === "source" || name === "embed");
  return own ?? (source ? attribute(source, "src") || attribute(source, "data-src") : null);
}

/** Returns the address of the player that a box loads after a click, or null for other elements. */
function facadeUrl({ name, attribs }: Element): string | null {
  if (name === "img" || name === "source" || name === "a") return null;
  let id = "";
  for (const key in attribs) {
    const value = attribs[key] ?? "";
    if (ADDRESSES.has(key) && PLAYER.test(value)) return value;
    if (id === "" && VIDEO_IDS.has(key) && VIDEO_ID.test(value)) id = key;
  }
  if (id === "") return null;
  const isVimeo = /vimeo/i.test(`${name} ${id} ${attribs.class ?? ""} ${attribs["data-provider"] ?? ""}`);
  return `${isVimeo ? "https://vimeo.com/" : "https://www.youtube.com/watch?v="}${attribs[id]}`;
}

function kindOf(url: string): string {
  return KINDS.find(([pattern]) => pattern.test(url))?.[1] ?? "Embedded page";
}

/** Returns true for an element that the markup hides, even from screen readers. */
export function isGone({ attribs }: Element): boolean {
  return attribs.hidden !== undefined || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribs.style ?? "");
}
