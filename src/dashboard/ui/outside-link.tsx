import type { Child } from "hono/jsx";

/** A link to somewhere else that came from outside: only http and https lead anywhere, all else is shown as its text. */
export function OutsideLink({ href, title, children }: { href: string; title?: string | undefined; children: Child }) {
  const url = /^https?:\/\//i.test(href.trim()) ? URL.parse(href.trim()) : null;
  if (url === null) return <>{children}</>;
  return (
    <a href={url.href} title={title} rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
