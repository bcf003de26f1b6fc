import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newProperty, readProperties, writeProperties } from "../../src/dashboard/editor/schema-properties";
import { schemaProblem } from "../../src/json-schema/schema-problem";

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Product",
  type: "object",
  properties: {
    name: { type: "string", description: "The name", minLength: 1 },
    price: { type: "number" },
    tags: { type: "array", items: { type: "string" }, maxItems: 3 },
    maker: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    reviews: { type: "array", items: { type: "object", properties: { stars: { type: "integer" } } } },
    currency: { enum: ["EUR", "USD"] },
    note: { type: ["string", "null"], description: "Optional" },
    anything: true,
  },
  required: ["name", "undeclared"],
  additionalProperties: false,
};

describe("the schema builder", () => {
  it("reads each property with its type, description and nested properties", () => {
    const rows = readProperties(SCHEMA).map(({ name, type, description, required, properties }) => [
      name,
      type,
      description,
      required,
      properties.map((nested) => `${nested.name}: ${nested.type}${nested.required ? ", required" : ""}`).join(),
    ]);
    expect(rows).toEqual([
      ["name", "string", "The name", true, ""],
      ["price", "number", "", false, ""],
      ["tags", "string[]", "", false, ""],
      ["maker", "object", "", false, "city: string, required"],
      ["reviews", "object[]", "", false, "stars: integer"],
      ["currency", "other", "", false, ""],
      ["note", "other", "Optional", false, ""],
      ["anything", "other", "", false, ""],
    ]);
  });

  it("writes an unchanged schema without losing a keyword", () => {
    expect(writeProperties(SCHEMA, readProperties(SCHEMA))).toEqual(SCHEMA);
    expect(Object.keys(writeProperties(SCHEMA, readProperties(SCHEMA)))).toEqual(Object.keys(SCHEMA));
  });

  it("creates a schema from nothing", () => {
    const name = { ...newProperty(), name: "name", description: "The name", required: true };
    const items = {
      ...newProperty(),
      name: "items",
      type: "object[]" as const,
      properties: [{ ...newProperty(), name: "price", type: "number" as const, required: true }],
    };
    const schema = writeProperties({}, [name, items, newProperty()]);
    expect(schema).toEqual({
      type: "object",
      properties: {
        name: { type: "string", description: "The name" },
        items: {
          type: "array",
          items: { type: "object", properties: { price: { type: "number" } }, required: ["price"] },
        },
      },
      required: ["name"],
    });
    expect(schemaProblem(schema)).toBeNull();
  });

  it("renames, removes and changes properties", () => {
    const [name, price, tags, ...others] = readProperties(SCHEMA);
    if (name === undefined || price === undefined || tags === undefined) throw new Error("A property is missing.");
    name.name = "title";
    name.description = "";
    price.type = "integer";
    price.required = true;
    const written = writeProperties(SCHEMA, [name, price, ...others]);
    expect(written.required).toEqual(["title", "price", "undeclared"]);
    expect(Object.keys(written.properties as object)).toEqual([
      "title",
      "price",
      "maker",
      "reviews",
      "currency",
      "note",
      "anything",
    ]);
    expect(written.properties).toMatchObject({ title: { type: "string", minLength: 1 }, price: { type: "integer" } });
    expect((written.properties as typeof SCHEMA.properties & { title: object }).title).not.toHaveProperty(
      "description",
    );
  });

  it("removes an empty list of required properties", () => {
    const [one] = readProperties({ type: "object", properties: { a: { type: "string" } }, required: ["a"] });
    if (one === undefined) throw new Error("The property is missing.");
    one.required = false;
    expect(writeProperties({ type: "object", required: ["a"], properties: { a: {} } }, [one])).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
    });
  });

  it("keeps every JSON value that is given as a schema of a property", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (properties) => {
        const schema = JSON.parse(JSON.stringify({ type: "object", properties }));
        const written = writeProperties(schema, readProperties(schema)) as { properties: object };
        expect(Object.keys(written.properties)).toEqual(Object.keys(schema.properties));
        for (const [name, value] of Object.entries(written.properties)) {
          // The builder only changes schemas of objects, which get a type and properties.
          const isNested = JSON.stringify(value)?.includes('"properties"');
          if (!isNested) expect([name, value]).toEqual([name, schema.properties[name]]);
        }
      }),
    );
  });
});
