import type { Endpoint } from "../../../model/endpoint";
import { FormErrors, TextArea } from "../../ui/form";
import { type FormValues, OTHER_FIELD, otherParameters } from "./form-values";

interface OtherFieldProps {
  endpoint: Endpoint;
  values: FormValues;
  errors: FormErrors | undefined;
}

/** The field for the parameters of the kind `other`. Renders nothing if the endpoint has no such parameters. */
export function OtherField({ endpoint, values, errors }: OtherFieldProps) {
  const names = otherParameters(endpoint);
  if (names.length === 0) return null;
  return (
    <TextArea
      name={OTHER_FIELD}
      label="Other parameters"
      value={values.get(OTHER_FIELD) ?? ""}
      rows={3}
      code
      hint="A JSON object with other parameters from the API reference."
      errors={toFieldErrors(errors, names)}
    />
  );
}

/** Returns the errors of the field. The first error of one of its parameters is also an error of the field. */
function toFieldErrors(errors: FormErrors | undefined, names: readonly string[]): FormErrors | undefined {
  if (errors === undefined || errors.at(OTHER_FIELD) !== undefined) return errors;
  for (const name of names) {
    const message = errors.at(name);
    if (message !== undefined) return new FormErrors(null, [{ path: OTHER_FIELD, message: `'${name}' ${message}` }]);
  }
  return undefined;
}
