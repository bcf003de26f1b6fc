type Column = "account_id" | "mode" | "key_id" | "status" | "endpoint" | "+endpoint";

/** The condition that each column has its value, and what to bind for it from ?1 on; undefined: any value will do. */
export function toWhere(wanted: readonly (readonly [column: Column, value: string | undefined])[]): {
  where: string;
  values: string[];
} {
  const given = wanted.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  return {
    where: given.map(({ column }, at) => `${column} = ?${at + 1}`).join(" AND "),
    values: given.map(({ value }) => value),
  };
}
