import { endsLikeSentence, isAboutText, isInvitation } from "../main-content/line-kinds";
import { isLinkLine, linkShareOf, type TextLine } from "../main-content/regions";
import { AD_LABEL, BYLINE, CREDIT, invitesToFollow } from "../main-content/vocabulary";
import type { ContentFacts } from "./content-facts";
import type { Witness } from "./evidence";
import { wordString } from "./structured-text";

const CUT_OFF = /(?:…|\.\.\.|\[…\])$/;
const RIGHTS = /©|\(c\)|copyright|all rights reserved/i;
const CONTACT = /@\w+\.|\+?\d[\d ().-]{7,20}\d/;
const NUMBERS = /^[\W\d_]+$/;
const LETTER = /\p{L}/u;
const MIN_CAPITALS = 4;
/** The lines around a line, with the names of their evidence. */
const NEIGHBORS = [-2, -1, 1, 2].map((offset) => ({
  offset,
  prose: `prose at ${offset}`,
  linkShare: `link share at ${offset}`,
  words: `words at ${offset}`,
  heading: `heading at ${offset}`,
}));

/** Gives the evidence in a line's own text and in its position. */
export function lineEvidence(line: TextLine, facts: ContentFacts, wordsBefore: number, see: Witness): void {
  const { text } = line;
  const { lines } = facts.page;
  see("words", Math.log1p(line.words));
  see("few words", Number(line.words < 4));
  see("prose", Number(line.isProse));
  see("ends like a sentence", Number(endsLikeSentence(line)));
  see("ends with ?", Number(text.endsWith("?")));
  see("ends with :", Number(text.endsWith(":")));
  see("cut off", Number(CUT_OFF.test(text)));
  see("heading", Number(line.headingLevel > 0));
  see("link share", linkShareOf(line));
  see("line of links", Number(isLinkLine(line)));
  see("commas per word", line.commas / Math.max(1, line.words));
  see("characters per word", line.length / Math.max(1, line.words));
  see("date", Number(line.hasDate));
  see("price", Number(line.hasPrice));
  see("invitation", Number(isInvitation(line)));
  see("about the text", Number(isAboutText(line)));
  see("image credit", Number(CREDIT.test(text)));
  see("advertisement", Number(AD_LABEL.test(text)));
  see("invitation to follow", Number(invitesToFollow(text)));
  see("byline", Number(BYLINE.test(text)));
  see("rights", Number(RIGHTS.test(text)));
  see("contact", Number(CONTACT.test(text)));
  see("only numbers", Number(NUMBERS.test(text)));
  see("capitals", Number(text.length >= MIN_CAPITALS && text === text.toUpperCase() && LETTER.test(text)));
  see("repetitions", Math.log(facts.repetitions.get(text) ?? 1));
  const where = line.headingLevel > 0 ? "heading" : "below a heading";
  for (const topic of facts.topics[line.index] ?? []) see(`${where} about ${topic}`, 1);
  const { article } = facts;
  see("article extraction", Number(facts.articleLines.has(line.index)));
  see("article's regions", Number(article.regions.some(({ start, end }) => start <= line.index && line.index < end)));
  see("element of boilerplate", Number(!article.sure.has(line)));
  see("name of boilerplate", Number(!article.likely.has(line)));
  for (const names of NEIGHBORS) {
    const next = lines[line.index + names.offset];
    see(names.prose, Number(next?.isProse ?? false));
    see(names.linkShare, next ? linkShareOf(next) : 1);
    see(names.words, next ? Math.log1p(next.words) : 0);
    see(names.heading, Number((next?.headingLevel ?? 0) > 0));
  }
  positionEvidence(line, facts, wordsBefore, see);
  postEvidence(line, facts, see);
  groupEvidence(line, facts, see);
  structuredEvidence(line, facts, see);
}

function positionEvidence(line: TextLine, facts: ContentFacts, wordsBefore: number, see: Witness): void {
  const { headline, lastProse, page } = facts;
  const count = page.lines.length;
  const start = headline?.region.start ?? -1;
  see("position by lines", line.index / count);
  see("position by words", wordsBefore / facts.words);
  see("headline", Number(headline !== null && line.region === headline.region));
  see("before the headline", Number(line.index < start));
  see("words before, after the headline", headline && line.index >= start ? Math.log1p(wordsBefore) : 0);
  see("distance to the headline", headline ? Math.abs(line.index - start) / count : 1);
  see("after the last prose", Number(line.index > lastProse));
  see("distance to the last prose", line.index > lastProse ? (line.index - lastProse) / count : 0);
}

function postEvidence({ index }: TextLine, { posts }: ContentFacts, see: Witness): void {
  if (posts.count === 0) return;
  const post = posts.byLine[index];
  if (post) {
    see("in a post", 1);
    see("time of a post", Number(index === post.time));
    see("before the time of its post", Number(index < post.time));
  } else {
    see("before the posts", Number(index < posts.first));
    see("between posts", Number(index > posts.first && index < posts.last));
    see("after the posts", Number(index > posts.last));
  }
}

function groupEvidence({ index }: TextLine, { groups }: ContentFacts, see: Witness): void {
  const group = groups[index];
  if (!group) return;
  see("lines in its group", Math.log(group.size));
  see("words in its group", Math.log1p(group.words));
  see("link share of its group", group.linkShare);
  see("prose share of its group", group.proseShare);
  see("variety of its group", group.variety);
}

function structuredEvidence({ text }: TextLine, { texts, titleWords }: ContentFacts, see: Witness): void {
  const key = wordString(text);
  const words = key.trim().split(" ");
  see("in JSON-LD", Number(words.length >= 2 && texts.subject.includes(key)));
  see("in JSON-LD about something else", Number(words.length >= 3 && texts.aside.includes(key)));
  see("in the description", Number(words.length >= 3 && texts.description.includes(key)));
  see("share of title words", words.filter((word) => titleWords.has(word)).length / words.length);
}
