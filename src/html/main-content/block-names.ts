import type { Block } from "./outline";
import { BESIDE_NAMES, CAPTION_NAMES, EMBED_NAMES, TALK_NAMES } from "./words";

/** Whether its names say that it is beside the content: promotion, sharing, related stories, authors, captions. */
export function isBeside({ names }: Block): boolean {
  if (!names.some((name) => BESIDE_NAMES.test(name))) return false;
  // A post that the text quotes is named after its network.
  return !names.some((name) => EMBED_NAMES.test(name)) || names.some((name) => CAPTION_NAMES.test(name));
}

export function isCaption({ names }: Block): boolean {
  return names.some((name) => CAPTION_NAMES.test(name));
}

/** Whether its names say that people talk in it: comments under a text, or the posts of a forum. */
export function isTalk({ names }: Block): boolean {
  return names.some((name) => TALK_NAMES.test(name));
}
