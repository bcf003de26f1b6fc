import { describe, expect, it } from "vitest";
import { findSelectorProblem, findSyntaxProblem } from "../../../src/html/css/selector-problem";

describe("the problem of a selector", () => {
  it.each([
    ["div[[", "expected a name, not '[' (character 5)"],
    ["[", "a name must follow '[' at the end"],
    ["a.", "expected a name, not '.' (character 2)"],
    ["p, a#", "expected a name, not '#' (character 5)"],
    ["😀[", "a name must follow '[' at the end"],
    ["😀 a{", "'{' is unexpected (character 4)"],
    ["a{color:red}", "'}' is unexpected (character 12)"],
    ["a(b)", "')' is unexpected (character 4)"],
    ["a\\", "'\\' is unexpected (character 2)"],
    ["a[b", "attribute selector didn't terminate"],
    ["p:nth-child(", "parenthesis not matched"],
    ["a[b='c", "attribute value didn't end"],
    ["a[b^c]", "expected `=`"],
    ["p:not('a')", "pseudo-selector not cannot be quoted"],
    ["/* x", "comment was not terminated"],
    ["a > > b", "did not expect successive traversals"],
    ["a,,b", "empty sub-selector"],
    ["p:not()", "empty sub-selector"],
    ["//div", "it looks like XPath, which is not supported"],
  ])("%s", (selector, problem) => {
    expect(findSyntaxProblem(selector)).toBe(problem);
    expect(findSelectorProblem(selector)).toBe(problem);
  });

  it.each([
    ["a:foo", "unknown pseudo-class :foo"],
    ["p::before", "pseudo-elements are not supported"],
    ["a || b", "column combinators are not yet supported"],
    ["svg|a", "namespaced tag names are not yet supported"],
    ["p:first-child(2)", "pseudo-class :first-child doesn't have any arguments"],
    ["p:nth-child(x)", "n-th rule couldn't be parsed ('x')"],
  ])("is the missing support of the conversion: %s", (selector, problem) => {
    expect(findSyntaxProblem(selector)).toBeNull();
    expect(findSelectorProblem(selector)).toBe(problem);
  });

  it.each(["#price", "a > b", "p:has(> a)", "[data-a='[']", "p:nth-child(2n+1), .log:last-child a"])(
    "doesn't exist for %s",
    (selector) => {
      expect(findSelectorProblem(selector)).toBeNull();
    },
  );
});
