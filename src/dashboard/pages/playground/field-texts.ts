import { capitalize } from "../../ui/format";
import table from "./field-texts.json";

/** The texts of a field, in addition to those that follow from the contract. */
interface FieldText {
  label?: string;
  hint?: string;
  placeholder?: string;
  /** The number of lines of a text area. */
  rows?: number;
}

/** The texts of the fields, by the name of the parameter. A name with an operation has precedence. */
const FIELD_TEXTS: { readonly [name: string]: FieldText } = table.fields;

/** The labels of values that aren't their names. */
const OPTION_LABELS: { readonly [option: string]: string } = table.options;

const WORDS: { readonly [word: string]: string } = { url: "URL", html: "HTML", json: "JSON", pdf: "PDF" };

export function textOf(operation: string, name: string): FieldText & { label: string } {
  const own = { ...FIELD_TEXTS[name], ...FIELD_TEXTS[`${operation}.${name}`] };
  return { ...own, label: own.label ?? toWords(name) };
}

/** Returns the label of a value of a field. */
export function toOptionLabel(name: string, option: string): string {
  // The names of events are the same everywhere.
  return OPTION_LABELS[`${name}.${option}`] ?? (option.includes(".") ? option : toWords(option));
}

/** Converts a name such as `raw_html` to the words "Raw HTML". */
function toWords(name: string): string {
  const words = name.split("_").map((word) => WORDS[word] ?? word);
  return capitalize(words.join(" "));
}
