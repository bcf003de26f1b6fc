import type { Child } from "hono/jsx";
import type { DashboardContext } from "../ui/env";
import { type FormErrors, WithErrors } from "../ui/form";

interface SignPage {
  title: string;
  errors?: FormErrors | undefined;
  /** The links below the content. Omits null entries. */
  links?: readonly (readonly [href: string, label: string] | null)[];
}

/** Renders a page without navigation, such as the sign-in page. */
export async function renderSignPage(c: DashboardContext, page: SignPage, content: Child): Promise<Response> {
  const { title, errors, links = [] } = page;
  return await c.render(
    <section class="card sign">
      <h1>{title}</h1>
      <WithErrors errors={errors}>{content}</WithErrors>
      {links.length === 0 ? null : (
        <p class="alternatives">{links.map((link) => (link === null ? null : <a href={link[0]}>{link[1]}</a>))}</p>
      )}
    </section>,
    { title, bare: true },
  );
}

/** Returns the path of a sign-in page, which redirects to `to` after the sign-in. */
export function toSignPath(page: "sign-in" | "sign-up", to: string | undefined): string {
  return `/dashboard/${page}${to ? `?to=${encodeURIComponent(to)}` : ""}`;
}
