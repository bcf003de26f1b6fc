import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERROR_REFERENCE_PATH } from "../contract/error-codes";
import { BrandHead, BrandLink } from "../dashboard/ui/brand";
import { isStartedLocally, toOrigin } from "../lib/env";
import type { AppEnv } from "../model/env";
import {
  DEFAULT_NAME,
  isSignUpOpen,
  type OperatorVariables,
  toBrand,
  toLogoSource,
  toOperatorLinks,
} from "../model/operator";

type PageEnv = OperatorVariables & Pick<Env, "PUBLIC_URL" | "SIGNUP" | "LOCAL_RECEIVERS">;

interface PageContent {
  /** The title of the browser tab. */
  title: string;
  /** The description for search engines and previews of links. */
  description: string;
  /** The path of the page without a query, such as `/status`. */
  path: string;
  children: Child;
  /** More elements of the head, such as style sheets. */
  head?: Child;
  /** True if search engines must not list the page. It then has no address for previews. */
  hidden?: boolean;
  /** `article` is one column for reading. `wide` is as wide as the header. */
  width?: "article" | "wide";
  /** True if the content has its own `main` element. */
  hasMain?: boolean;
}

interface PublicPageProps extends PageContent {
  env: PageEnv;
  /** The origin of the service, for previews of links. */
  origin: string;
}

/** The public pages and files, for the footer, the sitemap and the JSON answer of `/`. */
export const LINKS = [
  { name: "docs", path: "/docs", text: "Docs" },
  { name: "status", path: "/status", text: "Status" },
  { name: "changelog", path: "/changelog", text: "Changelog" },
  { name: "errors", path: ERROR_REFERENCE_PATH, text: "Errors" },
  { name: "openapi", path: "/openapi.json", text: "OpenAPI" },
  { name: "llms", path: "/llms.txt", text: "llms.txt" },
] as const;

const HEADER_LINKS = [{ path: "/#prices", text: "Pricing" }, ...LINKS.slice(0, 3)];

/** The document of a public page. It works without scripts. */
function PublicPage(props: PublicPageProps) {
  const { env, title, description, path, children, head, width, hasMain = false } = props;
  const Main = hasMain ? "div" : "main";
  return (
    <html lang="en">
      <head>
        <BrandHead env={env} title={title} />
        <meta name="description" content={description} />
        <Preview {...props} />
        <link rel="stylesheet" href="/website/page.css" />
        {head}
      </head>
      <body class="public">
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <BrandLink env={env} href="/" />
          <nav aria-label="Main">
            {HEADER_LINKS.map((link) => (
              <a href={link.path} aria-current={isWithin(path, link.path) ? "page" : undefined}>
                {link.text}
              </a>
            ))}
          </nav>
          <div class="entry">
            <a href="/dashboard">Dashboard</a>
            {isSignUpOpen(env) && !isStartedLocally(env) ? (
              <a class="button primary small" href="/dashboard/sign-up">
                Sign up
              </a>
            ) : null}
          </div>
        </header>
        <Main id="main" class={width ?? "article"}>
          {children}
        </Main>
        <Footer env={env} />
      </body>
    </html>
  );
}

/** The elements of the head for search engines and for previews of links. */
function Preview({ env, origin, title, description, path, hidden = false }: PublicPageProps) {
  if (hidden) return <meta name="robots" content="noindex" />;
  const url = `${origin}${path}`;
  const { name, logoUrl, color } = toBrand(env);
  const about = { title, description, url, type: "website", site_name: name };
  // The picture has the default name, logo and color.
  const hasPicture = name === DEFAULT_NAME && logoUrl === null && color === null;
  return (
    <>
      <link rel="canonical" href={url} />
      {Object.entries(about).map(([key, content]) => (
        <meta property={`og:${key}`} content={content} />
      ))}
      {hasPicture ? <meta property="og:image" content={`${origin}/website/preview.png`} /> : null}
      <meta name="twitter:card" content={hasPicture ? "summary_large_image" : "summary"} />
    </>
  );
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

function Footer({ env }: { env: PageEnv }) {
  const { support, terms } = toOperatorLinks(env);
  return (
    <footer class="bottom">
      <p>{toBrand(env).name}</p>
      <nav aria-label="More">
        {LINKS.map(({ path, text }) => (
          <a href={path}>{text}</a>
        ))}
        {support === null ? null : <a href={support}>Support</a>}
        {terms === null ? null : <a href={terms}>Terms</a>}
      </nav>
    </footer>
  );
}

interface Policy {
  /** Allows the scripts of this service, which can only call this service. */
  scripts?: boolean;
  /** Allows styles in the page. */
  inlineStyles?: boolean;
}

/** Returns the Content-Security-Policy of a public page. */
function toPolicy(env: OperatorVariables, { scripts = false, inlineStyles = false }: Policy): string {
  return [
    "default-src 'none'",
    `style-src 'self'${inlineStyles ? " 'unsafe-inline'" : ""}`,
    `img-src 'self' data: ${toLogoSource(env)}`.trim(),
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join("; ");
}

/** Browsers and proxies may reuse a public page for five minutes. */
export const CACHE_CONTROL = "public, max-age=300";

/** Responds with a public page. A handler can set another Cache-Control before. */
export function respondWithPage(
  c: Context<AppEnv>,
  content: PageContent,
  { status = 200, ...policy }: { status?: ContentfulStatusCode } & Policy = {},
): Response {
  const page = <PublicPage env={c.env} origin={toOrigin(c.env, c.req.url)} {...content} />;
  c.header("Content-Security-Policy", toPolicy(c.env, policy));
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", CACHE_CONTROL);
  return c.html(`<!doctype html>${page}`, status);
}
