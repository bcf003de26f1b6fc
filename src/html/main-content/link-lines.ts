import { type ChildNode, Element } from "domhandler";
import { hostOf } from "./hosts";
import { isInvitation } from "./lines";
import { isLinkLine, type Unit } from "./outline";
import { SOCIAL_HOSTS } from "./words";

const MAX_LINE_WORDS = 40;
const FILE = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|epub|zip|gz|tgz|dmg|exe|deb|rpm|apk|ics|gpx)(?:[?#]|$)/i;

/**
 * Menus and related stories. What the text itself offers stays: places on the same page, files, names in code, terms that
 * are explained, lists of other sites, and lists that the text announces.
 */
export function linkLines(units: readonly Unit[], { hosts }: { hosts: ReadonlySet<string> }): Unit[] {
  const found: Unit[] = [];
  const lastProse = units.findLastIndex((unit) => unit.isProse);
  let before: Unit | undefined;
  for (const [at, unit] of units.entries()) {
    if (unit.headingLevel > 0 || unit.words >= MAX_LINE_WORDS || !isLinkLine(unit)) {
      before = unit;
      continue;
    }
    const isAnnounced = before !== undefined && announces(before, at < lastProse);
    if (!isAnnounced && !isOddItem(unit) && !isOffered(unit, hosts)) found.push(unit);
  }
  return found;
}

/** Headings that lead to other pages and have no text below them. */
export function linkedHeadings(units: readonly Unit[]): Unit[] {
  let hasText = false;
  return units.toReversed().filter((unit) => {
    if (unit.headingLevel === 0) {
      hasText ||= unit.isProse;
      return false;
    }
    const isOverText = hasText;
    hasText = false;
    return !isOverText && isLinkLine(unit) && !linksIn(unit).every(isOnPage);
  });
}

/** A heading over a part of the text, or a sentence that ends in a colon. */
function announces(unit: Unit, hasTextBelow: boolean): boolean {
  if (isLinkLine(unit) || isInvitation(unit)) return false;
  return unit.headingLevel > 0 ? hasTextBelow : unit.text.endsWith(":") && unit.isProse;
}

/** A linked item among others that aren't. */
function isOddItem({ block: { element, parent } }: Unit): boolean {
  if (!parent || element.name !== "li") return false;
  return parent.children.filter((child) => child.isLinked).length < 0.5 * parent.children.length;
}

function isOffered(unit: Unit, hosts: ReadonlySet<string>): boolean {
  const { name } = unit.block.element;
  if (name === "dt") return true;
  const links = linksIn(unit);
  if (links.length === 0) return false;
  return links.every(
    (link) => isOnPage(link) || isFile(link) || isCode(link) || (name === "li" && isAbroad(link, hosts)),
  );
}

function isOnPage({ attribs }: Element): boolean {
  return attribs.href?.startsWith("#") ?? false;
}

function isFile({ attribs }: Element): boolean {
  return FILE.test(attribs.href ?? "");
}

function isCode({ children }: Element): boolean {
  return children.some((child) => child instanceof Element && (child.name === "code" || isCode(child)));
}

function isAbroad({ attribs: { href = "" } }: Element, hosts: ReadonlySet<string>): boolean {
  const host = hostOf(href);
  return host !== null && !hosts.has(host) && !SOCIAL_HOSTS.test(host);
}

function linksIn({ nodes }: Unit): Element[] {
  return nodes.flatMap(linksOf);
}

function linksOf(node: ChildNode): Element[] {
  if (!(node instanceof Element)) return [];
  const inside = node.children.flatMap(linksOf);
  return node.name === "a" && node.attribs.href !== undefined ? [node, ...inside] : inside;
}
