import { describe, expect, it } from "vitest";
import { answerPage, number, text, thing, titled } from "../../../support/page-answer";

/** A page, the properties that are wanted, and the values that may be found. */
type Trap = [what: string, html: string, properties: object, found: object];

const date = { type: "string", format: "date" };

const TRAPS: { [kind: string]: Trap[] } = {
  articles: [
    [
      "two authors",
      titled(
        "Rain",
        `${thing("Article", { headline: "Rain", author: [{ name: "Ada Lovelace" }, { name: "Max Born" }] })}<p>By Ada Lovelace and Max Born</p>`,
      ),
      { author: text },
      {},
    ],
    [
      "a section of the site",
      titled(
        "Regen",
        ["Wetter", "Sport"].map((articleSection) => thing("Article", { headline: "Regen", articleSection })).join(""),
      ),
      { section: text, author: text },
      {},
    ],
    [
      "a product that an article reviews",
      titled("Rain boots of the year", thing("Product", { name: "Boots", brand: "Dry", offers: { price: 9 } })),
      { brand: text, author: text },
      {},
    ],
    [
      "the headline of a video",
      titled("Pluie", thing("VideoObject", { name: "Neige", uploadDate: "2024-01-01", duration: "PT3M" })),
      { duration: text, author: text },
      {},
    ],
    [
      "an editor that is the site",
      titled("Rain", `${thing("Article", { headline: "Rain", author: "Organization" })}<p>By Organization</p>`),
      { author: text },
      {},
    ],
  ],
  jobs: [
    [
      "the employer of another vacancy",
      titled("Potter", thing("JobPosting", { title: "Head potter", hiringOrganization: { name: "Pots" } })),
      { title: text, company: text },
      {},
    ],
    [
      "a salary in another currency",
      titled(
        "Töpfer (m/w/d)",
        `${thing("JobPosting", { title: "Töpfer", baseSalary: { currency: "EUR", value: { value: 40000 } } })}<p>CHF 40'000</p>`,
      ),
      { salary: number, salary_currency: text, company: text },
      {},
    ],
    [
      "a city of one of several places",
      titled(
        "Potter",
        thing("JobPosting", {
          title: "Potter",
          jobLocation: ["Graz", "Wien"].map((addressLocality) => ({ address: { addressLocality } })),
        }),
      ),
      { city: text, company: text },
      {},
    ],
    [
      "a type of employment that differs",
      titled(
        "Potter",
        ["FULL_TIME", "PART_TIME"]
          .map((employmentType) => thing("JobPosting", { title: "Potter", employmentType }))
          .join(""),
      ),
      { employment_type: text, company: text },
      {},
    ],
  ],
  events: [
    [
      "the date of another evening",
      titled(
        "Tosca",
        ["2026-05-01", "2026-05-02"].map((startDate) => thing("Event", { name: "Tosca", startDate })).join(""),
      ),
      { start_date: text, venue: text },
      {},
    ],
    [
      "the venue of the next event",
      titled(
        "Tosca",
        `<h2>Upcoming events</h2>${'<div itemscope itemtype="https://schema.org/Event"><b itemprop="name">Tosca</b><time itemprop="startDate" datetime="2026-05-01">May 1</time></div>'}`,
      ),
      { start_date: text, venue: text },
      {},
    ],
    [
      "the price of parking",
      titled("Tosca", `${thing("Event", { name: "Tosca", startDate: "2026-05-01" })}<h3>Parking</h3><p>Price: €5</p>`),
      { price: number, start_date: text },
      { start_date: "2026-05-01" },
    ],
    [
      "a day in another notation",
      titled("Tosca", thing("Event", { name: "Tosca", startDate: "01/05/2026" })),
      { start_date: date, venue: text },
      {},
    ],
  ],
  organizations: [
    [
      "the telephone number of a directory",
      titled(
        "Mugs Ltd",
        `${thing("Organization", { name: "Directory", telephone: "+1 555 1" })}<footer><p>Telephone: +1 555 2</p></footer>`,
      ),
      { name: text, telephone: text },
      {},
    ],
    [
      "the number of a person",
      titled("Mugs Ltd", "<h2>Press contact</h2><p>Phone: +1 555 3</p><p>Email: ana@press.example</p>"),
      { phone: text, email: text },
      {},
    ],
    [
      "a branch in a list",
      titled(
        "Filialen",
        ["Graz", "Wien"]
          .map(
            (city) =>
              `<div class="shop"><a href="/${city}">${city}</a><p>Telefon: +43 ${city.length}</p><p>Offen</p></div>`,
          )
          .join(""),
      ),
      { telefon: text, vat_id: text },
      {},
    ],
  ],
};

describe.each(Object.entries(TRAPS))("traps on pages of %s", (_, traps) => {
  it.each(traps)("give no wrong value: %s", (_what, html, properties, found) => {
    expect(answerPage(html, properties).data).toEqual(found);
  });
});
