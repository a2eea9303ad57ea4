import * as z from "zod";

import type { Branded } from "./ids.ts";

/** A price in minor units: kuruş for TL, cent for USD and EUR (section Products, add). */
export type PriceMinor = number & Branded<"PriceMinor">;

/** Accepts whole minor units from 1 up to the largest integer that JSON numbers keep exact. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
export const priceMinor: z.ZodType<PriceMinor> = z
  .int()
  .positive() as unknown as z.ZodType<PriceMinor>;

/**
 * At most 13 digits before the point, so that a JSON number keeps the price exact in hundredths;
 * decimals after the second must be zeros.
 */
const DECIMAL_TEXT = /^-?\d{1,13}(?:\.\d{1,2}0{0,4})?$/u;

/**
 * A price in an answer. The specification says Number for most prices, so a text such as "1299.90"
 * is read as the number that it writes; the unit is not stated. A comma, a thousands separator or a
 * currency sign is refused, because it could be misread.
 */
export const answeredPrice: z.ZodType<number> = z.union([
  z.number(),
  z.string().regex(DECIMAL_TEXT).transform(Number),
]);
