/** The OpenAPI document as a page to read, and the routes that serve both. */

import type { FastifyInstance, FastifyRequest } from "fastify";

import { lazy } from "../lazy.ts";
import {
  createOpenApi,
  type DescribedRoute,
  isObject,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from "./openapi.ts";

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
