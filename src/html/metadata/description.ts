import { asNode, type JsonLdNode, toPlainText, typesOf } from "../page/json-ld";
import { tidyValue } from "../parse/white-space";

/** A description of the page from its JSON-LD or microdata. Values that it lacks are empty. */
export type Description = ReturnType<typeof describe>;

const MAX_AUTHORS = 20;
/**
 * The types of JSON-LD nodes that can be the page's subject. The nodes that match the earliest pattern are the
 * subjects, because an article may contain a video, and a product may have reviews. From other nodes, such as the
 * publisher, only the names are used.
 */
const SUBJECTS = [
  /Article$|Posting$|^Report$/,
  /^Recipe$|^Product|Event$|^HowTo$|^Question$|^Book$|^Course$|^Movie$|^Podcast|^SoftwareApplication$|^Dataset$|^Message$/,
  /^Review$|^VideoObject$/,
];
const PAGE = /Page$|^Thing$/;
/** The author of a review or a comment isn't the author of the page. */
const CONTRIBUTION = /Review$|^Comment$|^Answer$/;

/**
 * Describes a page by the nodes of its JSON-LD or microdata. `isOther` returns true for a node that doesn't have the
 * page's title. It is called if there are several subjects, such as the articles of a list, and for reviews and videos.
 */
export function describe(
  nodes: readonly JsonLdNode[],
  { isOther, maxAuthors = MAX_AUTHORS }: { isOther: (node: JsonLdNode) => boolean; maxAuthors?: number },
) {
  const isA = (node: JsonLdNode, kind: RegExp) => typesOf(node).some((type) => kind.test(type));
  const kind = SUBJECTS.find((one) => nodes.some((node) => isA(node, one)));
  const candidates = kind ? nodes.filter((node) => isA(node, kind)) : [];
  const titles = new Set(candidates.map(titleOf));
  const subjects =
    titles.size > 1 || kind === SUBJECTS.at(-1) ? candidates.filter((node) => !isOther(node)) : candidates;
  const pages = nodes.filter((node) => isA(node, PAGE) || typesOf(node).length === 0);
  const site = nodes.find((node) => typesOf(node).includes("WebSite"));
  const byId = new Map(nodes.map((node) => [node["@id"], node]));
  const find = (read: (node: JsonLdNode) => string) =>
    [...subjects, ...pages].map(read).find((value) => value !== "") ?? "";
  const author = [...subjects, ...pages]
    .filter((node) => !isA(node, CONTRIBUTION))
    .map((node) => (maxAuthors === 1 ? [authorOf(node)].flat()[0] : authorOf(node)))
    .find((value) => namesOf(value, byId) !== "");
  const publisher = find((node) => namesOf(node.publisher, byId));
  return {
    title: find(titleOf),
    description: find((node) => textOf(node.description)),
    language: find((node) => textOf(node.inLanguage) || textOf(asNode(node.inLanguage)?.alternateName)),
    author: namesOf(author, byId),
    /** True if the author is an organization. */
    isByOrganization: isOrganization(author, byId),
    published: find((node) => textOf(node.datePublished) || textOf(node.dateCreated)),
    modified: find((node) => textOf(node.dateModified)),
    site: find((node) => namesOf(node.isPartOf, byId)) || textOf(site?.name) || publisher,
    publisher,
  };
}

export function titleOf(node: JsonLdNode): string {
  return textOf(node.headline) || textOf(node.name);
}

function authorOf(node: JsonLdNode): unknown {
  return node.author ?? node.creator;
}

function isOrganization(author: unknown, byId: Map<unknown, JsonLdNode>): boolean {
  const [first] = [author].flat();
  const node = asNode(first);
  const types = node ? [...typesOf(node), ...typesOf(byId.get(node["@id"]) ?? {})] : [];
  return types.some((type) => /Organization$|^Corporation$|Business$/.test(type));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return textOf(value.find((item) => typeof item === "string"));
  const literal = asNode(value)?.["@value"];
  if (typeof literal === "string") return textOf(literal);
  return typeof value === "string" ? tidyValue(toPlainText(value)) : "";
}

/**
 * Returns the names of people or organizations, joined by commas. A value can be a name, a node or a reference to a
 * node.
 */
function namesOf(value: unknown, byId: Map<unknown, JsonLdNode>): string {
  const list = asNode(value)?.["@list"] ?? value;
  const values = (Array.isArray(list) ? list : [list]).slice(0, MAX_AUTHORS);
  const names = values.map((item) => {
    const node = asNode(item);
    if (!node) return textOf(item);
    return textOf(node.name) || textOf(byId.get(node["@id"])?.name) || fullName(node);
  });
  return [...new Set(names)].filter((name) => name !== "" && !/^https?:/i.test(name)).join(", ");
}

function fullName(person: JsonLdNode): string {
  return `${textOf(person.givenName)} ${textOf(person.familyName)}`.trim();
}
