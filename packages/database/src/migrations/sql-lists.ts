/** Lists of constants in statements. */

export const inList = (values: Iterable<string>): string =>
  [...new Set(values)].map((value) => `'${value}'`).join(", ");

export const toValues = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `(${row.map((value) => `'${value}'`).join(", ")})`).join(", ");
