/** The description of the interface for programs: as OpenAPI 3.1, and as a page to read. */

import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { needs } from "../needs.ts";
import { NOTHING, type RouteFacts } from "./route.ts";
import { DOCUMENTS } from "./schemas.ts";

interface DescriptionOptions {
  readonly routes: readonly RouteFacts[];
  readonly version: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Failures that any request may meet. */
const FAILURES: Readonly<Record<string, string>> = {
  400: "The request was not understood",
  401: "There is no key, or it has ended",
  403: "The role of the key is not enough, or somebody else must approve",
  404: "There is no such store, run, export or schedule for this key",
  409: "It has changed meanwhile, or the same request is being carried out",
  413: "The body is too large",
  422: "The same Idempotency-Key came with another body",
  423: "The store is at work",
  429: "Too many requests of this key; Retry-After says when",
  503: "The database or the marketplace is away",
};

const RUN_STATES_TEXT = [
  "Planning is free: nothing is sent until a plan is approved.",
  "POST takes an Idempotency-Key: for 24 hours the same key and body get the same answer,",
  "another body is refused (422), and a request that is still carried out as well (409).",
  "Keys are made by an administrator, for one store and role. Cookies are not accepted.",
  "Failures are application/problem+json with a stable code. Texts are English,",
  "or Turkish with Accept-Language: tr.",
].join(" ");

/** Makes the document. */
export function toOpenApi({ routes, version }: DescriptionOptions): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of [KEY_ROUTE, ...routes]) {
    const path = `/v1${route.path}`;
    paths[path] = { ...paths[path], [route.method]: toOperation(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Catalog toolkit", version: `1 (${version})`, description: RUN_STATES_TEXT },
    paths,
    components: { schemas: toComponents(), securitySchemes: { key: SECURITY } },
    security: [{ key: [] }],
  };
}

const SECURITY: Json = { type: "http", scheme: "bearer", description: "A key of a store: ctk_…" };

const KEY_ROUTE: RouteFacts = {
  method: "get",
  path: "/key",
  id: "readKey",
  needs: "viewer",
  summary: "What the key of the request may do, and in which store",
  query: NOTHING,
  body: NOTHING,
  answers: { 200: "Key" },
};

const addressOf = (name: string): string => `#/components/schemas/${name}`;

function toComponents(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(DOCUMENTS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: addressOf,
    io: "output",
    unrepresentable: "any",
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [id, withoutMeta(schema)]),
  );
}

const withoutMeta = ({ $schema: _schema, $id: _id, ...rest }: Json): Json => rest;

const toInput = (schema: z.ZodType): Json =>
  withoutMeta(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));

function toOperation(route: RouteFacts): Json {
  const { id, summary, body, takesFile = false, needs: role, method } = route;
  const isRead = body === NOTHING;
  const json = { "application/json": { schema: isRead ? {} : toInput(body) } };
  const file = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  return {
    operationId: id,
    summary,
    description: `Role: ${role}.`,
    "x-role": role,
    tags: [route.path.split("/")[3] ?? "key"],
    parameters: [...toPathParameters(route.path), ...toQueryParameters(route), ...toHeaders(route)],
    ...(!isRead && {
      requestBody: {
        required: !takesFile && !body.safeParse(undefined).success,
        content: { ...json, ...(takesFile && file) },
      },
    }),
    responses: { ...toAnswers(route), ...toFailures(method) },
  };
}

const PATH_TEXTS: Readonly<Record<string, string>> = {
  store: "Name of the store, as in the address of its page",
  run: "Id of the run, such as r-261121-0930-4f2a",
};

const toPathParameters = (path: string): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    description: PATH_TEXTS[name] ?? `Id of the ${name}`,
  }));

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
});

function toQueryParameters({ query }: RouteFacts): readonly Json[] {
  if (query === NOTHING) return [];
  const { properties, required } = objectSchema.parse(toInput(query));
  return Object.entries(properties).map(([name, { description = "", ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
    description,
  }));
}

const REPEAT_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Named by the program; the same key and body get the same answer for 24 hours",
  schema: { type: "string", maxLength: 200 },
};

const PREFER: Json = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "wait=10 waits up to 10 seconds (60 at most) for the plan",
  schema: { type: "string" },
};

const toHeaders = ({ method, takesFile = false }: RouteFacts): readonly Json[] => [
  ...(method === "post" ? [REPEAT_KEY] : []),
  ...(takesFile ? [PREFER] : []),
];

