/** The families of types, in the order in which one is preferred if several objects fit a schema equally well. */
const FAMILIES: readonly (readonly [name: string, types: RegExp])[] = [
  ["Recipe", /^Recipe$/],
  ["JobPosting", /^JobPosting$/],
  ["Event", /Event$|^Festival$|^EventSeries$/],
  ["Product", /^(?:Product|ProductGroup|ProductModel|IndividualProduct|Vehicle|Car|Motorcycle)$/],
  ["Book", /^(?:Book|Audiobook)$/],
  ["Movie", /^(?:Movie|TVSeries|TVEpisode)$/],
  ["Course", /^(?:Course|CourseInstance)$/],
  ["SoftwareApplication", /(?:Application|^VideoGame)$/],
  ["HowTo", /^HowTo$/],
  ["Article", /Article$|Posting$|^Report$/],
  ["Question", /^Question$/],
  ["FAQPage", /^(?:FAQPage|QAPage)$/],
  ["VideoObject", /^VideoObject$/],
  ["Person", /^(?:Person|Physician)$/],
  [
    "Organization",
    /Organization$|Business$|^(?:Corporation|Store|Restaurant|Hotel|Dentist|Library|School|CollegeOrUniversity|MedicalClinic|Hospital|Attorney|RealEstateAgent|TravelAgency|.*Store|.*Agency|.*Shop|Bakery|CafeOrCoffeeShop|BarOrPub|NGO)$/,
  ],
  ["WebPage", /Page$|^WebSite$/],
];

/** Types that are never the subject of a page, because they describe a part of another object or of the site. */
const NEVER_SUBJECTS =
  /^(?:BreadcrumbList|ItemList|ListItem|SearchAction|SiteNavigationElement|ImageObject|WPHeader|WPFooter|WPSideBar|AggregateRating|Rating|Offer|AggregateOffer|Review|UserReview|Comment|UserComments|PostalAddress|Brand|.*Action|Thing|PropertyValue|ContactPoint|GeoCoordinates|Country|DataFeed|hatom|vcard|hcard|breadcrumb|Breadcrumb|EntryPoint|SpeakableSpecification|Blog|Answer|InteractionCounter|Role|OfferCatalog|Service)$/i;

export const NO_FAMILY = "none";

/** Returns the family of an object's types. Returns the first type if it has no family. */
export function familyOf(types: readonly string[]): string {
  for (const [name, pattern] of FAMILIES) if (types.some((type) => pattern.test(type))) return name;
  return types[0] ?? NO_FAMILY;
}

/** Returns a number that is lower for a family that is preferred. */
export function rankOf(family: string): number {
  const at = FAMILIES.findIndex(([name]) => name === family);
  return at === -1 ? FAMILIES.length : at;
}

/** Returns false for an object that can't be the subject of a page. */
export function canBeSubject(types: readonly string[]): boolean {
  return types.length > 0 && !types.every((type) => NEVER_SUBJECTS.test(type));
}

/** The words that schemas put before the names of a family's properties, such as in `product_name`. */
const FAMILY_WORDS: Readonly<Record<string, readonly string[]>> = {
  Recipe: ["recipe", "dish", "rezept", "recette", "receta", "ricetta"],
  JobPosting: ["job", "position", "posting", "vacancy", "role"],
  Event: ["event"],
  Product: ["product", "item", "produkt", "produit", "producto", "prodotto"],
  Book: ["book", "product", "item"],
  Movie: ["movie", "film"],
  Course: ["course"],
  SoftwareApplication: ["app", "software", "application", "product"],
  HowTo: ["guide", "tutorial"],
  Article: ["article", "post", "story", "news", "blog", "artikel"],
  Organization: ["organization", "company", "business", "organisation", "restaurant", "store"],
  Person: ["person", "author"],
  WebPage: ["page", "site", "website"],
  Review: ["review", "reviewer"],
  Offer: ["offer"],
};
/** The words for groups that only arrange properties, such as `details` in `{"details": {"price": …}}`. */
const GROUP_WORDS = new Set([
  "detail",
  "info",
  "information",
  "metadata",
  "meta",
  "data",
  "fact",
  "general",
  "basic",
  "overview",
  "result",
]);

/** Returns the words that can stand before a property of this family. */
export function prefixesOf(family: string): readonly string[] {
  return FAMILY_WORDS[family] ?? [];
}

/** Returns true for the name of a group of properties, such as `details`. */
export function isGroupKey(key: string): boolean {
  return key.split(" ").every((word) => GROUP_WORDS.has(word));
}

/** Returns true for the name of an object that stands for the subject itself, such as `product` or `details`. */
export function isSubjectKey(key: string, family: string): boolean {
  const words = key.split(" ");
  return words.every((word) => GROUP_WORDS.has(word) || prefixesOf(family).includes(word));
}
