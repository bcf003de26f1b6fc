import { findCards } from "./cards";
import type { Headline } from "./headline";
import { isNamedBoilerplate } from "./region-kinds";
import type { Region } from "./regions";
import { type Selection, total } from "./selection";
import { MEDIA_NAMES, PICTURE_NAMES } from "./vocabulary";

/** If the best candidate has less than this share of the page's prose, another region is chosen. */
const MIN_COVERAGE = 0.6;
/** A region that replaces the candidate has at least this share of the page's prose. */
const WIDE_COVERAGE = 0.85;
/** An ancestor replaces the content only if it adds at least this much prose, as a share of the content's prose. */
const MIN_GAIN = 0.1;
/** An ancestor may add at most this much other text, as a share of the prose that it adds. */
const MAX_WASTE = 0.3;
const MAX_LEADS = 3;
const MAX_LEAD_WORDS = 120;
const MAX_LEAD_DISTANCE_WORDS = 250;

/**
 * Compares the candidate's prose with all prose outside of teasers. If the candidate has too little prose, returns the
 * smallest region with most of the page's prose. Otherwise returns the candidate, or an ancestor that adds prose and
 * little other text.
 */
export function widen(selection: Selection, candidate: Region[]): Region[] {
  const { root } = selection.page;
  const own = selection.copy();
  for (const card of findCards(selection, root)) own.dropRegion(card);
  const covered = total(candidate, (region) => own.prose(region));
  return covered < MIN_COVERAGE * own.prose(root) ? [mostProse(own)] : climb(own, candidate);
}

function mostProse(selection: Selection): Region {
  let region = selection.page.root;
  const enough = WIDE_COVERAGE * selection.prose(region);
  for (;;) {
    const next = region.children.find((child) => selection.prose(child) >= enough);
    if (!next) return region;
    region = next;
  }
}

function climb(selection: Selection, candidate: Region[]): Region[] {
  let current = candidate;
  let prose = total(candidate, (region) => selection.prose(region));
  let length = total(candidate, (region) => selection.length(region));
  for (let at = candidate[0]?.parent ?? null; at; at = at.parent) {
    const gain = selection.prose(at) - prose;
    const waste = selection.length(at) - length - gain;
    if (gain < MIN_GAIN * prose || waste > MAX_WASTE * gain) continue;
    current = [at];
    prose += gain;
    length = selection.length(at);
  }
  return current;
}

/** Adds the standfirst, which is between the headline and the content. */
export function withLead(selection: Selection, content: Region[], headline: Headline | null): Region[] {
  const [first] = content;
  if (!headline || !first || first.start < headline.region.end) return content;
  const between = selection.linesIn({ start: headline.region.end, end: first.start });
  if (between.reduce((words, line) => words + line.words, 0) > MAX_LEAD_DISTANCE_WORDS) return content;
  const leads = between.filter(
    (line) => line.isProse && line.words <= MAX_LEAD_WORDS && !isNearPicture(line.region, headline.region),
  );
  if (leads.length > MAX_LEADS) return content;
  return [...new Set(leads.map(({ region }) => region).filter((region) => region.children.length === 0)), ...content];
}

function isNearPicture(region: Region, headline: Region): boolean {
  for (let at: Region | null = region; at && !at.holds(headline); at = at.parent) {
    if (/^fig(?:ure|caption)$/.test(at.element.name) || isNamedBoilerplate(at)) return true;
    if (at.names.some((name) => PICTURE_NAMES.test(name) || MEDIA_NAMES.test(name))) return true;
  }
  return false;
}
