import type { Child } from "hono/jsx";
import { READY_SCHEMAS } from "../../../contract/schema-library";
import { isObject } from "../../../json-schema/keywords";
import { schemaProblem } from "../../../json-schema/schema-problem";
import type { Mode } from "../../../model/api-key";
import { CopyButton, SubmitButton } from "../../ui/components";
import {
  Checkbox,
  Choices,
  type FormErrors,
  SelectField,
  TextArea,
  TextField,
  useErrors,
  WithErrors,
} from "../../ui/form";
import { toWords } from "../../ui/format";
import { ShownAccount } from "../../ui/post-form";
import table from "./field-texts.json";
import { BODY_FIELD, type FormValues, hasNonDefault, isJsonView, type RequestBody, tryToBody } from "./form-values";
import { type Field, fieldsOf, isBatchKind, layoutOf, type Operation, OTHER_FIELD } from "./operations";
import { toShareLink } from "./share-link";

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

interface FieldsProps {
  operation: Operation;
  values: FormValues;
  /** The available models. The first is the default. */
  models: readonly string[];
}

interface RequestFormProps extends FieldsProps {
  errors: FormErrors | undefined;
  mode: Mode;
  /** False if the account is suspended or the user has read-only access. */
  canRun: boolean;
  /** The price of the request and the balance. */
  price: Child;
}

function toFormPath(operation: Operation, action = ""): string {
  if (isBatchKind(operation)) return `/dashboard/playground/${operation}${action}`;
  return `/dashboard/playground${action}?endpoint=${operation}`;
}

/**
 * The form of a request. The user edits its fields or its JSON. A script updates the view that isn't shown. The browser
 * doesn't check the fields, because the fields of the view that isn't shown can be invalid.
 */
export function RequestForm({ errors, mode, canRun, price, ...fields }: RequestFormProps) {
  const { operation, values } = fields;
  const opensPage = isBatchKind(operation);
  return (
    <form
      id="request"
      class="card"
      method="post"
      action={toFormPath(operation)}
      enctype={operation === "scrape" || operation === "parse" ? "multipart/form-data" : undefined}
      novalidate
      data-preview={toFormPath(operation, "/preview")}
      data-preview-parts="samples price share schema-check form-view json-view"
      data-swap={opensPage ? undefined : "answer history balance"}
      data-swap-refused={opensPage ? undefined : "request balance"}
    >
      <div class="card-head">
        <h2>Request</h2>
        <ViewSwitch isJson={isJsonView(values)} />
      </div>
      <ShownAccount action={toFormPath(operation)} />
      <input type="hidden" name="mode" value={mode} />
      <WithErrors errors={errors}>
        <Problems errors={errors} />
        <FormView {...fields} />
        <JsonView values={values} />
      </WithErrors>
      <div class="row">
        <SubmitButton label={opensPage ? `Start ${operation}` : "Run request"} disabled={!canRun} />
        <span class="muted">{price}</span>
      </div>
      {opensPage ? null : <ShareLinkLine operation={operation} values={values} />}
    </form>
  );
}

/** The choice between the fields and the JSON. Style sheets hide the view that isn't chosen. */
function ViewSwitch({ isJson }: { isJson: boolean }) {
  return (
    <fieldset class="tabs view-switch">
      <legend class="visually-hidden">Edit the request as</legend>
      <label>
        <input type="radio" name="view" value="form" checked={!isJson} /> Form
      </label>
      <label>
        <input type="radio" name="view" value="json" checked={isJson} /> JSON
      </label>
    </fieldset>
  );
}

/** The maximum number of listed problems. */
const MAX_PROBLEMS = 20;

/** The problems of a field with several problems, such as the lines of a batch. */
function Problems({ errors }: { errors: FormErrors | undefined }) {
  const messages = errors?.details.filter(({ path }) => path === "requests" || path === BODY_FIELD) ?? [];
  if (messages.length < 2) return null;
  return (
    <ul class="rows small" aria-label="Problems">
      {messages.slice(0, MAX_PROBLEMS).map(({ message }) => (
        <li>{message}</li>
      ))}
      {messages.length > MAX_PROBLEMS ? <li>and {messages.length - MAX_PROBLEMS} more</li> : null}
    </ul>
  );
}

export function JsonView({ values }: { values: FormValues }) {
  return (
    <div id="json-view" class="json-view">
      <TextArea name={BODY_FIELD} label="Request as JSON" value={values.get(BODY_FIELD) ?? ""} rows={18} code />
    </div>
  );
}

/** The fields of an operation. Groups of optional fields are open if a field is invalid or differs from its default. */
export function FormView(props: FieldsProps) {
  const { operation, values, models } = props;
  const { main, groups } = layoutOf(operation);
  const errors = useErrors();
  const isOpen = (names: readonly string[]) =>
    hasNonDefault(operation, values, names) || names.some((name) => errors?.at(name) !== undefined);
  return (
    <div id="form-view" class="form-view fields">
      {operation === "parse" && models.length === 0 ? (
        <p class="notice busy">
          No language model is configured. Live requests need a schema, whose properties are found in the page's own
          data.
        </p>
      ) : null}
      <Fields {...props} names={main} />
      {groups.map(([title, names]) => (
        <details class="more" open={isOpen(names)}>
          <summary>{title}</summary>
          <div class="fields">
            <Fields {...props} names={names} />
          </div>
        </details>
      ))}
    </div>
  );
}

function Fields({ names, ...props }: FieldsProps & { names: readonly string[] }) {
  const fields = fieldsOf(props.operation);
  return (
    <>
      {names.map((name) => {
        const field = fields.get(name);
        return field === undefined ? <OtherField {...props} /> : <FormField {...props} field={field} />;
      })}
    </>
  );
}

