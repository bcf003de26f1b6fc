import { AS_TYPED } from "./form-data";

interface Props {
  /** Where the form was sent. */
  action: string;
  /** What was typed, so that nobody has to do it again. */
  fields: readonly (readonly [name: string, value: string])[];
}

/** In place of what a form asks for, when its session has ended meanwhile. Passwords aren't shown again, and not kept. */
export function SessionEnded({ action, fields }: Props) {
  const isKept = !fields.some(([name]) => AS_TYPED.has(name));
  return (
    <section class="card sign">
      <h1>Your session has ended</h1>
      <p role="alert">Nothing was done yet. {isKept ? "What you typed is kept here." : null}</p>
      {isKept ? (
        <>
          <ol>
            <li>
              <a href="/dashboard/sign-in" target="_blank" rel="noopener">
                Sign in, in another tab
              </a>
            </li>
            <li>Come back here, and send it once more.</li>
          </ol>
          <form method="post" action={action}>
            {fields.map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <button class="button primary wide" type="submit">
              Send it once more
            </button>
          </form>
        </>
      ) : null}
      <p class="alternatives">
        <a href="/dashboard/sign-in">{isKept ? "Sign in, and drop it" : "Sign in"}</a>
      </p>
    </section>
  );
}
