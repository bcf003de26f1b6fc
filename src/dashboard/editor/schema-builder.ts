import { newProperty, PROPERTY_TYPES, type Property, type PropertyType } from "./schema-properties";

/** The types whose values have nested properties. */
const NESTING: ReadonlySet<PropertyType> = new Set(["object", "object[]"]);

/** A form for the properties of a schema: name, type, description and whether the property is required. */
export class SchemaBuilder {
  readonly #root: HTMLElement;
  readonly #onChange: (properties: readonly Property[]) => void;
  #properties: Property[] = [];

  /** `onChange` is called after the user has changed a property. */
  constructor(root: HTMLElement, onChange: (properties: readonly Property[]) => void) {
    this.#root = root;
    this.#onChange = onChange;
    // The fields have no names, so they aren't part of the form. Enter would send the form.
    root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
    });
  }

  /** Shows these properties. */
  show(properties: Property[]): void {
    this.#properties = properties;
    this.#root.replaceChildren(...this.#toList(properties, "builder"));
  }

  /** Shows a message instead of the properties, while the schema isn't a JSON object. */
  showMessage(text: string): void {
    this.#root.replaceChildren(element("p", { className: "builder small muted", textContent: text }));
  }

  /** Shows the properties again after one was added, removed or nested, and moves the focus to `focused`. */
  #redraw(focused: Property | null): void {
    this.#onChange(this.#properties);
    this.show(this.#properties);
    const index = focused === null ? -1 : flatten(this.#properties).indexOf(focused);
    const target = this.#root.querySelectorAll<HTMLElement>("fieldset")[index]?.querySelector("input");
    (target ?? this.#root.querySelector<HTMLElement>(":scope > button"))?.focus();
  }

  #toList(properties: Property[], className: string): HTMLElement[] {
    const list = element("ul", { className });
    for (const property of properties) list.append(this.#toItem(properties, property));
    const add = toButton("Add property", () => {
      const property = newProperty();
      properties.push(property);
      this.#redraw(property);
    });
    return properties.length === 0 ? [add] : [list, add];
  }

  #toItem(siblings: Property[], property: Property): HTMLElement {
    const update = () => this.#onChange(this.#properties);
    const legend = element("legend", { className: "visually-hidden", textContent: toLegend(property) });
    const name = toInput(property.name, (text) => {
      property.name = text.trim();
      legend.textContent = toLegend(property);
      const isUsed = siblings.some((other) => other !== property && other.name === property.name && other.name !== "");
      name.setCustomValidity(isUsed ? "Another property has this name. Choose a different name." : "");
      name.reportValidity();
      if (!isUsed) update();
    });
    const type = toSelect(property.type, (chosen) => {
      property.type = chosen;
      if (!NESTING.has(chosen)) property.properties = [];
      this.#redraw(property);
    });
    const description = toInput(property.description, (text) => {
      property.description = text.trim();
      update();
    });
    const required = element("input", { type: "checkbox", checked: property.required });
    required.addEventListener("input", () => {
      property.required = required.checked;
      update();
    });
    const remove = toButton("Remove", () => {
      siblings.splice(siblings.indexOf(property), 1);
      this.#redraw(siblings.at(-1) ?? null);
    });
    const fieldset = element("fieldset", {});
    fieldset.append(
      legend,
      group("pair", label("Name", name), label("Type", type)),
      label("Description", description),
      group("row", check("Required", required), remove),
    );
    if (NESTING.has(property.type)) fieldset.append(...this.#toList(property.properties, ""));
    const item = element("li", {});
    item.append(fieldset);
    return item;
  }
}

function flatten(properties: readonly Property[]): Property[] {
  return properties.flatMap((property) => [property, ...flatten(property.properties)]);
}

function toLegend({ name }: Property): string {
  return name === "" ? "New property" : `Property ${name}`;
}

function toInput(value: string, onInput: (text: string) => void): HTMLInputElement {
  const input = element("input", { type: "text", value, autocomplete: "off", spellcheck: false });
  input.addEventListener("input", () => onInput(input.value));
  return input;
}

function toSelect(value: PropertyType, onChange: (type: PropertyType) => void): HTMLSelectElement {
  const select = element("select", {});
  for (const [type, text] of Object.entries(PROPERTY_TYPES)) select.append(new Option(text, type));
  if (value === "other") select.append(new Option("Other (edit as JSON)", "other"));
  select.value = value;
  select.addEventListener("change", () => onChange(select.value as PropertyType));
  return select;
}

function toButton(text: string, onClick: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", className: "button quiet small", textContent: text });
  button.addEventListener("click", onClick);
  return button;
}

function label(text: string, control: HTMLElement): HTMLElement {
  const whole = element("label", {});
  whole.append(element("span", { textContent: text }), control);
  return whole;
}

function check(text: string, control: HTMLElement): HTMLElement {
  const whole = element("label", { className: "check" });
  whole.append(control, element("span", { textContent: text }));
  return whole;
}

function group(className: string, ...children: HTMLElement[]): HTMLElement {
  const whole = element("div", { className });
  whole.append(...children);
  return whole;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
