import { describe, expect, it } from "vitest";
import { openPage } from "../../../src/html/visible-page";

/** Returns a report in the format of the page script, with the bits by the number of the element. */
function report(names: string[], bits: [index: number, bits: number][]): string {
  let hash = 0x811c9dc5;
  for (const name of names)
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  const pairs = bits.map(([index, own], at) => `${index - (bits[at - 1]?.[0] ?? 0)} ${own}`);
  return [names.length, hash >>> 0, ...pairs].join(" ");
}

function shown(html: string, computed: string): string {
  return openPage(html, computed)
    .page()
    .lines.map(({ text }) => text)
    .join(" ");
}

describe("the visibility that a browser computed", () => {
  const html =
    "<html><head><style>.a{display:none}</style></head><body><noscript><p>x</p></noscript><template><p>y</p><template><i>z</i></template></template><p>one</p><p class=a>two</p></body></html>";
  const names = ["html", "head", "style", "body", "noscript", "template", "p", "p"];

  it("takes precedence over the page's style sheets", () => {
    expect(shown(html, report(names, []))).toBe("one two");
    expect(shown(html, report(names, [[6, 16]]))).toBe("two");
  });

  it("applies to the text in an element and to what inherits it", () => {
    const nested = "<html><head></head><body><div>one<p>two</p><p>three</p></div></body></html>";
    const all = ["html", "head", "body", "div", "p", "p"];
    expect(
      shown(
        nested,
        report(all, [
          [3, 2],
          [5, 0],
        ]),
      ),
    ).toBe("three");
  });

  it("doesn't count the shadow roots and frames that the snapshot added", () => {
    const added = `<html><head></head><body><x-a><template shadowrootmode="open"><b>one</b><div><slot></slot></div></template><i>two</i></x-a>
      <iframe></iframe><div data-frame-src="/f"><div><p>three</p></div><p>four</p></div><p>five</p></body></html>`;
    const counted = ["html", "head", "body", "x-a", "i", "iframe", "p"];
    expect(shown(added, report(counted, [[6, 16]]))).toBe("one two three four");
    const marked = added.replace("<b>", "<b hidden>").replace("<div><p>", "<div hidden><p>");
    expect(shown(marked, report(counted, [[6, 16]]))).toBe("two four");
  });

  it("doesn't hide the values that a script has set in visible fields", () => {
    const fields = `<html><head></head><body><p>one</p><input data-form-value="two"><select data-form-value="three"><option>x</option></select><textarea data-form-value="four">four</textarea></body></html>`;
    const counted = ["html", "head", "body", "p", "input", "select", "option", "textarea"];
    expect(shown(fields, report(counted, []))).toBe("one two three four");
    expect(shown(fields, report(counted, [[4, 16]]))).toBe("one three four");
    expect(
      openPage(fields)
        .page()
        .lines.map(({ text }) => text),
    ).toEqual(["one"]);
  });

  it.each([
    ["another element", report(names.with(7, "div"), [[6, 16]])],
    ["one element more", report([...names, "p"], [[6, 16]])],
    ["no numbers", "error"],
    ["nothing", ""],
  ])("isn't used if the report has %s", (_, computed) => {
    expect(shown(html, computed)).toBe("one");
  });
});
