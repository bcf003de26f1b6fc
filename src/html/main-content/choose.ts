import type { ChildNode, Document } from "domhandler";
import { bodyOf } from "../parse/document";
import { excludeHidden } from "../visibility/markup-visibility";
import { declaresArticle } from "./article";
import { dropBoilerplate, dropUnlikely } from "./boilerplate";
import { bestCandidate } from "./candidate";
import { widen, withLead } from "./coverage";
import { Draft, total } from "./draft";
import { findHeadline, pageTitles } from "./headline";
import { pageHosts } from "./hosts";
import { type Block, type Outline, outline } from "./outline";
import { type Content, prune } from "./prune";

/** Below it, names that are seldom on content may have misled. */
const SURE_CHARS = 500;
/** A page this small, or with this little prose, is better taken as a whole: a list of links, a table, a form's answer. */
const SMALL_PAGE_CHARS = 500;
const MIN_PROSE_CHARS = 300;
/** Of what is left of the page without its boilerplate: less of it is the wrong block. */
const MIN_SHARE = 0.1;

/** The blocks that hold the main content, and what of them doesn't belong to it. */
export function chooseContent(
  document: Document,
  { url, excluded }: { url: string; excluded: ReadonlySet<ChildNode> },
): Content {
  const body = bodyOf(document);
  const invisible = new Set(excluded);
  excludeHidden(body, invisible, { byClass: true });
  const page = outline(body, invisible);
  const titles = pageTitles(document);
  const headline = findHeadline(page, titles);
  // Front pages of newspapers say so, too.
  const isArticle = headline !== null && declaresArticle(document);
  const about = { hosts: pageHosts(document, url), headline, titles, invisible, isArticle };

  const sure = new Draft(page, new Set(invisible));
  dropBoilerplate(sure, headline);
  const likely = sure.copy();
  dropUnlikely(likely, about.headline);
  const whole = (draft: Draft): Content => ({ ...about, draft: draft.copy(), blocks: [landmark(page)], isPage: true });
  if (sure.length(page.root) <= SMALL_PAGE_CHARS) return pruned(whole(sure));

  const article = (draft: Draft): Content => {
    const blocks = withLead(draft, widen(draft, bestCandidate(draft)), about.headline);
    return { ...about, draft: draft.copy(), blocks, isPage: false };
  };
  const first = article(likely);
  const best = lengthOf(first) >= SURE_CHARS ? first : longest(first, article(sure));
  const hasProse = about.isArticle || total(best.blocks, (block) => best.draft.prose(block)) >= MIN_PROSE_CHARS;
  const content = pruned(hasProse ? best : whole(likely));
  if (lengthOf(content) >= Math.min(SURE_CHARS, MIN_SHARE * likely.length(landmark(page)))) return content;
  return longest(content, pruned(whole(likely)));
}

function pruned(content: Content): Content {
  prune(content);
  return content;
}

function landmark({ blocks, root }: Outline): Block {
  const [main, ...more] = blocks.filter(
    ({ element, isEmpty }) => !isEmpty && (element.name === "main" || element.attribs.role === "main"),
  );
  return main && more.length === 0 ? main : root;
}

function longest(first: Content, second: Content): Content {
  return lengthOf(second) > lengthOf(first) ? second : first;
}

function lengthOf({ draft, blocks }: Content): number {
  return total(blocks, (block) => draft.length(block));
}
