/** Query fields that several listings share, each with what the specification states of it. */

import * as z from "zod";

import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, SORT_ORDERS, type SortOrder } from "./limits.ts";

/**
 * An optional field with the default that the specification states. The default is declared in the
 * schema and not filled in, so that a request holds only what the caller gave.
 */
export function withDefault<Schema extends z.ZodType>(
  schema: Schema,
  value: string | number | boolean,
): z.ZodOptional<Schema> {
  return z.optional(schema).meta({ default: value });
}

const LIMIT_TEXT = "Elements a page";

/** `limit` of a listing that states a maximum. */
export const limit: z.ZodOptional<z.ZodInt> = withDefault(
  z.int().min(1).max(MAX_PAGE_SIZE),
  DEFAULT_PAGE_SIZE,
).meta({ default: DEFAULT_PAGE_SIZE, description: LIMIT_TEXT });

/** `limit` of a listing that states no maximum. */
export const limitWithoutMaximum: z.ZodOptional<z.ZodInt> = withDefault(
  z.int().min(1),
  DEFAULT_PAGE_SIZE,
).meta({ default: DEFAULT_PAGE_SIZE, description: LIMIT_TEXT });

export const page: z.ZodOptional<z.ZodInt> = withDefault(z.int().min(1), 1).meta({
  default: 1,
  description: "Counted from 1",
});

/** A time in a query: a UNIX timestamp in whole seconds. */
export const timestamp: z.ZodOptional<z.ZodInt> = z
  .int()
  .optional()
  .meta({ description: "UNIX timestamp in seconds" });

export const sortOrder: z.ZodOptional<z.ZodEnum<{ [Order in SortOrder]: Order }>> = withDefault(
  z.enum(SORT_ORDERS),
  "descending",
);

/** A switch whose only value is 1; leaving it out turns it off. */
export const switchedOn: z.ZodOptional<z.ZodLiteral<1>> = z.literal(1).optional();

/** A `Date` in an answer: its format is not stated. */
export type Moment = string | number;

export const moment: z.ZodType<Moment> = z.union([z.string(), z.number()]);
