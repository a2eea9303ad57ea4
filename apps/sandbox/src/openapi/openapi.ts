/** The contract's table as an OpenAPI 3.1 document, generated from its schemas. */

import { type Endpoint, pathParameters, idSchemas } from "@catalog/contract";
import * as z from "zod";

/** Any JSON Schema, or part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The fields of an object, for query and path parameters. */
interface ObjectFields {
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

/** One row of the table with its name, such as "product.add", and every path that it answers. */
export interface DescribedRoute {
  readonly name: string;
  readonly endpoint: Endpoint<unknown, unknown>;
  readonly paths: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description?: string;
  readonly style?: "form";
  readonly explode?: boolean;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly JsonSchema[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: { readonly "application/json": { readonly schema: JsonSchema } };
  };
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: JsonSchema;
}

const ERROR_REFERENCE = { $ref: "#/components/responses/Refusal" };

const INTRODUCTION = [
  "Made from the contract's table. Every answer is an object with the one key data.",
  "Paths stand under each version prefix that the specification names for them.",
  "The specification shows no status codes and no bodies of failed requests: the ones here are the sandbox's own.",
].join(" ");

/** The document for the routes of a server. */
export function createOpenApi(routes: readonly DescribedRoute[], baseUrl: string): OpenApiDocument {
  const operations = routes.flatMap((route) =>
    route.paths.map((path, index) => [toTemplate(path), toOperation(route, index)] as const),
  );
  const byPath = Map.groupBy(operations, ([path]) => path);
  return {
    openapi: "3.1.0",
    info: { title: "Marketplace store API", version: "1.1", description: INTRODUCTION },
    servers: [{ url: baseUrl }],
    tags: [...new Set(routes.map(({ endpoint }) => endpoint.section))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...byPath].map(([path, found]) => [
        path,
        Object.fromEntries(found.map(([, { method, operation }]) => [method, operation])),
      ]),
    ),
    components: COMPONENTS,
  };
}

/** "/brand/:id" -> "/brand/{id}" */
const toTemplate = (path: string): string => path.replaceAll(/:([A-Za-z]+)/gu, "{$1}");

interface PlacedOperation {
  readonly method: string;
  readonly operation: Operation;
}

/** Makes an operation; from the second version on, its id has the version appended. */
function toOperation({ name, endpoint }: DescribedRoute, index: number): PlacedOperation {
  const { method, summary, section, permission, versions } = endpoint;
  return {
    method: method.toLowerCase(),
    operation: {
      operationId: index === 0 ? name : `${name}.${versions[index]}`,
      summary,
      description: describe(endpoint),
      tags: [section],
      security: permission === "none" ? [] : [{ accessToken: [] }],
      parameters: toParameters(endpoint),
      ...(method === "POST" && { requestBody: toBody(endpoint) }),
      responses: {
        "200": {
          description: "Done, or read",
          content: { "application/json": { schema: toAnswer(endpoint) } },
        },
        default: ERROR_REFERENCE,
      },
    },
  };
}

function describe({ permission, effect, paging }: Endpoint<unknown, unknown>): string {
  const grants = {
    none: "Needs no token.",
    general: "A general service: the platform grants it.",
    store: "A store service: the store's owner grants it.",
  };
  const effects = {
    read: "Changes nothing.",
    set: "Sending it again ends in the same state.",
    create: "Sending it again does it twice: there is no idempotency key.",
  };
  const size =
    paging === undefined
      ? []
      : [`Pages of ${paging.defaultSize}, at most ${paging.maxSize ?? "as many as asked for"}.`];
  return [grants[permission], effects[effect], ...size].join(" ");
}

function toParameters(endpoint: Endpoint<unknown, unknown>): readonly Parameter[] {
  const { properties, required } = toFields(endpoint.input);
  const inPath = pathParameters(endpoint);
  const path = inPath.map((name) => ({
    name,
    in: "path" as const,
    required: true,
    schema: properties[name] ?? toJsonSchema(idSchemas.store),
  }));
  if (endpoint.method === "POST") return path;
  const query = Object.entries(properties)
    .filter(([name]) => !inPath.includes(name))
    .map(([name, schema]) => toQueryParameter(name, schema, required.includes(name)));
  return [...path, ...query];
}

/** Lists are sent as one text with commas. */
function toQueryParameter(name: string, field: JsonSchema, required: boolean): Parameter {
  const { description, ...schema } = field;
  return {
    name,
    in: "query",
    required,
    ...(typeof description === "string" && { description }),
    ...(schema["type"] === "array" && { style: "form" as const, explode: false }),
    schema,
  };
}

function toBody({ input }: Endpoint<unknown, unknown>): NonNullable<Operation["requestBody"]> {
  return { required: true, content: { "application/json": { schema: toJsonSchema(input) } } };
}

const toAnswer = ({ data }: Endpoint<unknown, unknown>): JsonSchema => ({
  type: "object",
  required: ["data"],
  properties: { data: toJsonSchema(data) },
});

const COMPONENTS: JsonSchema = {
  securitySchemes: {
    accessToken: {
      type: "apiKey",
      in: "query",
      name: "access_token",
      description: "From POST /app/auth/access; valid for six hours, for one IP address.",
    },
  },
  responses: {
    Refusal: {
      description:
        "Refused: 400 input, 401 token, 403 permission, 404 unknown, 409 state, 429 quota",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
    },
  },
  schemas: {
    Refusal: {
      type: "object",
      required: ["data"],
      properties: {
        data: {
          type: "object",
          required: ["status", "message", "message_tr"],
          properties: {
            status: { enum: [false, "error"] },
            message: { type: "string" },
            message_tr: { type: "string" },
          },
        },
      },
    },
  },
};
