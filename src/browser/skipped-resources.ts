import { toExpression } from "./evaluate";
import type { Tab } from "./tab";

/** The file extensions of images, media and fonts. SVG isn't listed, because scripts also load it as markup. */
const SKIPPED_EXTENSIONS = [
  ..."avif bmp gif ico jpeg jpg png webp".split(" "),
  ..."aac flac m4a m4v mov mp3 mp4 mpeg oga ogg ogv opus wav weba webm".split(" "),
  ..."eot otf ttf woff woff2".split(" "),
];

/** The patterns for `Network.setBlockedURLs`. */
const SKIPPED_URLS: readonly string[] = SKIPPED_EXTENSIONS.flatMap((extension) => [
  `*.${extension}`,
  `*.${extension}?*`,
]);

const HIDE_SKIPPED_IMAGES = toExpression("hideSkippedImages");

/**
 * Makes the browser skip images, media and fonts by their file extension, without a round trip. Must be called before
 * the tab navigates. Doesn't wait for the browser, which runs these commands in order.
 */
export function skipResources(tab: Tab): void {
  tab.blocked.skipped = SKIPPED_URLS;
  // The errors are ignored, because they also end the navigation.
  tab.send("Page.addScriptToEvaluateOnNewDocument", { source: HIDE_SKIPPED_IMAGES }).catch(() => undefined);
  tab.blocked.apply().catch(() => undefined);
}
