/** The OpenAPI document as one self-contained HTML page: no script, no font, no network. */

import type { JsonSchema } from "./json-schema.ts";
import type { OpenApiDocument, Operation, Parameter } from "./openapi.ts";
import { listFields, nameType } from "./schema-fields.ts";
import { STYLE } from "./style.ts";

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
