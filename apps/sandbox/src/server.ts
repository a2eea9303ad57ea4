/** The HTTP side: a route for every row of the table and version; whatever fails is a refusal. */

import { type Endpoint } from "@catalog/contract";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

import { type Gate } from "./gate.ts";
import { addInspection, type InspectionOptions } from "./inspection.ts";
import { addDocuments } from "./openapi/add-documents.ts";
import { parseQuery } from "./query.ts";
import { createMissingRefusal, type Message, parseInput, Refusal } from "./refusal.ts";
import { type Route } from "./route-table.ts";

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly inspection: InspectionOptions;
}

const BODY_LIMIT_BYTES = 1024 * 1024;
const SANDBOX_HEADER = "x-sandbox";

interface Parameters {
  readonly Params: Readonly<Record<string, unknown>>;
  readonly Querystring: Readonly<Record<string, unknown>>;
}

/** A server that is not listening yet. */
export function createServer({ routes, gate, inspection }: ServerOptions): FastifyInstance {
  const server = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    logger: false,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, _, reply) => sendRefusal(reply, toRefusal(error)),
  });
  // A request that has arrived is carried out even if its sender is gone, as behind a real gateway.
  Object.assign(server.server, { httpAllowHalfOpen: true });
  server.removeContentTypeParser("text/plain");
  server.addHook("onRequest", async (_, reply) => {
    reply.header(SANDBOX_HEADER, "1");
  });
  server.setErrorHandler((error, _, reply) => sendRefusal(reply, toRefusal(error)));
  server.setNotFoundHandler(async () => {
    await gate.enter(undefined);
    throw createMissingRefusal({ en: "Path", tr: "Adres" });
  });
  addInspection(server, inspection);
  addDocuments(server, routes);
  for (const route of routes) addRoute(server, gate, route);
  return server;
}

/** Token and store are checked before the body is read, so a refused caller learns nothing of it. */
function addRoute(server: FastifyInstance, gate: Gate, { name, ...route }: Route): void {
  const { endpoint, handler, paths } = route;
  for (const url of paths) {
    server.route<Parameters>({
      method: endpoint.method,
      url,
      onRequest: async ({ query, params, ip }) => {
        await gate.enter(name);
        const accessToken = query["access_token"];
        gate.authorize(endpoint.permission, { accessToken, ip, storeId: params["storeId"] });
      },
      handler: async (request) => {
        const input = parseInput(endpoint.input, readInput(endpoint, request));
        return { data: handler.answer(input, { ip: request.ip }) };
      },
    });
  }
}

/** Path parameters win over a query or body field of the same name. */
function readInput(
  { method, input }: Endpoint<unknown, unknown>,
  { params, query, body }: FastifyRequest<Parameters>,
): unknown {
  const inPath = parseQuery(input, params);
  if (method === "GET") return { ...parseQuery(input, query), ...inPath };
  const isFields = typeof body === "object" && body !== null && !Array.isArray(body);
  return isFields ? { ...body, ...inPath } : body;
}

const STATUS_MESSAGES_TR: Readonly<Record<number, string>> = {
  400: "İstek okunamadı",
  413: "İstek gövdesi çok büyük",
  415: "İstek gövdesi JSON olmalı",
  500: "Beklenmeyen bir hata oluştu",
};

/** Errors of the server itself carry an HTTP status; anything else is our bug. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const en = error instanceof Error ? error.message : String(error);
  const httpStatus =
    error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
      ? error.statusCode
      : 500;
  const message: Message = { en, tr: STATUS_MESSAGES_TR[httpStatus] ?? "İstek geçersiz" };
  return new Refusal({ httpStatus, message });
}

function sendRefusal(reply: FastifyReply, refusal: Refusal): void {
  const { httpStatus, headers, status, message, messageTr } = refusal;
  void reply
    .code(httpStatus)
    .headers({ ...headers, [SANDBOX_HEADER]: "1" })
    .send({ data: { status, message, message_tr: messageTr } });
}
