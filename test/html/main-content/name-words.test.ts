import { Element } from "domhandler";
import { describe, expect, it } from "vitest";
import { readNames } from "../../../src/html/main-content/name-words";

function purposes(attribs: Record<string, string>, name = "div"): string[] {
  const hints = { id: attribs.id ?? "", classes: attribs.class ?? "" };
  return readNames(new Element(name, attribs), hints).purposes.toSorted();
}

describe("the purposes of an element", () => {
  it.each([
    [{ class: "comment-list" }, ["card", "comment"]],
    [{ class: "commentList" }, ["card", "comment"]],
    [{ id: "site-footer" }, ["footer"]],
    [{ "data-testid": "related_products" }, ["product", "related"]],
  ])("come from the words in %j", (attribs, expected) => {
    expect(purposes(attribs)).toEqual(expected);
  });

  it("come from the name of a custom element", () => {
    expect(purposes({}, "user-comment")).toEqual(["comment", "forum"]);
    expect(purposes({}, "nav")).toEqual([]);
  });

  it.each(["content-with-sidebar", "content-no-sidebar", "content_has_sidebar"])("end at a negation: %s", (name) => {
    expect(purposes({ class: name })).toEqual(["content"]);
  });

  it.each(["[--sidebar-width:18rem]", "md:sidebar", `sidebar${"x".repeat(60)}`])("don't come from %s", (name) => {
    expect(purposes({ class: name })).toEqual([]);
  });

  it("need whole words", () => {
    expect(purposes({ class: "commentary navigate footers" })).toEqual([]);
  });
});
