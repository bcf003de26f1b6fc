import type { Document, Element } from "domhandler";
import { attribute, elementsUnder, findElement, hasAttribute, rawText } from "../parse/dom";
import type { Description } from "./json-ld";
import { tidyValue } from "./value";

type Field = keyof Description;

/** Of pages with more, as of lists of articles, none says what the page is. */
const MAX_PROPERTIES = 200;

const FIELDS = new Map<string, Field>([
  ["headline", "title"],
  ["description", "description"],
  ["inLanguage", "language"],
  ["author", "author"],
  ["datePublished", "published"],
  ["dateModified", "modified"],
  ["publisher", "site"],
]);

/** The first value of each property that microdata gives. */
export function readMicrodata(document: Document): Description {
  const description: Description = {};
  let properties = 0;
  for (const element of elementsUnder(document)) {
    if (element.attribs.itemprop === undefined) continue;
    if (++properties > MAX_PROPERTIES) break;
    for (const name of attribute(element, "itemprop").split(/\s+/)) {
      const field = FIELDS.get(name);
      if (field && !description[field]) description[field] = propertyValue(element);
    }
  }
  return description;
}

/** An item inside of an item, such as a person, is known by its name. */
function propertyValue(element: Element): string {
  if (!hasAttribute(element, "itemscope")) return plainValue(element);
  const name = findElement(element, ({ attribs }) => attribs.itemprop === "name");
  return name ? plainValue(name) : "";
}

function plainValue(element: Element): string {
  return tidyValue(attribute(element, "content") || attribute(element, "datetime") || rawText(element));
}
