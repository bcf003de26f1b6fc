import { describe, expect, it } from "vitest";
import { answerFromJson } from "../../../../src/endpoints/parse/page-data/json-answer";
import { number, text } from "../../../support/page-answer";

const MUG = {
  name: "Blue Mug",
  price: 9.5,
  Color: "blue",
  id: 12,
  size: null,
  tags: ["a", "b"],
  brand: { name: "Potters", id: 3 },
};

function answer(document: unknown, properties: object, prompt = "Extract the data.") {
  const json = typeof document === "string" ? document : JSON.stringify(document);
  return answerFromJson(json, { schema: { type: "object", properties, required: ["name"] }, prompt });
}

describe("answers from a JSON document", () => {
  it("have the members with exactly the names of the properties", () => {
    const brand = { type: "object", properties: { name: text }, additionalProperties: false };
    const tags = { type: "array", items: text };
    const { data, sources, quotes, missing } = answer(MUG, {
      name: text,
      price: number,
      brand,
      tags,
      color: text,
      size: text,
    });
    expect(data).toEqual({ name: "Blue Mug", price: 9.5, brand: { name: "Potters" }, tags: ["a", "b"] });
    expect(sources.get("/brand/name")).toBe("json");
    expect(quotes).toContainEqual({ pointer: "/tags/1", quote: "b" });
    expect(missing).toEqual([["color"], ["size"]]);
  });

  it.each<[string, unknown, object]>([
    ["a value of another type", MUG, { price: text, name: number, brand: text }],
    ["a member of a member", { product: MUG }, { name: text }],
    ["a document that isn't an object", [MUG], { name: text }],
    ["a text that isn't JSON", "name: Blue Mug", { name: text }],
    [
      "a number that loses digits",
      '{"id": 12345678901234567890, "lat": 1.23456789012345678}',
      { id: number, lat: number },
    ],
    ["an inherited member", MUG, { constructor: {}, toString: {} }],
    ["a description that says more", MUG, { price: { ...number, description: "Net price" } }],
    ["a document that is too deep", `{"name": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`, { name: {} }],
  ])("leave out %s", (_, document, properties) => {
    expect(answer(document, properties).data).toEqual({});
  });

  it("leave out what the prompt qualifies", () => {
    expect(answer(MUG, { price: number }, "Extract the sale price.").data).toEqual({});
    expect(answer({}, { name: text }).missingRequired).toEqual([["name"]]);
  });
});