const ANSWERS: Readonly<Record<string, string>> = {
  200: "Done",
  201: "Made",
  202: "Begun; the document says how far it is",
  204: "Done",
};

const refTo = (name: string): Json => ({ $ref: addressOf(name) });

function toAnswers({ answers, type }: RouteFacts): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, name]) => [
      status,
      { description: ANSWERS[status] ?? "", ...toContent(name, type) },
    ]),
  );
}

function toContent(name: string | null | undefined, type: RouteFacts["type"]): Json {
  if (type === "application/octet-stream") {
    return { content: { [type]: { schema: { type: "string", format: "binary" } } } };
  }
  if (name === null || name === undefined) return {};
  if (type === "text/event-stream") {
    return { content: { [type]: { schema: { type: "string", description: `data: a ${name}` } } } };
  }
  return { content: { "application/json": { schema: refTo(name) } } };
}

const toFailures = (method: string): Json =>
  Object.fromEntries(
    Object.entries(FAILURES)
      .filter(([status]) => method !== "get" || status !== "422")
      .map(([status, description]) => [
        status,
        { description, content: { "application/problem+json": { schema: refTo("Problem") } } },
      ]),
  );

/** Adds `/v1/openapi.json` and `/v1/docs`, which need no key: they tell nothing of any store. */
export function addDescription(app: FastifyInstance, options: DescriptionOptions): void {
  const document = JSON.stringify(toOpenApi(options));
  const page = toPage(options);
  app.get("/openapi.json", needs("open"), async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(document),
  );
  app.get("/docs", needs("open"), async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(page),
  );
  app.get("/docs.css", needs("open"), async (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(STYLE),
  );
}

const escape = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** A page without scripts, which loads its style from here and nothing from elsewhere. */
function toPage({ routes, version }: DescriptionOptions): string {
  const components = Object.entries(toComponents());
  const sections = [KEY_ROUTE, ...routes].map(toSection).join("\n");
  const documents = components
    .map(([name, schema]) => {
      const json = escape(JSON.stringify(schema, null, 2));
      return `<details id="${name}"><summary>${name}</summary><pre>${json}</pre></details>`;
    })
    .join("\n");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Catalog toolkit: /v1</title><link rel="stylesheet" href="/v1/docs.css"></head>
<body><main><h1>Interface for programs <small>/v1, ${escape(version)}</small></h1>
<p>${escape(RUN_STATES_TEXT)}</p>
<p>As <a href="/v1/openapi.json">OpenAPI 3.1</a>. Each request: <code>Authorization: Bearer ctk_…</code></p>
${EXAMPLE}
<h2>Requests</h2>
${sections}
<h2>Documents</h2>
${documents}
</main></body></html>
`;
}

const EXAMPLE = `<pre>curl -H "Authorization: Bearer $KEY" -H "Prefer: wait=30" -H "Idempotency-Key: $(uuidgen)" \\
  --data-binary @products.xlsx -H "Content-Type: application/octet-stream" \\
  "https://…/v1/stores/kitchen/plans?name=products.xlsx"</pre>`;

function toSection(route: RouteFacts): string {
  const query = toQueryParameters(route).map(
    ({ name, description = "" }) =>
      `<li><code>${escape(String(name))}</code> ${escape(String(description))}</li>`,
  );
  const body = route.body === NOTHING ? "" : escape(JSON.stringify(toInput(route.body), null, 2));
  const answers = Object.entries(route.answers).map(([status, name]) => {
    const document = name ? `<a href="#${name}">${name}</a>` : "";
    return `<li>${status} ${document}</li>`;
  });
  return `<section><h3><b>${route.method.toUpperCase()}</b> <code>/v1${escape(route.path)}</code></h3>
<p>${escape(route.summary)}. <i>${route.needs}</i></p>
${query.length > 0 ? `<ul>${query.join("")}</ul>` : ""}
${body === "" ? "" : `<details><summary>Body</summary><pre>${body}</pre></details>`}
<ul>${answers.join("")}</ul></section>`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;color:#1d2330;background:#fff;margin:0}
main{max-width:56rem;margin:0 auto;padding:1.5rem}
pre{background:#f4f6f9;padding:.75rem;overflow:auto;border-radius:6px}
section{border-top:1px solid #dfe3ea;padding:.5rem 0}
h3{font-size:1rem;margin:.5rem 0}small{color:#566}b{color:#0b57d0}
@media (prefers-color-scheme:dark){body{color:#e6e9ef;background:#14171d}pre{background:#1f242d}
section{border-color:#333a46}b,a{color:#8ab4f8}small{color:#a7b0be}}
`;
