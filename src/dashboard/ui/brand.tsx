import { type OperatorVariables, toBrand } from "../../model/operator";
import { Icon } from "./icon";

/** The logo and the name of the service, as a link. */
export function BrandLink({ env, href }: { env: OperatorVariables; href: string }) {
  const { name, logoUrl } = toBrand(env);
  return (
    <a class="brand" href={href}>
      {logoUrl === null ? <Icon name="logo" /> : <img src={logoUrl} alt="" height="28" />}
      <span>{name}</span>
    </a>
  );
}

/** The elements of a page's head that all pages share: viewport, title, icon, and the colors and type. */
export function BrandHead({ env, title }: { env: OperatorVariables; title: string }) {
  const { name, logoUrl, color } = toBrand(env);
  return (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title === name ? name : `${title} · ${name}`}</title>
      {logoUrl === null ? (
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      ) : (
        <link rel="icon" href={logoUrl} />
      )}
      <link rel="stylesheet" href="/dashboard/base.css" />
      {color === null ? null : <link rel="stylesheet" href={`/colors.css?${color.slice(1)}`} />}
    </>
  );
}
