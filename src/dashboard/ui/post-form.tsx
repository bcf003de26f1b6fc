import { type Child, useContext } from "hono/jsx";
import { RequestContext } from "hono/jsx-renderer";
import { LinkButton, SubmitButton } from "./components";
import type { DashboardContext, DashboardEnv } from "./env";
import { type FormErrors, WithErrors } from "./form";
import { isAccountAction, isModeAction, maySend } from "./permissions";

/** The field with the id of the account that a form's page shows. */
export const ACCOUNT_FIELD = "shown_account";
/** The field with the mode that a form's page shows. Only forms whose effect depends on the mode have it. */
export const MODE_FIELD = "shown_mode";

interface PostFormProps {
  action: string;
  class?: string;
  /** A question that a script shows before it sends the form. */
  confirm?: string | undefined;
  /** The accessible name of the form. */
  label?: string;
  /** The ids of the elements that a script replaces with those of the response. Otherwise, a page loads. */
  swap?: string;
  errors?: FormErrors | undefined;
  /** The values of hidden fields, by name. */
  hidden?: Record<string, string | undefined>;
  /** The label of the button that sends the form. Without it, the children contain the button. */
  submit?: string;
  tone?: "primary" | "plain" | "quiet" | "danger";
  /** True if the button is as wide as the form. */
  wide?: boolean;
  /** The path of the link "Cancel". */
  cancel?: string;
  children?: Child;
}

/** A form that makes a change. Renders nothing if the user's role in the account doesn't allow the change. */
export function PostForm(props: PostFormProps) {
  const { action, class: className, confirm, label, swap, errors, hidden = {} } = props;
  const { submit, tone, wide, cancel, children } = props;
  const { role } = useSelection();
  if (!maySend(role, action)) return null;
  const button = submit === undefined ? null : <SubmitButton label={submit} tone={tone} wide={wide} />;
  return (
    <form method="post" action={action} class={className} aria-label={label} data-confirm={confirm} data-swap={swap}>
      <ShownAccount action={action} />
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <WithErrors errors={errors}>{children}</WithErrors>
      {cancel === undefined ? (
        button
      ) : (
        <div class="row">
          {button}
          <LinkButton href={cancel} tone="quiet" label="Cancel" />
        </div>
      )}
    </form>
  );
}

interface PostButtonProps extends Pick<PostFormProps, "action" | "confirm" | "hidden"> {
  label: string;
  /** The object of the action. Only screen readers get it. */
  about?: string;
  tone?: "primary" | "quiet" | "danger";
  small?: boolean;
}

export function PostButton({ label, about, tone = "quiet", small = true, ...form }: PostButtonProps) {
  return (
    <PostForm {...form} class="inline">
      <SubmitButton label={label} about={about} tone={tone} small={small} />
    </PostForm>
  );
}

/**
 * The hidden fields with the account and the mode that the page shows. The service refuses the form if the user has
 * selected another account or mode in the meantime, for example in another tab.
 */
export function ShownAccount({ action }: { action: string }) {
  const { account, mode } = useSelection();
  if (account === undefined || !isAccountAction(action)) return null;
  return (
    <>
      <input type="hidden" name={ACCOUNT_FIELD} value={account.id} />
      {isModeAction(action) ? <input type="hidden" name={MODE_FIELD} value={mode} /> : null}
    </>
  );
}

/** Renders the children if the user's role in the account allows forms to the action. Otherwise renders `otherwise`. */
export function Permitted({ action, otherwise, children }: { action: string; otherwise?: Child; children?: Child }) {
  const { role } = useSelection();
  return <>{maySend(role, action) ? children : otherwise}</>;
}

/** Returns the selected account, the mode, and the user's role. All are undefined on pages without an account. */
function useSelection(): Partial<Pick<DashboardEnv["Variables"], "account" | "mode" | "role">> {
  const c = useContext(RequestContext) as DashboardContext | null;
  return c?.var ?? {};
}

/** Renders parts of a page that a script inserts into the page. */
export async function renderParts(c: DashboardContext, parts: Child): Promise<Response> {
  return await c.html(<RequestContext.Provider value={c}>{parts}</RequestContext.Provider>);
}
