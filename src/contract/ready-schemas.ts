import { type ReadySchema, SCHEMA_NAMES, type SchemaName } from "./schema-library";

type Property = Record<string, unknown>;

const text = (description: string): Property => ({ type: "string", description });
// `null` is a valid value of every property that pages often lack.
const optionalText = (description: string): Property => ({ type: ["string", "null"], description });
const number = (description: string): Property => ({ type: ["number", "null"], description });
const count = (description: string): Property => ({ type: ["integer", "null"], minimum: 0, description });
const date = (description: string): Property => ({ type: ["string", "null"], format: "date", description });
const instant = (description: string): Property => ({ type: ["string", "null"], description });
const duration = (description: string): Property => ({
  type: ["string", "null"],
  format: "duration",
  description: `${description} (ISO 8601 duration)`,
});
const url = (description: string): Property => ({ type: ["string", "null"], format: "uri", description });
const texts = (description: string): Property => ({ type: "array", items: { type: "string" }, description });
const state = (description: string, values: readonly string[]): Property => ({
  type: ["string", "null"],
  enum: [...values, null],
  description,
});

const currency = optionalText("The currency of the price (ISO 4217 code)");
const rating = {
  rating: number("The average rating"),
  review_count: count("The number of reviews"),
};
const address = {
  street: optionalText("The street address"),
  postal_code: optionalText("The postal code"),
  city: optionalText("The city"),
  region: optionalText("The region or state"),
  country: optionalText("The country"),
};

function toSchema(properties: Record<string, Property>, required: readonly string[]): Record<string, unknown> {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

const LIBRARY: { [Name in SchemaName]: Omit<ReadySchema, "name"> } = {
  product: {
    title: "Product",
    description: "A product with its price, availability and rating.",
    prompt: "The product that the page offers.",
    schema: toSchema(
      {
        name: text("The name of the product"),
        description: optionalText("The description of the product"),
        brand: optionalText("The brand"),
        sku: optionalText("The article number of the shop"),
        gtin: optionalText("The GTIN, EAN or UPC"),
        price: number("The current price"),
        currency,
        availability: state("The availability", [
          ...["InStock", "OutOfStock", "PreOrder", "BackOrder", "LimitedAvailability", "Discontinued"],
        ]),
        ...rating,
        category: optionalText("The category"),
        image: url("The main image"),
        url: url("The address of the page"),
      },
      ["name", "price", "currency"],
    ),
  },
  article: {
    title: "Article",
    description: "A news article or blog post with its author and dates.",
    prompt: "The article on the page.",
    schema: toSchema(
      {
        title: text("The headline"),
        description: optionalText("The description or teaser"),
        author: optionalText("The author"),
        date_published: date("The day of publication"),
        date_modified: date("The day of the modification"),
        publisher: optionalText("The publisher or site"),
        section: optionalText("The section or topic"),
        language: optionalText("The language"),
        image: url("The main image"),
        url: url("The address of the article"),
      },
      ["title", "date_published"],
    ),
  },
  recipe: {
    title: "Recipe",
    description: "A recipe with its ingredients, steps and times.",
    prompt: "The recipe on the page.",
    schema: toSchema(
      {
        title: text("The name of the dish"),
        description: optionalText("The description"),
        author: optionalText("The author"),
        ingredients: { ...texts("The ingredients with their amounts"), minItems: 1 },
        steps: { ...texts("The steps of the preparation"), minItems: 1 },
        yield: optionalText("The yield or the number of servings"),
        prep_time: duration("The preparation time"),
        cook_time: duration("The cooking time"),
        total_time: duration("The total time"),
        category: optionalText("The category, such as dessert"),
        cuisine: optionalText("The cuisine"),
        ...rating,
        image: url("The main image"),
      },
      ["title", "ingredients", "steps"],
    ),
  },
  job_posting: {
    title: "Job posting",
    description: "A job offer with its employer, place and salary.",
    prompt: "The job that the page offers.",
    schema: toSchema(
      {
        title: text("The title of the job"),
        description: optionalText("The description of the job"),
        company: optionalText("The employer"),
        ...address,
        employment_type: optionalText("The type of employment"),
        salary_min: number("The start of the salary range"),
        salary_max: number("The end of the salary range"),
        salary_currency: optionalText("The currency of the salary (ISO 4217 code)"),
        salary_unit: optionalText("The period of the salary, such as YEAR"),
        date_posted: date("The day on which the job was posted"),
        valid_through: date("The deadline for applications"),
        url: url("The address of the job posting"),
      },
      ["title", "company"],
    ),
  },
  event: {
    title: "Event",
    description: "An event with its time and place.",
    prompt: "The event that the page describes.",
    schema: toSchema(
      {
        name: text("The name of the event"),
        description: optionalText("The description"),
        start_date: instant("The start, as the page gives it (ISO 8601)"),
        end_date: instant("The end, as the page gives it (ISO 8601)"),
        venue: optionalText("The name of the place"),
        ...address,
        organizer: optionalText("The organizer"),
        performer: optionalText("The performer"),
        price: number("The price of a ticket"),
        currency,
        event_status: state("The status", [
          ...["EventScheduled", "EventCancelled", "EventPostponed", "EventRescheduled"],
        ]),
        image: url("The main image"),
        url: url("The address of the event"),
      },
      ["name", "start_date"],
    ),
  },
  organization: {
    title: "Organization",
    description: "A company or another organization with its address and contacts.",
    prompt: "The organization that the page is about.",
    schema: toSchema(
      {
        name: optionalText("The name"),
        legal_name: optionalText("The registered name"),
        description: optionalText("The description"),
        ...address,
        telephone: optionalText("The telephone number"),
        email: optionalText("The email address"),
        founding_date: optionalText("The date or the year of the foundation"),
        vat_id: optionalText("The VAT number"),
        logo: url("The logo"),
        url: url("The website"),
        same_as: {
          type: "array",
          items: { type: "string", format: "uri" },
          description: "The profiles of the organization",
        },
      },
      ["name"],
    ),
  },
  listing: {
    title: "Listing",
    description: "The items of a list, such as a category of a shop or a page of search results.",
    prompt: "The items that the page lists, in their order.",
    schema: toSchema(
      {
        title: optionalText("The title of the list"),
        items: {
          type: "array",
          description: "The items in their order",
          minItems: 1,
          items: toSchema(
            {
              name: text("The name of the item"),
              url: url("The address of the item"),
              description: optionalText("The description"),
              price: number("The price"),
              currency,
              image: url("The image"),
            },
            ["name"],
          ),
        },
      },
      ["items"],
    ),
  },
};

/** Returns a ready-made schema. */
export function readySchema(name: SchemaName): ReadySchema {
  return { name, ...LIBRARY[name] };
}

/** All ready-made schemas. */
export const READY_SCHEMAS: readonly ReadySchema[] = SCHEMA_NAMES.map(readySchema);
