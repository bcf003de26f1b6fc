import type { PageScripts } from "./page-scripts/shared/script-types";

/** The source text of each page script: an expression whose value is the function. It has no imports. */
export declare const PAGE_SCRIPTS: { readonly [Name in keyof PageScripts]: string };
