import { type Child, createContext, useContext } from "hono/jsx";
import type { AppError, ErrorDetail } from "../../model/errors";
import { MAX_EMAIL_CHARS, MAX_PASSWORD_CHARS, MAX_URL_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { capitalize } from "./format";

/** The errors of a form, by field name. */
export class FormErrors {
  readonly message: string | null;
  /** A sentence that tells the user what to do. */
  readonly hint: string | undefined;
  readonly details: readonly ErrorDetail[];

  constructor(message: string | null = null, details: readonly ErrorDetail[] = [], hint?: string) {
    this.message = message;
    this.hint = hint;
    this.details = details;
  }

  /** Creates the errors from an API error's message, details and hint. */
  static of(error: AppError): FormErrors {
    return new FormErrors(error.message, error.details, error.hint);
  }

  static ofField(name: string, message: string): FormErrors {
    return new FormErrors(null, [{ path: name, message }]);
  }

  /** Returns the errors with a message for a form whose labels differ from the names of the API's parameters. */
  toHighlighted(): FormErrors {
    if (this.details.length === 0) return this;
    return new FormErrors("Please fix the highlighted fields.", this.details, this.hint);
  }

  /** Returns the error message of a field, or of a part of the field (`formats.0`). */
  at(name: string): string | undefined {
    return this.details.find(({ path }) => path === name || path.startsWith(`${name}.`))?.message;
  }
}

const ErrorsContext = createContext<FormErrors | undefined>(undefined);

/** Returns the errors of the form around the component. */
export function useErrors(): FormErrors | undefined {
  return useContext(ErrorsContext);
}

/** Shows the message of the errors, followed by the children. Each field among the children shows its own error. */
export function WithErrors({ errors, children }: { errors: FormErrors | undefined; children?: Child }) {
  if (errors === undefined) return <>{children}</>;
  const { message, hint } = errors;
  return (
    <ErrorsContext.Provider value={errors}>
      {message === null ? null : (
        <div class="notice bad" role="alert">
          {hint === undefined ? message : `${message} ${hint}`}
        </div>
      )}
      {children}
    </ErrorsContext.Provider>
  );
}

interface FieldProps {
  name: string;
  label: string;
  /** Help text under the field. */
  hint?: Child;
  children: Child;
}

/** A form field: its label, control, hint and error. The control must have the id `field-{name}`. */
function Field({ name, label, hint, children }: FieldProps) {
  const problem = useErrors()?.at(name);
  return (
    <div class={problem === undefined ? "field" : "field invalid"}>
      <label for={`field-${name}`}>{label}</label>
      {children}
      {problem === undefined ? null : (
        <p class="problem" id={`problem-${name}`}>
          {capitalize(problem).replace(/\.$/, "")}.
        </p>
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Returns the attributes of a control. They connect it to its label, hint and error for screen readers. */
function useAttributes({ name, hint }: Pick<FieldProps, "name" | "hint">) {
  const invalid = useErrors()?.at(name) !== undefined;
  const ids = [invalid ? `problem-${name}` : "", hint === undefined ? "" : `hint-${name}`].filter(Boolean).join(" ");
  return {
    id: `field-${name}`,
    name,
    ...(ids === "" ? {} : { "aria-describedby": ids }),
    ...(invalid ? { "aria-invalid": "true" as const } : {}),
  };
}

interface InputProps extends Omit<FieldProps, "children"> {
  type?: string;
  value?: string | undefined;
  placeholder?: string | undefined;
  required?: boolean;
  autocomplete?: string;
  minlength?: number;
  maxlength?: number | undefined;
  inputmode?: "numeric" | "url" | "email" | "text";
}

export function TextField({ name, label, hint, ...input }: InputProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      <input {...useAttributes({ name, hint })} type="text" {...input} />
    </Field>
  );
}

/** The field for an email address, with the name `email`. */
export function EmailField({ label = "Email", ...input }: Omit<InputProps, "name" | "label"> & { label?: string }) {
  return <TextField {...input} name="email" label={label} type="email" inputmode="email" maxlength={MAX_EMAIL_CHARS} />;
}

/** The field for the URL of a webhook receiver, with the name `url`. */
export function ReceiverField(props: { label: string; hint: string; value: string }) {
  return (
    <TextField
      {...props}
      name="url"
      type="url"
      inputmode="url"
      placeholder="https://example.org/hooks/extraction"
      required
      maxlength={MAX_URL_CHARS}
      autocomplete="off"
    />
  );
}

/** The field for the user's current password, which confirms a change. Its name is `current`. */
export function CurrentPasswordField() {
  return (
    <TextField
      name="current"
      label="Current password"
      type="password"
      required
      autocomplete="current-password"
      maxlength={MAX_PASSWORD_CHARS}
    />
  );
}

/** The field for a new password, with the name `password`. */
export function NewPasswordField({ label = "New password", hint }: { label?: string; hint?: Child }) {
  return (
    <TextField
      name="password"
      label={label}
      type="password"
      required
      autocomplete="new-password"
      minlength={MIN_PASSWORD_CHARS}
      maxlength={MAX_PASSWORD_CHARS}
      hint={hint}
    />
  );
}

interface AreaProps extends Omit<FieldProps, "children"> {
  value?: string | undefined;
  rows?: number;
  placeholder?: string | undefined;
  required?: boolean;
  code?: boolean;
  maxlength?: number | undefined;
}

/** A multi-line input. `code` uses a fixed-width font. */
export function TextArea({ name, label, hint, value, code, ...area }: AreaProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      <textarea {...useAttributes({ name, hint })} class={code ? "code" : undefined} {...area}>
        {value}
      </textarea>
    </Field>
  );
}

interface SelectProps extends Omit<FieldProps, "children"> {
  value?: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
}

/** A drop-down list. */
export function SelectField({ name, label, hint, value, options }: SelectProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      <select {...useAttributes({ name, hint })}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface ChoicesProps {
  /** Default: checkbox. */
  type?: "checkbox" | "radio";
  name: string;
  legend: string;
  hint?: Child;
  options: readonly (readonly [value: string, label: Child, description?: string])[];
  checked: readonly string[];
}

/** A group of checkboxes or radio buttons with the same name. An option with a description has a bold label. */
export function Choices({ type = "checkbox", name, legend, hint, options, checked }: ChoicesProps) {
  const problem = useErrors()?.at(name);
  return (
    <fieldset class={problem === undefined ? "field checks" : "field checks invalid"}>
      <legend>{legend}</legend>
      {options.map(([value, label, description]) => (
        <label class="check">
          <input type={type} name={name} value={value} checked={checked.includes(value)} />
          {description === undefined ? (
            <span>{label}</span>
          ) : (
            <span>
              <strong>{label}</strong> <span class="muted block small">{description}</span>
            </span>
          )}
        </label>
      ))}
      {problem === undefined ? null : <p class="problem">{capitalize(problem).replace(/\.$/, "")}.</p>}
      {hint === undefined ? null : <p class="hint">{hint}</p>}
    </fieldset>
  );
}

interface CheckboxProps {
  name: string;
  label: Child;
  checked: boolean;
  hint?: Child;
}

/** A single checkbox. If it is checked, the form contains `name=true`. */
export function Checkbox({ name, label, checked, hint }: CheckboxProps) {
  return (
    <div class="field">
      <label class="check">
        <input type="checkbox" name={name} value="true" checked={checked} />
        <span>{label}</span>
      </label>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
    </div>
  );
}
