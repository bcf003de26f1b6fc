import { describe, expect, it } from "vitest";
import { findSelectorProblem, findSyntaxProblem } from "../../../src/html/css/selector-problem";

describe("the problem of a selector", () => {
  it.each([
    ["div[[", "expected a name, not '[' (character 5)"],
    ["[", "a name must follow '[' at the end"],
    ["a.", "a name must follow '.' (character 2)"],
    ["p, a#", "a name must follow '#' (character 5)"],
    ["😀[", "a name must follow '[' at the end"],
    ["😀 a{", "'{' is unexpected (character 4)"],
    ["a{color:red}", "'}' is unexpected (character 12)"],
    ["a(b)", "')' is unexpected (character 4)"],
    ["a\\", "'\\' is unexpected (character 2)"],
    ["a[b", "'[' needs a closing ']' (character 2)"],
    ["a:is(b, [c='('], d", "'(' needs a closing ')' (character 5)"],
    ["p:nth-child(", "'(' needs a closing ')' (character 12)"],
    ["a[b='c", "''' needs a closing ''' (character 5)"],
    ["a[b^c]", "'=' must follow '^' (character 4)"],
    ["p:not('a')", ":not() takes selectors without quotation marks"],
    ["/* x", "the comment has no '*/' (character 1)"],
    ["a > > b", "an element must precede the combinator '>' (character 5)"],
    ["a,,b", "a selector is missing before or after the comma (character 3)"],
    ["a, ", "a selector is missing before or after the comma (character 2)"],
    ["p:not()", "a selector is missing in the parentheses (character 7)"],
    ["//div", "it looks like XPath, which is not supported"],
    ["{}", "a selector can't begin with '{' (character 1)"],
    [")", "a selector can't begin with ')' (character 1)"],
  ])("%s", (selector, problem) => {
    expect(findSyntaxProblem(selector)).toBe(problem);
    expect(findSelectorProblem(selector)).toBe(problem);
  });

  it.each([
    ["a:foo", "the pseudo-class ':foo' is not supported (character 2)"],
    ["p::before", "pseudo-elements are not supported (character 2)"],
    ["a || b", "the combinator '||' is not supported (character 3)"],
    ["svg|a", "namespaces are not supported (character 4)"],
    ["p:first-child(2)", "':first-child' takes no argument (character 2)"],
    ["p:nth-child(x)", "the argument must have a form such as 2, odd or 2n+1 (character 2)"],
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
