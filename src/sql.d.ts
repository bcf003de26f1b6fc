/** Wrangler imports a file of SQL as a text. */
declare module "*.sql" {
  const text: string;
  export default text;
}
