import { TEXTS } from "../../html/encoding/texts.ts";
import { encodeLegacy } from "../legacy-encoder.ts";
import type { Behaviors } from "./visit.ts";

/** Returns a sentence in a language that the encoding supports. */
export function sentenceOf(encoding: string): string {
  return (
    TEXTS.find(([, encodings]) => encodings.includes(encoding))?.[2] ?? "Grüße, déjà vu, Łódź, 今日は良い天気です。"
  );
}

/**
 * Serves a page in the encoding that the query parameter `encoding` names. `declared` selects how the page declares its
 * encoding: `header`, `meta`, or `wrong` for a header with another encoding. Without `declared`, the page declares no
 * encoding. `as` is the name of the encoding in the declaration.
 */
export const characters: Behaviors = {
  characters: ({ url, response }) => {
    const encoding = url.searchParams.get("encoding") ?? "";
    const declared = url.searchParams.get("declared");
    const label = url.searchParams.get("as") ?? encoding;
    const meta = declared === "meta" ? `<meta charset="${label}">` : "";
    const page = `<!doctype html><html><head>${meta}</head><body><p>${sentenceOf(encoding)}</p></body></html>`;
    const charset = { header: label, wrong: encoding.startsWith("utf-") ? "iso-8859-1" : "utf-8" }[declared ?? ""];
    response.writeHead(200, { "content-type": charset === undefined ? "text/html" : `text/html; charset=${charset}` });
    response.end(encode(page, encoding));
  },
};

function encode(text: string, encoding: string): Uint8Array {
  if (encoding === "utf-8") return Buffer.from(text);
  const marked = Buffer.from(`\ufeff${text}`, "utf16le");
  if (encoding === "utf-16le") return marked;
  if (encoding === "utf-16be") return marked.swap16();
  return encodeLegacy(text, encoding);
}
