import { decodeUri } from "../../lib/text";
import { partsOfTitle, similarity, wordsOf } from "../page/headline";
import { hostOf } from "../parse/urls";

const [MIN_SITE_CHARS, MAX_SITE_WORDS] = [5, 4];
const LABEL = /[:\])»]\s*$/;
const MIN_SIMILARITY = 0.5;
const MIN_RELATED = 0.2;

interface TitleSources {
  /** The titles that the page declares, the most reliable one first. */
  titles: readonly string[];
  /** The text of the headline, or an empty string. */
  headline: string;
  /** The names of the site. See `siteNames`. */
  sites: readonly string[];
  url: string;
}

/**
 * Returns the page's own title, without the name of the site. Returns the headline if it is similar to the declared
 * title, because declared titles are often shortened or written for search engines. Also returns it if the declared
 * title is about the whole site.
 */
export function chooseTitle({ titles, headline, sites, url }: TitleSources): string {
  const own = titles.map((title) => withoutSite(title, { headline, sites })).filter((title) => title !== "");
  const declared = own.find((title) => !isSiteName(title, sites)) ?? own[0] ?? "";
  if (headline === "" || (declared !== "" && isSiteName(headline, sites))) return declared;
  if (declared === "" || isSiteName(declared, sites)) return headline;
  const shown = wordsOf(headline);
  const share = (title: string) => similarity(wordsOf(title), shown);
  // A label such as "Thread:" can be in front of the title in the headline.
  if (headline.endsWith(declared) && LABEL.test(headline.slice(0, -declared.length))) return declared;
  if (share(declared) >= MIN_SIMILARITY) return headline;
  if (own.some((title) => share(title) >= MIN_RELATED)) return declared;
  // The title and the headline have little in common. The words of the URL show which one is about this page.
  const address = wordsOf(decodeUri(URL.parse(url)?.pathname ?? ""));
  return similarity(shown, address) > similarity(wordsOf(declared), address) ? headline : declared;
}

/** Returns the names of the site: the given names, the host, and the names in the host. */
export function siteNames(address: string, names: readonly (string | undefined)[]): string[] {
  const host = hostOf(address) ?? "";
  const labels = host
    .split(".")
    .slice(0, -1)
    .filter((label) => label.length > 1);
  return [...names, host, ...labels].map(lettersOf).filter((name) => name !== "");
}

/** Returns true if a text is one of the names of the site. Ignores case, spaces and punctuation. */
export function isSiteName(text: string, sites: readonly string[]): boolean {
  return sites.includes(lettersOf(text));
}

/** Returns true for a short text that contains a long name of the site, such as “The Harbor Gazette” on gazette.example. */
function containsSiteName(text: string, sites: readonly string[]): boolean {
  const letters = lettersOf(text);
  return (
    text.trim().split(/\s+/).length <= MAX_SITE_WORDS &&
    sites.some((site) => site.length >= MIN_SITE_CHARS && letters.includes(site))
  );
}

/** Removes a known name of the site from the beginning or the end of a title. */
export function withoutSiteName(title: string, sites: readonly string[]): string {
  const parts = partsOfTitle(title);
  if (parts.length < 2) return title.trim();
  const [first, last] = [parts.at(0)?.text ?? "", parts.at(-1)?.text ?? ""];
  if (isSiteName(last, sites) || containsSiteName(last, sites)) return title.slice(0, parts.at(-2)?.end).trim();
  return isSiteName(first, sites) ? title.slice(parts[1]?.start).trim() : title.trim();
}

/** Returns the part of a title that is the most similar to the headline, or else the title without the site's name. */
function withoutSite(title: string, { headline, sites }: { headline: string; sites: readonly string[] }): string {
  const parts = partsOfTitle(title);
  const shown = wordsOf(headline);
  let best = { text: title, score: similarity(wordsOf(title), shown) };
  if (best.score > 0)
    for (const [at, { start }] of parts.entries())
      for (const { end } of parts.slice(at)) {
        const text = title.slice(start, end);
        const score = similarity(wordsOf(text), shown);
        if (score > best.score) best = { text, score };
      }
  if (best.score >= MIN_SIMILARITY) return best.text.trim();
  const own = withoutSiteName(title, sites);
  // The last part after "|" is the name of the site on most pages.
  return own === title.trim() ? own.replace(/(?<=\S)\s*[|｜][^|｜]*$/, "") : own;
}

function lettersOf(text: string | undefined): string {
  return (text ?? "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
