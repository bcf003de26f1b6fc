import { expect, it } from "vitest";
import { topicsOf } from "../../../src/html/content/content-facts";

it.each([
  ["Related products", ["related"]],
  ["You may also like", ["related"]],
  ["Das könnte Sie auch interessieren", []],
  ["Ähnliche Artikel", ["related"]],
  ["Customer reviews (12)", ["review"]],
  ["What our customers are saying", ["review", "award"]],
  ["12 Comments", ["comment"]],
  ["Похожие", ["related"]],
  ["Technische Daten", ["detail"]],
  ["Shipping & Returns", ["shop"]],
  ["A boat on the water", []],
  [`Related ${"boats ".repeat(20)}`, []],
])("finds the topics of the heading '%s'", (heading, topics) => {
  expect(topicsOf(heading)).toEqual(topics);
});
