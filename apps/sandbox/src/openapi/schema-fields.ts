/** A nested schema as a flat list of fields for a table. */

import { isObject, type JsonSchema } from "./json-schema.ts";

export interface SchemaField {
  /** "data.result[].id" */
  readonly path: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** Lists every field from the outside in; of alternatives the first one with fields. */
export function listFields(schema: JsonSchema, prefix = ""): readonly SchemaField[] {
  const inner = stripLists(schema, prefix);
  const { properties, required } = inner.schema;
  if (!isObject(properties)) return [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(properties).flatMap(([name, value]) => {
    const path = inner.path === "" ? name : `${inner.path}.${name}`;
    const own = isObject(value) ? value : {};
    const field: SchemaField = { path, required: needed.has(name), schema: own };
    return [field].concat(listFields(own, path));
  });
}

interface PlainSchema {
  readonly path: string;
  readonly schema: JsonSchema;
}

function stripLists(schema: JsonSchema, path: string): PlainSchema {
  const { items, anyOf } = schema;
  if (isObject(items)) return stripLists(items, `${path}[]`);
  if (!Array.isArray(anyOf)) return { path, schema };
  const found = anyOf
    .filter(isObject)
    .map((one) => stripLists(one, path))
    .find((one) => isObject(one.schema["properties"]));
  return found ?? { path, schema };
}

/** Names a type: "string (ProductId)", "array of integer", "string or null". */
export function nameType(schema: JsonSchema): string {
  const { type, title, items, anyOf } = schema;
  if (Array.isArray(anyOf)) return [...new Set(anyOf.filter(isObject).map(nameType))].join(" or ");
  if (type === "array") return `array of ${isObject(items) ? nameType(items) : "anything"}`;
  const name = Array.isArray(type) ? type.join(" or ") : type;
  if (typeof name !== "string") return Array.isArray(schema["enum"]) ? "value" : "anything";
  return typeof title === "string" ? `${name} (${title})` : name;
}
