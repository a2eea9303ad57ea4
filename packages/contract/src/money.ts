import * as z from "zod";

/** A price in minor units: kuruş for TL, cent for USD and EUR (section Products, add). */
export type PriceMinor = number & z.$brand<"PriceMinor">;

/** Accepts whole minor units from 1 up to the largest integer that JSON numbers keep exact. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand's one constructor
export const priceMinor: z.ZodType<PriceMinor> = z
  .int()
  .positive() as unknown as z.ZodType<PriceMinor>;
