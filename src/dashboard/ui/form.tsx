import type { Child } from "hono/jsx";
import type { AppError, ErrorDetail } from "../../model/errors";
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";

/** What is wrong with a form that was sent, by the names of its fields. */
export class Problems {
  readonly message: string | null;
  readonly #details: ErrorDetail[];

  constructor(message: string | null = null, details: ErrorDetail[] = []) {
    this.message = message;
    this.#details = details;
  }

  static of(error: AppError): Problems {
    return new Problems(error.message, error.details);
  }

  /** What is wrong with this field, or with a part of it (`formats.0`). */
  at(name: string): string | undefined {
    return this.#details.find(({ path }) => path === name || path.startsWith(`${name}.`))?.message;
  }
}

/** At the head of a form that was refused. */
export function ProblemNotice({ problems }: { problems: Problems | undefined }) {
  if (problems?.message == null) return null;
  return (
    <div class="notice bad" role="alert">
      {problems.message}
    </div>
  );
}

interface FieldProps {
  name: string;
  label: string;
  /** What would be right, under the field. */
  hint?: Child;
  problems?: Problems | undefined;
  children: Child;
}

/** A label, its control, a hint, and what is wrong with it. The control must have the id `field-{name}`. */
function Field({ name, label, hint, problems, children }: FieldProps) {
  const problem = problems?.at(name);
  return (
    <div class={problem === undefined ? "field" : "field invalid"}>
      <label for={`field-${name}`}>{label}</label>
      {children}
      {problem === undefined ? null : (
        <p class="problem" id={`problem-${name}`}>
          {capitalize(problem)}.
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

/** What ties a control to its hint and its problem, for those who don't see them. */
function described({ name, hint, problems }: Pick<FieldProps, "name" | "hint" | "problems">) {
  const invalid = problems?.at(name) !== undefined;
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
  placeholder?: string;
  required?: boolean;
  autocomplete?: string;
  minlength?: number;
  maxlength?: number;
  inputmode?: "numeric" | "url" | "email" | "text";
}

export function TextField({ name, label, hint, problems, ...input }: InputProps) {
  return (
    <Field {...{ name, label, hint, problems }}>
      <input {...described({ name, hint, problems })} type="text" {...input} />
    </Field>
  );
}

interface NewPasswordProps extends Pick<FieldProps, "hint" | "problems"> {
  label?: string;
}

/** The field `password` of every form that chooses one. */
export function NewPasswordField({ label = "New password", hint, problems }: NewPasswordProps) {
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
      problems={problems}
    />
  );
}

interface AreaProps extends Omit<FieldProps, "children"> {
  value?: string | undefined;
  rows?: number;
  placeholder?: string;
  required?: boolean;
  code?: boolean;
  maxlength?: number;
}

export function TextArea({ name, label, hint, problems, value, code, ...area }: AreaProps) {
  return (
    <Field {...{ name, label, hint, problems }}>
      <textarea {...described({ name, hint, problems })} class={code ? "code" : undefined} {...area}>
        {value}
      </textarea>
    </Field>
  );
}

interface SelectProps extends Omit<FieldProps, "children"> {
  value?: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
}

export function SelectField({ name, label, hint, problems, value, options }: SelectProps) {
  return (
    <Field {...{ name, label, hint, problems }}>
      <select {...described({ name, hint, problems })}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface ChecksProps {
  name: string;
  legend: string;
  hint?: Child;
  problems?: Problems | undefined;
  options: readonly (readonly [value: string, label: Child])[];
  checked: readonly string[];
}

/** A group of boxes that send the same name. */
export function Checks({ name, legend, hint, problems, options, checked }: ChecksProps) {
  const problem = problems?.at(name);
  return (
    <fieldset class={problem === undefined ? "field checks" : "field checks invalid"}>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label class="check">
          <input type="checkbox" name={name} value={value} checked={checked.includes(value)} />
          <span>{label}</span>
        </label>
      ))}
      {problem === undefined ? null : <p class="problem">{capitalize(problem)}.</p>}
      {hint === undefined ? null : <p class="hint">{hint}</p>}
    </fieldset>
  );
}

/** One box, on or off. */
export function Check({ name, label, checked, hint }: { name: string; label: Child; checked: boolean; hint?: Child }) {
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

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, "");
}