function FormField({ operation, values, models, field }: FieldsProps & { field: Field }) {
  const { name, kind, options, defaultValue, maxLength } = field;
  const { label, placeholder, rows = 3, hint } = textOf(operation, name);
  const value = values.get(name) ?? "";
  const text = { name, label, value, placeholder, hint: toHint(field, hint) };
  if (name === "model") return <ModelField {...text} models={models} />;
  if (name === "schema") return <SchemaField {...text} values={values} rows={rows} />;
  switch (kind) {
    case "choices":
      return (
        <Choices
          name={name}
          hint={hint}
          legend={label}
          options={options.map((option) => [option, toOptionLabel(name, option)] as const)}
          checked={values.getAll(name)}
        />
      );
    case "boolean":
      if (defaultValue !== true) return <Checkbox name={name} label={label} hint={hint} checked={value === "true"} />;
      return <SelectField {...text} options={["true", "false"].map((is) => [is, toOptionLabel(name, is)] as const)} />;
    case "choice": {
      const known = options.map((option) => [option, toOptionLabel(name, option)] as const);
      const isRequired = defaultValue !== undefined || name === "endpoint";
      return <SelectField {...text} options={isRequired ? known : [["", "Default"], ...known]} />;
    }
    case "file":
      return <TextField type="file" name={name} label={label} hint={hint} />;
    case "url":
    case "number":
      return <TextField {...text} inputmode={kind === "url" ? "url" : "text"} maxlength={maxLength} />;
    case "line":
      return <TextField {...text} maxlength={maxLength} autocomplete="off" />;
    default:
      return (
        <>
          <TextArea {...text} rows={rows} maxlength={maxLength} code={kind !== "text" || name === "html"} />
          {/* A script adds an editor with one row per action. */}
          {name === "actions" ? <div class="scripted" id="action-builder" /> : null}
        </>
      );
  }
}

/** Adds the limits of a number to its hint. */
function toHint({ min, max }: Field, hint: string | undefined): string | undefined {
  if (min === null || max === null) return hint;
  const range = `${min.toLocaleString("en")} to ${max.toLocaleString("en")}.`;
  return hint === undefined ? range : `${range} ${hint}`;
}

interface TextProps {
  name: string;
  label: string;
  value: string;
  placeholder: string | undefined;
  hint: string | undefined;
}

function ModelField({ models, ...text }: TextProps & { models: readonly string[] }) {
  const first = ["", models[0] === undefined ? "Default" : `Default (${models[0]})`] as const;
  return <SelectField {...text} options={[first, ...models.map((id) => [id, id] as const)]} />;
}

function OtherField({ operation, values }: FieldsProps) {
  const { label, hint } = textOf(operation, OTHER_FIELD);
  return <TextArea name={OTHER_FIELD} label={label} hint={hint} value={values.get(OTHER_FIELD) ?? ""} rows={3} code />;
}

/**
 * The schema of a parse request. The menu fills in the schema. It also fills in the prompt if the user hasn't written
 * one. It has no name, so that it isn't a part of the form. A script requests the chosen schema, because all schemas
 * together are larger than the page.
 */
function SchemaField({ values, rows, ...text }: TextProps & { values: FormValues; rows: number }) {
  const isRefused = useErrors()?.at("schema") !== undefined;
  return (
    <>
      <div class="field scripted">
        <label for="ready-schema">Ready-made schema</label>
        <select id="ready-schema">
          <option value="">Choose a schema</option>
          {READY_SCHEMAS.map(({ name, title }) => (
            <option value={name}>{title}</option>
          ))}
        </select>
      </div>
      <TextArea {...text} rows={rows} code hint={<SchemaCheck values={isRefused ? new URLSearchParams() : values} />} />
    </>
  );
}

/** Says whether the schema can be used, or where its first error is. */
export function SchemaCheck({ values }: { values: FormValues }) {
  return (
    <span id="schema-check" role="status">
      {toSchemaStatus(values)}
    </span>
  );
}

function toSchemaStatus(values: FormValues): string {
  const body = tryToBody("parse", new URLSearchParams({ schema: values.get("schema") ?? "" }));
  if (typeof body === "string") return body;
  const { schema } = body;
  if (schema === undefined) return "Optional. Enter a JSON Schema whose root is an object.";
  if (!isObject(schema)) return "The schema must be a JSON object.";
  const problem = schemaProblem(schema);
  return problem === null ? "The schema is valid." : `'${["schema", ...problem.path].join(".")}' ${problem.message}.`;
}

export function ShareLinkLine({ operation, values }: Pick<FieldsProps, "operation" | "values">) {
  const body: RequestBody | string = tryToBody(operation, values);
  const { path, notes } = typeof body === "string" ? { path: null, notes: [] } : toShareLink(operation, body);
  return (
    <div id="share" class="row small muted">
      {path === null ? null : (
        <>
          <a id="share-link" href={path}>
            Link to this request
          </a>
          <CopyButton of="share-link" label="Copy link" />
        </>
      )}
      {notes.map((note) => (
        <span>{note}</span>
      ))}
    </div>
  );
}

function textOf(operation: string, name: string): FieldText & { label: string } {
  const own = { ...FIELD_TEXTS[name], ...FIELD_TEXTS[`${operation}.${name}`] };
  return { ...own, label: own.label ?? toWords(name) };
}

/** Returns the label of a value of a field. */
function toOptionLabel(name: string, option: string): string {
  // The names of events are the same everywhere.
  return OPTION_LABELS[`${name}.${option}`] ?? (option.includes(".") ? option : toWords(option));
}
