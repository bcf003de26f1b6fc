// The package has types, but its `exports` don't name them.
declare module "numfmt" {
  interface FormatOptions {
    throws: boolean;
    nbsp: boolean;
    skipChar: string;
    fillChar: string;
  }
  export function format(pattern: string, value: number, options: FormatOptions): string;
  export function isDateFormat(pattern: string): boolean;
}
