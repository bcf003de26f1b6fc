import { Parser } from "htmlparser2";
import {
  MAX_SERP_FEED_CHARS,
  MAX_SERP_PAGE_RESULTS,
  MAX_SERP_SNIPPET_CHARS,
  MAX_SERP_TITLE_CHARS,
} from "../../model/limits";
import { tidy } from "../dom";
import { emptyPage, type Organic, type Query, type ResultPage } from "../engine";
import { bingTarget } from "../links";
import { distinct } from "../page";
import { withoutDate } from "../snippet";
import { bing } from "./bing";

const TEXTS: ReadonlySet<string> = new Set(["title", "link", "description"]);

/** The same search as a feed: plain links, about ten a page, not in quite the same order. */
export function bingRssUrl(query: Query, page: number): string {
  const url = new URL(bing.searchUrl(query, page));
  url.searchParams.set("format", "rss");
  return url.href;
}

/** A feed without items says nothing about why: that isn't known to be an answer. */
export function readBingRss(xml: string, url: string): ResultPage {
  const organic = distinct(
    itemsOf(xml).flatMap((item) => {
      const target = bingTarget(item.link ?? "", url);
      const title = tidy(item.title ?? "", MAX_SERP_TITLE_CHARS);
      if (!target || !item.link || title === "") return [];
      const snippet = tidy(item.description ?? "", MAX_SERP_SNIPPET_CHARS);
      return [{ title, ...target, snippet, description: withoutDate(snippet) } satisfies Organic];
    }),
  );
  return organic.length > 0 ? { kind: "results", organic, total: null, next: null } : emptyPage("unknown");
}

type Item = Partial<Record<string, string>>;

function itemsOf(xml: string): Item[] {
  const items: Item[] = [];
  let [item, name]: [Item | null, string] = [null, ""];
  const parser = new Parser(
    {
      onopentag(tag) {
        if (tag === "item") item = {};
        name = TEXTS.has(tag) ? tag : "";
      },
      ontext(text) {
        if (item && name !== "") item[name] = (item[name] ?? "") + text;
      },
      onclosetag(tag) {
        name = "";
        if (tag === "item" && item && items.length < MAX_SERP_PAGE_RESULTS) items.push(item);
        if (tag === "item") item = null;
      },
    },
    { xmlMode: true },
  );
  // Its time grows with the square of the depth.
  parser.end(xml.slice(0, MAX_SERP_FEED_CHARS));
  return items;
}
