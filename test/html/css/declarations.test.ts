import { expect, it } from "vitest";
import { parseDeclarations } from "../../../src/html/css/declarations";

function parse(style: string): string {
  const declarations = parseDeclarations(style);
  return declarations.map(({ name, value, isImportant }) => `${name}: ${value}${isImportant ? " !" : ""}`).join("; ");
}

it.each([
  ["a property in any case", " DISPLAY : None ", "display: none"],
  ["several properties", "opacity:0;left:1px", "opacity: 0; left: 1px"],
  ["white space in a value", "clip: rect(0,\n 0)", "clip: rect(0, 0)"],
  ["an important value", "display:none!important", "display: none !"],
  ["an important value with spaces", "display: none ! IMPORTANT ", "display: none !"],
  ["comments", "display:/* a; b */none; /* opacity:0", "display: none"],
  ["other properties", "border:0;display:none", "display: none"],
  ["a name without a value", "display;opacity:;left: ", ""],
  ["a value of 300 characters", `color:${"a".repeat(294)}`, `color: ${"a".repeat(294)}`],
  ["a value of more than 300 characters", `color:${"a".repeat(295)}`, ""],
  ["many declarations", `${"x:y;".repeat(50_000)}left:0`, "left: 0"],
  ["escaped characters", String.raw`displa\79:n\6F ne`, "display: none"],
  ["escaped letters", String.raw`d\isplay:none`, "display: none"],
  ["the highest escaped character", String.raw`color:\10ffff`, "color: \u{10ffff}"],
  ["an escaped character that doesn't exist", String.raw`color:\110000`, "color: \ufffd"],
  ["an escaped zero", String.raw`color:\0`, "color: \ufffd"],
])("reads %s", (_, style, expected) => {
  expect(parse(style)).toBe(expected);
});

it.each([
  ["inset:1px 2px 3px 4px", "top: 1px; right: 2px; bottom: 3px; left: 4px"],
  ["inset:1px 2px 3px", "top: 1px; right: 2px; bottom: 3px; left: 2px"],
  ["inset:1px 2px", "top: 1px; right: 2px; bottom: 1px; left: 2px"],
  ["inset:1px", "top: 1px; right: 1px; bottom: 1px; left: 1px"],
  ["inset:calc(1px + 2px)", ""],
  ["margin:1px 2px 3px 4px", "margin-top: 1px; margin-right: 2px; margin-left: 4px"],
  ["padding:1px 2px 3px 4px", "padding-top: 1px; padding-bottom: 3px"],
  ["font:0/0 a", "font-size: 0"],
  ["font:bold .5em/1 a", "font-size: .5em"],
  ["font:12px a", "font-size: 12px"],
  ["font:50% a", "font-size: 50%"],
  ["font:inherit", "font-size: medium"],
])("expands %s", (style, expected) => {
  expect(parse(style)).toBe(expected);
});

it.each([
  ["overflow-x", "overflow"],
  ["overflow-y", "overflow"],
  ["-webkit-clip-path", "clip-path"],
  ["-webkit-transform", "transform"],
  ["-webkit-background-clip", "background-clip"],
  ["-webkit-transition", "transition"],
  ["-webkit-animation", "animation"],
  ["flex", "flex-grow"],
  ["background", "background-color"],
  ["block-size", "height"],
  ["inline-size", "width"],
  ["max-block-size", "max-height"],
  ["max-inline-size", "max-width"],
  ["min-block-size", "min-height"],
  ["inset-inline-start", "left"],
  ["inset-inline-end", "right"],
  ["inset-block-start", "top"],
  ["inset-block-end", "bottom"],
  ["margin-inline-start", "margin-left"],
  ["margin-inline-end", "margin-right"],
  ["margin-block-start", "margin-top"],
])("reads %s as %s", (alias, name) => {
  expect(parse(`${alias}: 0`)).toBe(`${name}: 0`);
});

it.each(
  (
    "display visibility content-visibility opacity filter font-size width height max-width max-height min-width " +
    "min-height overflow clip clip-path position left top right bottom margin-left margin-right margin-top text-indent " +
    "transform scale translate zoom color background-color background-clip padding-top padding-bottom flex-grow " +
    "transition animation will-change"
  ).split(" "),
)("reads %s", (name) => {
  expect(parse(`${name}: 0`)).toBe(`${name}: 0`);
});
