import { selectAll, selectOne } from "css-select";
import type { AnyNode, Element } from "domhandler";
import { textContent } from "domutils";
import { jsx } from "hono/jsx";
import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import {
  Checkbox,
  Choices,
  FormErrors,
  NewPasswordField,
  SelectField,
  TextArea,
  TextField,
  WithErrors,
} from "../../src/dashboard/ui/form";
import { AppError } from "../../src/model/errors";

type Component = Parameters<typeof jsx>[0];

function render(content: unknown) {
  const document = parseDocument(String(content));
  return {
    find: (selector: string) => selectOne<AnyNode, Element>(selector, document.children)?.attribs ?? null,
    textOf: (selector: string) => {
      const found = selectOne<AnyNode, Element>(selector, document.children);
      return found ? textContent(found) : null;
    },
    valuesOf: (selector: string) =>
      selectAll<AnyNode, Element>(selector, document.children).map(({ attribs }) => attribs.value),
  };
}

const errors = FormErrors.of(
  new AppError("invalid_request", "Please fix the highlighted fields.", {
    details: [
      { path: "name", message: "must have at most 3 characters." },
      { path: "formats.0", message: "must be html or text" },
    ],
  }),
);

/** Renders the content of a form with the errors. */
function renderWith(shown: FormErrors | undefined, content: unknown) {
  return render(jsx(WithErrors as Component, { errors: shown }, content as string));
}

function renderRefused(component: Component, props: object) {
  return renderWith(errors, jsx(component, props));
}

describe.each([
  ["a text field", "input", TextField as Component],
  ["a text area", "textarea", TextArea as Component],
  ["a list", "select", SelectField as Component],
])("%s", (_, tag, component) => {
  const props = { name: "name", label: "Name", options: [] };

  it("has a label", () => {
    const { find, textOf } = render(jsx(component, props));
    expect([find("label")?.for, textOf("label")]).toEqual(["field-name", "Name"]);
    expect(find(tag)).toMatchObject({ id: "field-name", name: "name" });
    expect(find(tag)).not.toHaveProperty("aria-describedby");
    expect(find(tag)).not.toHaveProperty("aria-invalid");
    expect(find("div.field")?.class).toBe("field");
  });

  it("is described by its hint and its error", () => {
    const { find, textOf } = renderRefused(component, { ...props, hint: "A short name" });
    expect(find(tag)).toMatchObject({ "aria-describedby": "problem-name hint-name", "aria-invalid": "true" });
    expect(textOf("#problem-name")).toBe("Must have at most 3 characters.");
    expect(textOf("#hint-name")).toBe("A short name");
    expect(find("div.field")?.class).toBe("field invalid");
    expect(render(jsx(component, { ...props, hint: "A short name" })).find(tag)).toMatchObject({
      "aria-describedby": "hint-name",
    });
    expect(renderRefused(component, props).find(tag)).toMatchObject({ "aria-describedby": "problem-name" });
  });
});

describe("a control", () => {
  it("keeps the given value", () => {
    expect(render(TextField({ name: "a", label: "A", value: "x" })).find("input")).toMatchObject({
      type: "text",
      value: "x",
    });
    expect(render(TextArea({ name: "a", label: "A", value: "x\ny", code: true })).textOf("textarea.code")).toBe("x\ny");
    const options = [["b", "B"] as const, ["c", "C"] as const];
    const list = render(SelectField({ name: "a", label: "A", value: "c", options }));
    expect(list.valuesOf("option")).toEqual(["b", "c"]);
    expect(list.valuesOf("option[selected]")).toEqual(["c"]);
  });

  it("for a new password has the limits of passwords", () => {
    expect(render(NewPasswordField({})).find("input")).toMatchObject({
      ...{ name: "password", type: "password", autocomplete: "new-password", minlength: "10", maxlength: "128" },
      required: "",
    });
  });

  it("can be a group of checkboxes, with the error of one of them", () => {
    const options = [["html", "HTML"] as const, ["text", "Text"] as const];
    const props = { name: "formats", legend: "Formats", options, checked: ["text"], hint: "Any" };
    const group = renderRefused(Choices as Component, props);
    expect(group.textOf("legend")).toBe("Formats");
    expect(group.valuesOf("input[name=formats]")).toEqual(["html", "text"]);
    expect(group.valuesOf("input[checked]")).toEqual(["text"]);
    expect(group.textOf(".problem")).toBe("Must be html or text.");
    expect(group.textOf(".hint")).toBe("Any");
    expect(group.find("fieldset")?.class).toBe("field checks invalid");
  });

  it("can be a single checkbox", () => {
    const box = render(Checkbox({ name: "a", label: "A", checked: true, hint: "B" }));
    expect(box.find("input")).toMatchObject({ type: "checkbox", name: "a", value: "true", checked: "" });
    expect(box.textOf(".hint")).toBe("B");
    expect(render(Checkbox({ name: "a", label: "A", checked: false })).find("input")).not.toHaveProperty("checked");
  });
});

it("the notice of a form has its message, if there is one", () => {
  const notice = (shown: FormErrors | undefined) => renderWith(shown, "").textOf("[role=alert]");
  expect(notice(errors)).toBe("Please fix the highlighted fields.");
  expect(notice(new FormErrors())).toBeNull();
  expect(notice(undefined)).toBeNull();
});

it("an error belongs to a field or to a part of it", () => {
  expect(errors.at("formats")).toBe("must be html or text");
  expect(errors.at("formats.0")).toBe("must be html or text");
  expect(errors.at("format")).toBeUndefined();
  expect(errors.at("names")).toBeUndefined();
});
