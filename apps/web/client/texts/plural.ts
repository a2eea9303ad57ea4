/** Counts with their noun. */

const rules = new Intl.PluralRules("en-GB");
const numbers = new Intl.NumberFormat("en-GB");

/** "1 row", "2,000 rows". */
export const countEn =
  (one: string, other: string): ((count: number) => string) =>
  (count) =>
    `${numbers.format(count)} ${rules.select(count) === "one" ? one : other}`;
