import { expect, it } from "vitest";
import { decodeUri, foldText, unescapeScript } from "../../src/lib/text";

it.each([
  ["Łódź Ærø", "łodz ærø"],
  ["İSTANBUL ışık", "istanbul isik"],
  ["Straße", "strasse"],
  ["ﬁne", "fine"],
  ["한국어", "한국어"],
])("folds %j to %j", (text, expected) => {
  expect(foldText(text)).toBe(expected);
});

it.each([
  ["a%20b", "a b"],
  ["%D7%90", "א"],
  ["100%", "100%"],
  ["%ff", "%ff"],
])("decodes %j to %j", (text, expected) => {
  expect(decodeUri(text)).toBe(expected);
});

it.each([
  [String.raw`\x3cb\x3e`, "<b>"],
  [String.raw`caf\u00e9\n`, "café\n"],
  [String.raw`\/\\\'`, "/\\'"],
])("reads %j in a script as %j", (text, expected) => {
  expect(unescapeScript(text)).toBe(expected);
});
