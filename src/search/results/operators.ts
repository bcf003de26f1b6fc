import { decodeUri, foldText } from "../../lib/text";
import type { OrganicResult } from "./result-page";

/**
 * Matches a quoted phrase, or an operator with its sign, name and value. In a phrase, an operator is plain text. Only
 * operators that a result's URL or title shows are listed.
 */
const OPERATOR = /"[^"]*"|(?<=^|[\s(|])(-?)(site|filetype|ext|mime|intitle|inurl):("[^"]*"|[^\s()|]+)/gi;
/** Matches parentheses around nothing but the words that join operators. */
const EMPTY_GROUP = /\((?:\s|\bOR\b|\|)*\)/g;

type Check = (result: OrganicResult, value: string) => boolean;

const isOfType: Check = ({ url, title }, value) => includesWord(`${url} ${title}`, value);

const CHECKS: Readonly<Record<string, Check>> = {
  site: ({ url }, value) => isOnSite(url, value),
  filetype: isOfType,
  ext: isOfType,
  mime: isOfType,
  intitle: ({ title }, value) => foldText(title).includes(foldText(value)),
  inurl: ({ url }, value) => [url, decodeUri(url)].some((address) => foldText(address).includes(foldText(value))),
};

/**
 * Returns true if all results violate an operator of the query. For example, no result of `site:example.com` is from
 * example.com. Engines sometimes drop an operator without a notice. Results with unresolved URLs violate nothing.
 */
export function violatesOperator(query: string, organic: readonly OrganicResult[]): boolean {
  if (organic.length === 0 || organic.some(({ unresolved }) => unresolved)) return false;
  const operators = [...query.matchAll(OPERATOR)].flatMap(([, sign, name = "", value = ""]) => {
    const check = CHECKS[name.toLowerCase()];
    if (check === undefined) return [];
    const matches = (result: OrganicResult) => check(result, value.replace(/"/g, "").toLowerCase());
    return [{ group: `${sign}${name.toLowerCase()}`, isExcluded: sign === "-", matches }];
  });
  // Several operators with the same name are alternatives, such as `site:a.com OR site:b.com`.
  return [...Map.groupBy(operators, ({ group }) => group).values()].some((group) =>
    group[0]?.isExcluded
      ? group.some(({ matches }) => organic.every(matches))
      : !organic.some((result) => group.some(({ matches }) => matches(result))),
  );
}

/** Returns the query without the operators that `violatesOperator` checks. */
export function withoutOperators(query: string): string {
  const rest = query.replace(OPERATOR, (found, _, name?: string) => (name === undefined ? found : " "));
  return rest.replace(EMPTY_GROUP, " ").replace(/\s+/g, " ").trim();
}

/**
 * Returns true if the URL's host is the site or one of its subdomains. A site can have a path, as in example.com/a. A
 * `*` stands for any text.
 */
export function isOnSite(url: string, site: string): boolean {
  const address = URL.parse(url);
  // URLs have the encoded forms of hosts and paths.
  const wanted = URL.parse(`http://${site.replace(/^(?:https?:\/\/)?(?:\*?\.)?/i, "")}`);
  if (address === null || wanted === null) return false;
  const [host = "", ...wildcards] = wanted.hostname.split("*");
  const [path = ""] = foldText(decodeUri(wanted.pathname)).split("*");
  const hostname = `.${address.hostname}`;
  const isHost = wildcards.length > 0 ? hostname.includes(`.${host}`) : hostname.endsWith(`.${host}`);
  return isHost && foldText(decodeUri(address.pathname)).startsWith(path);
}

function includesWord(text: string, word: string): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .includes(word);
}
