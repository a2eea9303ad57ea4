/** Converts schemas of the contract to JSON Schema that people and generators can read. */

import * as z from "zod";

/** Any JSON Schema, or part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The fields of an object, for query and path parameters. */
export interface ObjectFields {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

const objectFields = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
});

/** The schema of what callers send or receive; rules between fields are not included. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return tidyObject(rest);
}

export function toFields(schema: z.ZodType): ObjectFields {
  return objectFields.parse(toJsonSchema(schema));
}

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  return isObject(value) ? tidyObject(value) : value;
}

function tidyObject(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([key, value]) => !saysNothing(key, value));
  const tidied = Object.fromEntries(entries.map(([key, value]) => [key, tidy(value)]));
  return withWholeNumbers(withValueList(tidied));
}

/**
 * Whether an entry can be dropped: the default bounds of whole numbers, and unrestricted extra
 * fields.
 */
function saysNothing(key: string, value: unknown): boolean {
  if (key === "additionalProperties") return isObject(value) && Object.keys(value).length === 0;
  return (
    (key === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
    (key === "maximum" && value === Number.MAX_SAFE_INTEGER)
  );
}

/** Turns alternatives that are constants into a list of values. */
function withValueList(schema: JsonSchema): JsonSchema {
  const { anyOf, const: only, ...rest } = schema;
  if (only !== undefined) return { ...rest, enum: [only] };
  if (!Array.isArray(anyOf)) return schema;
  const lists = anyOf.map((one) => (isObject(one) ? one["enum"] : undefined));
  if (!lists.every(Array.isArray)) return schema;
  const types = new Set(anyOf.map((one) => (isObject(one) ? one["type"] : undefined)));
  return { ...rest, ...(types.size === 1 && { type: [...types][0] }), enum: lists.flat() };
}

/** Names the type of a list of whole numbers "integer". */
function withWholeNumbers(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  const isWhole = type === "number" && Array.isArray(values) && values.every(Number.isInteger);
  return isWhole ? { ...schema, type: "integer" } : schema;
}

export function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
