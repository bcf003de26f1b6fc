import { toDay } from "./names";

const FORMATS: Readonly<Record<string, (index: number) => string>> = {
  "date-time": (index) => `${toDay(index)}T09:30:00Z`,
  date: toDay,
  time: (index) => `${String(index % 24).padStart(2, "0")}:30:00Z`,
  duration: (index) => `P${index + 1}D`,
  email: (index) => `jane.doe${index + 1}@example.com`,
  "idn-email": (index) => `jane.doe${index + 1}@example.com`,
  hostname: (index) => `host-${index + 1}.example.com`,
  "idn-hostname": (index) => `host-${index + 1}.example.com`,
  ipv4: (index) => `192.0.2.${(index % 254) + 1}`,
  ipv6: (index) => `2001:db8::${(index + 1).toString(16)}`,
  uri: (index) => `https://example.com/mock-${index + 1}`,
  "uri-reference": (index) => `/mock-${index + 1}`,
  "uri-template": (index) => `https://example.com/mock-${index + 1}/{id}`,
  iri: (index) => `https://example.com/mock-${index + 1}`,
  "iri-reference": (index) => `/mock-${index + 1}`,
  url: (index) => `https://example.com/mock-${index + 1}`,
  uuid: (index) => `00000000-0000-4000-8000-${(index + 1).toString(16).padStart(12, "0")}`,
  "json-pointer": (index) => `/mock/${index}`,
  "json-pointer-uri-fragment": (index) => `#/mock/${index}`,
  "relative-json-pointer": (index) => `${index}/mock`,
  regex: (index) => `^mock-${index + 1}$`,
  byte: (index) => btoa(`mock ${index + 1}`),
};

/** Texts that can be made as long as is wanted. */
const EXTENSIBLE = new Set(["uri", "uri-reference", "uri-template", "iri", "iri-reference", "url", "regex"]);

/** A text of a format of JSON Schema's, lengthened to `minChars` where the format allows it. */
export function textOfFormat(format: string, index: number, minChars: number): string | undefined {
  const text = Object.hasOwn(FORMATS, format) ? FORMATS[format]?.(index) : undefined;
  return text !== undefined && EXTENSIBLE.has(format) ? text.padEnd(minChars, "/mock") : text;
}
