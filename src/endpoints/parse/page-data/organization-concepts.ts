import type { ConceptDefinition } from "./concept";

/** Concepts of jobs, events, organizations and places. */
export const ORGANIZATION_CONCEPTS: readonly ConceptDefinition[] = [
  {
    kind: "name",
    names:
      "company, company name, employer, hiring organization, organization, arbeitgeber, unternehmen, firma, entreprise, employeur, empresa, azienda, bedrijf",
    paths: "hiringOrganization",
    families: "JobPosting",
  },
  {
    kind: "text",
    names: "employment type, job type, contract type, type, beschäftigungsart, type de contrat, tipo de contrato",
    paths: "employmentType",
    families: "JobPosting",
  },
  {
    kind: "date",
    names: "valid through, application deadline, deadline, expires, expiry date, closing date, bewerbungsfrist",
    paths: "validThrough",
    families: "JobPosting",
  },
  {
    kind: "amount",
    names: "salary min, min salary, minimum salary, salary from, base salary min",
    paths: "baseSalary.value.minValue baseSalary.minValue",
    families: "JobPosting",
  },
  {
    kind: "amount",
    names: "salary max, max salary, maximum salary, salary to, base salary max",
    paths: "baseSalary.value.maxValue baseSalary.maxValue",
    families: "JobPosting",
  },
  {
    kind: "amount",
    names: "salary, base salary, salary amount, salary value, gehalt, salaire, salario",
    paths: "baseSalary.value.value",
    families: "JobPosting",
  },
  {
    kind: "currency",
    names: "salary currency, currency",
    paths: "baseSalary.currency salaryCurrency",
    families: "JobPosting",
  },
  {
    kind: "text",
    names: "salary unit, salary period, unit text",
    paths: "baseSalary.value.unitText",
    families: "JobPosting",
  },
  {
    kind: "object",
    names: "location, job location, place, ort, lieu, ubicación, luogo",
    paths: "jobLocation location",
  },
  {
    kind: "text",
    names: "city, locality, address locality, town, job city, location city, ort, ville, ciudad, cidade, città",
    paths:
      "jobLocation.address.addressLocality location.address.addressLocality address.addressLocality addressLocality",
  },
  {
    kind: "text",
    names: "region, state, province, address region, location region",
    paths: "jobLocation.address.addressRegion location.address.addressRegion address.addressRegion addressRegion",
  },
  {
    kind: "text",
    names: "country, address country, location country, land, pays, país, paese",
    paths: "jobLocation.address.addressCountry location.address.addressCountry address.addressCountry addressCountry",
  },
  {
    kind: "text",
    names: "postal code, zip, zip code, postcode, plz, code postal, código postal",
    paths: "jobLocation.address.postalCode location.address.postalCode address.postalCode postalCode",
  },
  {
    kind: "text",
    names: "street, street address, address line, address street, straße, rue, calle",
    paths: "jobLocation.address.streetAddress location.address.streetAddress address.streetAddress streetAddress",
  },
  { kind: "name", names: "venue, venue name, location name, veranstaltungsort", paths: "location", families: "Event" },
  // Events
  {
    kind: "date",
    names:
      "start, start date, starts at, start time, date, begin, beginn, datum, event date, début, fecha, inizio, when",
    paths: "startDate",
    families: "Event",
  },
  { kind: "date", names: "end, end date, ends at, end time, ende, fin, fine", paths: "endDate", families: "Event" },
  {
    kind: "name",
    names: "organizer, organiser, organizer name, host, veranstalter, organisateur, organizador",
    paths: "organizer",
    families: "Event",
  },
  { kind: "name", names: "performer, artist, act, lineup", paths: "performer", families: "Event" },
  { kind: "state", names: "event status, status", paths: "eventStatus", families: "Event" },
  { kind: "state", names: "attendance mode, event attendance mode", paths: "eventAttendanceMode", families: "Event" },
  // Organizations
  {
    kind: "text",
    names: "telephone, phone, phone number, tel, telefon, téléphone, teléfono, telefone, telefono, telefoon",
    paths: "telephone contactPoint.telephone",
  },
  { kind: "text", names: "email, e mail, email address, mail", paths: "email contactPoint.email" },
  { kind: "text", names: "legal name, registered name", paths: "legalName" },
  { kind: "text", names: "vat id, vat number, ust id, vat", paths: "vatID" },
  {
    kind: "date",
    names: "founding date, founded, founding year, gegründet",
    paths: "foundingDate",
    families: "Organization",
  },
  { kind: "url", names: "same as, social link, social profile, social media, social", paths: "sameAs" },
  { kind: "number", names: "latitude, lat", paths: "geo.latitude location.geo.latitude latitude" },
  { kind: "number", names: "longitude, lng, lon", paths: "geo.longitude location.geo.longitude longitude" },
  {
    kind: "object",
    names: "address, adresse, dirección, indirizzo, adres",
    paths: "address location.address jobLocation.address",
  },
  { kind: "object", names: "offer", paths: "offers" },
  { kind: "object", names: "variant, variation", paths: "hasVariant" },
  { kind: "object", names: "nutrition, nutrition fact, nutrition information", paths: "nutrition" },
  { kind: "object", names: "faq, question, frequently asked question", paths: "mainEntity", families: "FAQPage" },
  {
    kind: "text",
    names: "answer, accepted answer, response",
    paths: "acceptedAnswer.text suggestedAnswer.text",
    families: "Question",
  },
  { kind: "title", names: "question", paths: "name", families: "Question" },
  { kind: "number", names: "position, rank, number", paths: "position", families: "ListItem" },
];
