import { READY_SCHEMAS } from "../../../contract/schema-library";
import { isObject } from "../../../json-schema/keywords";
import { schemaProblem } from "../../../json-schema/schema-problem";
import { type FormErrors, TextArea } from "../../ui/form";
import { type FormValues, tryToBody } from "./form-values";

/** The field of a parse request's schema. A script updates the check while the user edits the schema. */
export function SchemaField({ values, errors }: { values: FormValues; errors: FormErrors | undefined }) {
  return (
    <>
      <ReadySchemaMenu />
      <TextArea
        name="schema"
        label="Schema"
        value={values.get("schema") ?? ""}
        rows={8}
        code
        placeholder={'{"type": "object", "properties": {"name": {"type": "string"}}}'}
        hint={<SchemaCheck values={errors?.at("schema") === undefined ? values : new URLSearchParams()} />}
        errors={errors}
      />
    </>
  );
}

/**
 * The menu that fills the schema, and the prompt unless the user has written one. It has no name, so that it isn't a part
 * of the form. A script requests the chosen schema, because all schemas together are larger than the page.
 */
function ReadySchemaMenu() {
  return (
    <div class="field scripted">
      <label for="ready-schema">Ready-made schema</label>
      <select id="ready-schema">
        <option value="">Choose a schema</option>
        {READY_SCHEMAS.map(({ name, title }) => (
          <option value={name}>{title}</option>
        ))}
      </select>
    </div>
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
