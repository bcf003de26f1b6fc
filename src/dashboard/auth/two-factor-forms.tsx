import { FormErrorNotice, type FormErrors, TextField } from "../ui/form";

/** The field for the code of an authenticator app. */
export function CodeField({ errors }: { errors?: FormErrors | undefined }) {
  return (
    <TextField
      name="code"
      label="Code"
      required
      autocomplete="one-time-code"
      inputmode="numeric"
      maxlength={10}
      hint="6 digits."
      errors={errors}
    />
  );
}

interface SecondStepProps {
  /** The path for the redirect after the sign-in. */
  to: string;
  errors?: FormErrors;
}

/** The second step of the sign-in: the code of the authenticator app, or a backup code. */
export function SecondStepForm({ to, errors, method }: SecondStepProps & { method: "app" | "backup" }) {
  const other = method === "app" ? "backup-code" : "code";
  return (
    <section class="card sign">
      <h1>Two-factor sign-in</h1>
      <FormErrorNotice errors={errors} />
      <form method="post" action={`/dashboard/sign-in/${method === "app" ? "code" : "backup-code"}`}>
        <input type="hidden" name="to" value={to} />
        {method === "app" ? (
          <CodeField errors={errors} />
        ) : (
          <TextField
            name="code"
            label="Backup code"
            required
            autocomplete="off"
            maxlength={20}
            hint="Each backup code works only once."
            errors={errors}
          />
        )}
        <button class="button primary wide" type="submit">
          Sign in
        </button>
      </form>
      <p class="alternatives">
        <a href={`/dashboard/sign-in/${other}?to=${encodeURIComponent(to)}`}>
          {method === "app" ? "Use a backup code" : "Use the authenticator app"}
        </a>
        <a href="/dashboard/sign-in">Start again</a>
      </p>
    </section>
  );
}
