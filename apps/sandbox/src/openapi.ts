/**
 * The contract's table as an OpenAPI 3.1 document and as a page for people, generated from its
 * schemas.
 */

import { type Endpoint, idSchemas, pathParameters } from "@catalog/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";

import { lazy } from "./history.ts";

/** Any JSON Schema, or part of one. */
type JsonSchema = Readonly<Record<string, unknown>>;

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

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One row of the table with its name, such as "product.add", and every path that it answers. */
export interface DescribedRoute {
  readonly name: string;
  readonly endpoint: Endpoint<unknown, unknown>;
  readonly paths: readonly string[];
}

interface Parameter {
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

interface OpenApiDocument {
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

interface SchemaField {
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

/** Style of the docs page. */
const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --get: #1a7f37; --post: #9a5b00; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
h3 { margin: 1rem 0 .25rem; font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; }
code { font: 13px ui-monospace, monospace; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .75rem 0; border-block: 1px solid var(--line); }
details { margin: .4rem 0; border: 1px solid var(--line); border-radius: .4rem; }
summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .5rem .75rem; cursor: pointer; }
summary span { opacity: .75; }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--soft); }
details > div { padding: 0 .75rem .75rem; overflow-x: auto; }
b.get, b.post { min-width: 3.2rem; font-size: .8rem; }
b.get { color: var(--get); }
b.post { color: var(--post); }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-size: .8rem; font-weight: 600; opacity: .75; }
`;

/** An operation with all its paths, the first version first. */
interface DocumentedOperation {
  readonly method: string;
  readonly paths: readonly string[];
  readonly operation: Operation;
}

/** Renders the page; every text of the document is escaped. */
export function renderDocsPage(document: OpenApiDocument): string {
  const operations = collect(document);
  const sections = document.tags.map(({ name }) => ({
    name,
    own: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const menu = sections.map(({ name }) => `<a href="#${toAnchor(name)}">${escape(name)}</a>`);
  const bodies = sections.map(
    ({ name, own }) =>
      `<section id="${toAnchor(name)}"><h2>${escape(name)}</h2>${own.map(renderOperation).join("")}</section>`,
  );
  const { title, description } = document.info;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)}</title><style>${STYLE}</style></head><body>`,
    `<header><h1>${escape(title)}</h1><p>${escape(description)}</p>`,
    `<p>Base address <code>${escape(document.servers[0]?.url ?? "")}</code> · `,
    'the document itself: <a href="/openapi.json">/openapi.json</a></p>',
    `<nav>${menu.join("")}</nav></header>`,
    `<main>${bodies.join("")}</main></body></html>`,
  ].join("");
}

/** Groups the versions of one operation, whose ids differ only in an appended version. */
function collect({ paths }: OpenApiDocument): readonly DocumentedOperation[] {
  const all = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = Map.groupBy(all, ({ operation }) => withoutVersion(operation.operationId));
  return [...groups.values()].flatMap((versions) => {
    const [first] = versions;
    if (first === undefined) return [];
    const { method, operation } = first;
    return [{ method, operation, paths: versions.map(({ path }) => path) }];
  });
}

const withoutVersion = (id: string): string => id.replace(/\.v\d+\.\d+$/u, "");

function renderOperation({ method, paths, operation }: DocumentedOperation): string {
  const [first = "", ...others] = paths;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content["application/json"].schema;
  const also = others.map((path) => `Also under <code>${escape(path)}</code>.`).join(" ");
  return [
    `<details id="${escape(operationId)}"><summary><b class="${method}">${method.toUpperCase()}</b>`,
    `<code>${escape(first)}</code><span>${escape(summary)}</span></summary>`,
    `<div><p>${escape(description)} ${also}</p>`,
    parameters.length === 0 ? "" : `<h3>Parameters</h3>${renderParameters(parameters)}`,
    body === undefined ? "" : `<h3>Body</h3>${renderFields(body)}`,
    `<h3>Answer</h3>${renderFields(answerOf(responses))}</div></details>`,
  ].join("");
}

function renderParameters(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: location, required, description, schema }) => [
    `<code>${escape(name)}</code>`,
    location,
    escape(nameType(schema)),
    required ? "required" : "",
    renderNotes(schema, description),
  ]);
  return renderTable(["Name", "In", "Type", "", "Notes"], rows);
}

function renderFields(schema: JsonSchema): string {
  const fields = listFields(schema);
  if (fields.length === 0) return `<p>${escape(nameType(schema))}</p>`;
  const rows = fields.map(({ path, required, schema: field }) => [
    `<code>${escape(path)}</code>`,
    escape(nameType(field)),
    required ? "required" : "",
    renderNotes(field),
  ]);
  return renderTable(["Field", "Type", "", "Notes"], rows);
}

const NOTES = { default: "default", minimum: "from", maximum: "up to", minItems: "at least" };

function renderNotes(schema: JsonSchema, description = schema["description"]): string {
  const values = Array.isArray(schema["enum"]) ? [`one of ${schema["enum"].join(", ")}`] : [];
  const facts = Object.entries(NOTES).flatMap(([key, word]) =>
    schema[key] === undefined ? [] : [`${word} ${JSON.stringify(schema[key])}`],
  );
  const words = typeof description === "string" ? [description] : [];
  return escape([...words, ...values, ...facts].join(" · "));
}

function renderTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th>${text}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function answerOf(responses: Operation["responses"]): JsonSchema {
  const found = ["200", "content", "application/json", "schema"].reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined,
    responses,
  );
  return typeof found === "object" && found !== null ? { ...found } : {};
}

const toAnchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/gu, "-");

function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replaceAll(/[&<>"]/gu, (letter) => entities[letter] ?? letter);
}

/** Content security policy; the page loads nothing, so nothing is allowed. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Adds `/openapi.json` and `/docs`, which are generated at the first request. */
export function addDocuments(server: FastifyInstance, routes: readonly DescribedRoute[]): void {
  const made = lazy(() => createOpenApi(routes, ""));
  const forHost = ({ host, protocol }: FastifyRequest): OpenApiDocument => ({
    ...made(),
    servers: [{ url: `${protocol}://${host}` }],
  });

  server.get("/openapi.json", (request, reply) => reply.send(forHost(request)));

  server.get("/docs", (request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", POLICY)
      .send(renderDocsPage(forHost(request))),
  );
}
