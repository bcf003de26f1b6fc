/// <reference path="../html/raw.d.ts" />
import { expect, it } from "vitest";
import schema from "../../schema.sql?raw";
import { ENDPOINT_NAMES } from "../../src/model/endpoint";

it("has the endpoints that the table of jobs accepts", () => {
  const [, names = ""] = /endpoint\s+TEXT NOT NULL CHECK \(endpoint IN \(([^)]*)\)\)/.exec(schema) ?? [];
  expect(names.split(", ").map((name) => name.slice(1, -1))).toEqual([...ENDPOINT_NAMES]);
});
