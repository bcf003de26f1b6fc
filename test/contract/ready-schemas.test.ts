import { describe, expect, it } from "vitest";
import { READY_SCHEMAS, readySchema, type SchemaName } from "../../src/contract/schema-library";
import { answerFromPage } from "../../src/endpoints/parse/page-data/answer";
import { readData } from "../../src/endpoints/parse/read-page";
import { parseVisiblePage } from "../../src/html/visible-page";
import { schemaProblem } from "../../src/json-schema/schema-problem";
import { findProblems } from "../../src/json-schema/validate";

const url = "https://shop.example/page";
const place = {
  "@type": "Place",
  name: "Harbor hall",
  address: { "@type": "PostalAddress", streetAddress: "Quay 1", addressLocality: "Bergen", addressCountry: "NO" },
};

/** A page of each kind, as JSON-LD, with the data that the schema must find in it. */
const PAGES: { [Name in SchemaName]: { declared: object; found: Record<string, unknown> } } = {
  product: {
    declared: {
      "@type": "Product",
      name: "Tide lamp",
      brand: { "@type": "Brand", name: "Tide" },
      sku: "TL-1",
      offers: {
        "@type": "Offer",
        price: "19.50",
        priceCurrency: "EUR",
        availability: "https://schema.org/InStock",
      },
      aggregateRating: { "@type": "AggregateRating", ratingValue: 4.5, reviewCount: 12 },
    },
    found: {
      name: "Tide lamp",
      brand: "Tide",
      sku: "TL-1",
      price: 19.5,
      currency: "EUR",
      availability: "InStock",
      rating: 4.5,
      review_count: 12,
    },
  },
  article: {
    declared: {
      "@type": "NewsArticle",
      headline: "The crane moves",
      author: { "@type": "Person", name: "Ada Berg" },
      datePublished: "2026-03-05T10:00:00Z",
      dateModified: "2026-03-06T10:00:00Z",
      description: "A crane turns around the harbor.",
      publisher: { "@type": "Organization", name: "Harbor News" },
    },
    found: {
      title: "The crane moves",
      author: "Ada Berg",
      date_published: "2026-03-05",
      date_modified: "2026-03-06",
      description: "A crane turns around the harbor.",
      publisher: "Harbor News",
    },
  },
  recipe: {
    declared: {
      "@type": "Recipe",
      name: "Fish soup",
      recipeIngredient: ["500 g cod", "1 l milk"],
      recipeInstructions: [
        { "@type": "HowToStep", text: "Cut the cod." },
        { "@type": "HowToStep", text: "Boil the milk." },
      ],
      recipeYield: "4 servings",
      prepTime: "PT15M",
      totalTime: "PT45M",
    },
    found: {
      title: "Fish soup",
      ingredients: ["500 g cod", "1 l milk"],
      steps: ["Cut the cod.", "Boil the milk."],
      yield: "4 servings",
      prep_time: "PT15M",
      total_time: "PT45M",
    },
  },
  job_posting: {
    declared: {
      "@type": "JobPosting",
      title: "Crane operator",
      hiringOrganization: { "@type": "Organization", name: "Bergen Harbor" },
      jobLocation: place,
      employmentType: "FULL_TIME",
      datePosted: "2026-03-01",
      validThrough: "2026-04-01",
      baseSalary: {
        "@type": "MonetaryAmount",
        currency: "NOK",
        value: { "@type": "QuantitativeValue", minValue: 500000, maxValue: 600000, unitText: "YEAR" },
      },
    },
    found: {
      title: "Crane operator",
      company: "Bergen Harbor",
      city: "Bergen",
      employment_type: "FULL_TIME",
      date_posted: "2026-03-01",
      valid_through: "2026-04-01",
      salary_min: 500000,
      salary_max: 600000,
      salary_currency: "NOK",
      salary_unit: "YEAR",
    },
  },
  event: {
    declared: {
      "@type": "MusicEvent",
      name: "Shanty night",
      startDate: "2026-05-01T19:30:00+02:00",
      location: place,
      eventStatus: "https://schema.org/EventScheduled",
      offers: { "@type": "Offer", price: 25, priceCurrency: "EUR" },
    },
    found: {
      name: "Shanty night",
      start_date: "2026-05-01T19:30:00+02:00",
      venue: "Harbor hall",
      city: "Bergen",
      event_status: "EventScheduled",
      price: 25,
      currency: "EUR",
    },
  },
  organization: {
    declared: {
      "@type": "Corporation",
      name: "Bergen Harbor",
      legalName: "Bergen Harbor AS",
      telephone: "+47 55 00 00 00",
      address: place.address,
      sameAs: ["https://social.example/bergen"],
    },
    found: {
      name: "Bergen Harbor",
      legal_name: "Bergen Harbor AS",
      telephone: "+47 55 00 00 00",
      city: "Bergen",
      same_as: ["https://social.example/bergen"],
    },
  },
  listing: {
    declared: {
      "@type": "ItemList",
      itemListElement: [
        {
          "@type": "ListItem",
          position: 1,
          item: { "@type": "Product", name: "Tide lamp", url: "https://shop.example/1" },
        },
        {
          "@type": "ListItem",
          position: 2,
          item: { "@type": "Product", name: "Quay lamp", url: "https://shop.example/2" },
        },
      ],
    },
    found: {
      items: [
        expect.objectContaining({ name: "Tide lamp", url: "https://shop.example/1" }),
        expect.objectContaining({ name: "Quay lamp", url: "https://shop.example/2" }),
      ],
    },
  },
};

describe.each(READY_SCHEMAS.map(({ name }) => name))("the ready-made schema of a page of the kind %s", (name) => {
  const { schema, prompt } = readySchema(name);

  it("can be used in a request", () => {
    expect(schemaProblem(schema)).toBeNull();
  });

  it("finds the properties of a page that declares them", () => {
    const { declared, found } = PAGES[name];
    const json = JSON.stringify({ "@context": "https://schema.org", ...declared });
    const title = String(found.title ?? found.name ?? "Lamps");
    const page = parseVisiblePage(
      `<title>${title}</title><script type="application/ld+json">${json}</script><h1>${title}</h1>`,
    );
    const nodes = readData(page, { url });
    const answer = answerFromPage({ nodes, schema, prompt });
    expect(answer.data).toMatchObject(found);
    expect(answer.missingRequired).toEqual([]);
    expect(findProblems(schema, answer.data)).toEqual([]);
  });
});
