import { type Child, useContext } from "hono/jsx";
import { RequestContext } from "hono/jsx-renderer";
import type { DashboardContext, DashboardEnv } from "./env";
import { isAccountAction, maySend } from "./permissions";

/** The field with the id of the account that a form's page shows. */
export const ACCOUNT_FIELD = "shown_account";

interface PostFormProps {
  action: string;
  class?: string;
  /** A question that a script shows before it sends the form. */
  confirm?: string | undefined;
  /** The accessible name of the form. */
  label?: string;
  /**
   * The ids of the elements that a script replaces with the elements of the response. Without it, the browser loads the
   * response as a page.
   */
  swap?: string;
  children?: Child;
}

/** A form that makes a change. Renders nothing if the user's role in the account doesn't allow the change. */
export function PostForm({ action, class: className, confirm, label, swap, children }: PostFormProps) {
  const { role } = useSelection();
  if (!maySend(role, action)) return null;
  return (
    <form method="post" action={action} class={className} aria-label={label} data-confirm={confirm} data-swap={swap}>
      <ShownAccount action={action} />
      {children}
    </form>
  );
}

/**
 * The hidden field with the id of the account that the page shows. The service refuses the form if the user has
 * selected another account in the meantime, for example in another tab.
 */
export function ShownAccount({ action }: { action: string }) {
  const { account } = useSelection();
  if (account === undefined || !isAccountAction(action)) return null;
  return <input type="hidden" name={ACCOUNT_FIELD} value={account.id} />;
}

/** Renders the children if the user's role in the account allows forms to the action. Otherwise renders `otherwise`. */
export function Permitted({ action, otherwise, children }: { action: string; otherwise?: Child; children?: Child }) {
  const { role } = useSelection();
  return <>{maySend(role, action) ? children : otherwise}</>;
}

/** Returns the selected account and the user's role in it. Both are undefined on pages without an account. */
function useSelection(): Partial<Pick<DashboardEnv["Variables"], "account" | "role">> {
  const c = useContext(RequestContext) as DashboardContext | null;
  return c?.var ?? {};
}

/** Renders parts of a page that a script inserts into the page. */
export async function renderParts(c: DashboardContext, parts: Child): Promise<Response> {
  return await c.html(<RequestContext.Provider value={c}>{parts}</RequestContext.Provider>);
}
