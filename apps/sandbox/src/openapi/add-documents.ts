/** Serves the OpenAPI document and its page: without token, quota or version, and not counted. */

import type { FastifyInstance, FastifyRequest } from "fastify";

import { lazy } from "../lazy.ts";
import { renderDocsPage } from "./docs-page.ts";
import { createOpenApi, type DescribedRoute, type OpenApiDocument } from "./openapi.ts";

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
