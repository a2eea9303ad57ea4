import * as z from "zod";

/** A price in minor units: kuruş for TL, cent for USD and EUR (section Products, add). */
export type PriceMinor = number & z.$brand<"PriceMinor">;

/** Accepts whole minor units from 1 up to the largest integer that JSON numbers keep exact. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
export const priceMinor: z.ZodType<PriceMinor> = z
  .int()
  .positive() as unknown as z.ZodType<PriceMinor>;

/**
 * As large as a price can be for its hundredth part to be exact in a JSON number: 13 digits before
 * the point. More decimals than two are taken only where they are zeros.
 */
const DECIMAL_TEXT = /^-?\d{1,13}(?:\.\d{1,2}0{0,4})?$/u;

/**
 * A price in an answer. The specification says Number for most prices and shows none, so a text such
 * as "1299.90" is taken for the number that it writes; of which unit it is, neither of them says.
 * A comma, a separator between thousands or a sign of currency is refused: it could be misread.
 */
export const answeredPrice: z.ZodType<number> = z.union([
  z.number(),
  z.string().regex(DECIMAL_TEXT).transform(Number),
]);
