// The entry of assets/dashboard/editor.js. Replaces the text area of the playground's schema by a JSON editor, and fills
// the schema builder. The text area stays in the form and has the text that is sent.
import { JsonEditor } from "./json-editor";
import { SchemaBuilder } from "./schema-builder";
import { isObject, readProperties, writeProperties } from "./schema-properties";

const nonce = document.currentScript?.nonce ?? "";

start();
// The form is replaced after the service has refused the request.
document.addEventListener("swapped", start);

function start(): void {
  const area = document.querySelector<HTMLTextAreaElement>("#field-schema");
  const panel = document.querySelector<HTMLElement>("#schema-builder");
  if (area === null || panel === null || area.hidden) return;

  const host = document.createElement("div");
  host.className = "json-editor";
  // Has the size of the text area, so that the page doesn't move.
  host.style.height = `${area.offsetHeight}px`;
  area.before(host);
  area.hidden = true;

  const content = document.createElement("div");
  content.className = "disclosed";
  panel.append(content);
  /** True while the builder changes the text. The builder isn't rendered again then, because it has the focus. */
  let isBuilding = false;

  const editor = new JsonEditor(host, {
    text: area.value,
    attributes: toAttributes(area),
    nonce,
    onChange: (text) => {
      area.value = text;
      // The service's error is about an earlier text.
      document.getElementById("problem-schema")?.remove();
      // The page's script updates the price, the code and the check of the schema.
      area.dispatchEvent(new Event("input", { bubbles: true }));
      if (!isBuilding) showProperties(text);
    },
    onCheck: (error) => {
      const isReported = document.getElementById("problem-schema") !== null;
      host.parentElement?.classList.toggle("invalid", error !== null || isReported);
      const check = document.getElementById("schema-check");
      if (error !== null && check !== null && !isReported) check.textContent = error;
    },
  });
  area.labels[0]?.addEventListener("click", () => editor.focus());

  const menu = document.querySelector<HTMLSelectElement>("#ready-schema");
  menu?.addEventListener("change", async () => {
    const name = menu.value;
    const found = name === "" ? null : await readSchema(name);
    if (found === null || menu.value !== name) return;
    editor.setText(JSON.stringify(found.schema, null, 2));
    const field = document.querySelector<HTMLTextAreaElement>("#field-prompt");
    // A prompt that the user has written stays.
    if (field === null || !["", field.defaultValue.trim()].includes(field.value.trim())) return;
    field.defaultValue = found.prompt;
    field.value = found.prompt;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

  const builder = new SchemaBuilder(content, (properties) => {
    const schema = writeProperties(parseSchema(area.value) ?? {}, properties);
    isBuilding = true;
    editor.setText(JSON.stringify(schema, null, 2));
    isBuilding = false;
  });
  showProperties(area.value);

  function showProperties(text: string): void {
    const schema = parseSchema(text);
    if (schema === null) builder.showMessage("Fix the JSON to use the schema builder.");
    else builder.show(readProperties(schema));
  }
}

/** Requests a ready-made schema. Returns null if the request fails. */
async function readSchema(name: string): Promise<{ prompt: string; schema: unknown } | null> {
  try {
    const response = await fetch(`/dashboard/playground/schemas/${name}`);
    return response.ok ? await response.json() : null;
  } catch {
    // The connection was lost. The user can choose the schema again.
    return null;
  }
}

/** Returns the schema, `{}` for an empty text, or null if the text isn't a JSON object. */
function parseSchema(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns the attributes that connect the editor to the label, the hint and the error of the text area. */
function toAttributes(area: HTMLTextAreaElement): Record<string, string> {
  const [label] = area.labels;
  if (label !== undefined) label.id ||= "label-schema";
  const attributes: Record<string, string> = { "aria-labelledby": label?.id ?? "" };
  const describedBy = area.getAttribute("aria-describedby");
  if (describedBy !== null) attributes["aria-describedby"] = describedBy;
  if (area.getAttribute("aria-invalid") === "true") attributes["aria-invalid"] = "true";
  return attributes;
}
