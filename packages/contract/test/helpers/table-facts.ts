/** Reads the endpoint table out of its schemas, in the form of the carried-over specification. */

import * as z from "zod";

import { type Endpoint, endpoints, OBJECT_ID_FORMAT } from "../../src/index.ts";
import type { Call, Kind, Parameter } from "./specification.ts";

const jsonSchema = z.looseObject({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  const: z.union([z.string(), z.number()]).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get items() {
    return jsonSchema.optional();
  },
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
});

type JsonSchema = z.infer<typeof jsonSchema>;

const objectSchema = z.object({
  properties: z.record(z.string(), jsonSchema).default({}),
  required: z.array(z.string()).default([]),
});

/** The whole table, in the form in which the specification was carried over. */
export function readTable(): readonly Call[] {
  const groups: readonly object[] = Object.values(endpoints);
  return groups.flatMap((group) => Object.values(group).map(toCall));
}

export function toCall(endpoint: Endpoint<unknown, unknown>): Call {
  const { method, path, versions, permission, paging } = endpoint;
  const { properties, required } = objectSchema.parse(z.toJSONSchema(endpoint.input));
  const parameters = Object.entries(properties).map(([name, schema]) => [
    name,
    toParameter(schema, { required: required.includes(name), inList: method === "GET" }),
  ]);
  const isPaged = paging !== undefined;
  return {
    method,
    path,
    versions,
    permission,
    paged: isPaged,
    parameters: Object.fromEntries(parameters),
  };
}

interface Place {
  readonly required: boolean;
  /** A list in a query is one text with commas. */
  readonly inList: boolean;
}

function toParameter(schema: JsonSchema, { required, inList }: Place): Parameter {
  const values = valuesOf(schema);
  const { default: value, minimum, maximum } = schema;
  return {
    kind: kindOf(schema, inList),
    required,
    ...(value !== undefined && { default: value }),
    // A schema of whole numbers always has bounds; the safe integer limits count as none.
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { min: minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { max: maximum }),
    ...(values.length > 0 && { values }),
  };
}

function valuesOf(schema: JsonSchema): readonly (string | number)[] {
  if (schema.enum !== undefined) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  return (schema.anyOf ?? []).flatMap((one) => (one.const === undefined ? [] : [one.const]));
}

function kindOf(schema: JsonSchema, inList: boolean): Kind {
  const values = valuesOf(schema);
  if (values.length > 0) return values.every(Number.isInteger) ? "Integer" : "String";
  if (schema.anyOf !== undefined) {
    return schema.anyOf.some(({ format }) => format === OBJECT_ID_FORMAT)
      ? "Array or ObjectId"
      : "Array or String";
  }
  if (schema.format === OBJECT_ID_FORMAT) return "ObjectId";
  if (schema.type === "array") return inList ? "ObjectId list" : "Array";
  const kinds = { string: "String", integer: "Integer", number: "Number", boolean: "Boolean" };
  const kind = Object.entries(kinds).find(([type]) => type === schema.type)?.[1];
  return toKind(kind);
}

const toKind = (text: string | undefined): Kind =>
  z.enum(["String", "Integer", "Number", "Boolean"]).parse(text);
