/**
 * The HTTP server: a route for every row of the table and version; every error becomes a refusal.
 */

import { type Endpoint } from "@catalog/contract";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

import { addInspection, type InspectionOptions } from "../admin/admin-routes.ts";
import {
  findInputViolations,
  findPathViolation,
  findRequestViolations,
  findUndocumentedFields,
} from "../admin/find-violations.ts";
import { type ViolationBook } from "../admin/violation-log.ts";
import { type Personality } from "../behavior/behavior-settings.ts";
import { shapeAnswer } from "../behavior/shape-answer.ts";
import { shapeRefusal } from "../behavior/shape-refusal.ts";
import { answerWithFaults, type FaultTime } from "../faults/commit-fault.ts";
import { type FaultPlan } from "../faults/fault-plan.ts";
import { addDocuments } from "../openapi/add-documents.ts";
import { parseQuery } from "./query.ts";
import { createMissingRefusal, parseInput, type Refusal, toRefusal } from "./refusal.ts";
import { type Gate } from "./request-checks.ts";
import { type Route } from "./route-table.ts";

export interface ServerOptions {
  readonly routes: readonly Route[];
  readonly gate: Gate;
  readonly inspection: InspectionOptions;
  readonly personality: Personality;
  readonly faults: FaultPlan;
  readonly book: ViolationBook;
  readonly time: FaultTime;
}

const BODY_LIMIT_BYTES = 1024 * 1024;
const SANDBOX_HEADER = "x-sandbox";

interface Parameters {
  readonly Params: Readonly<Record<string, unknown>>;
  readonly Querystring: Readonly<Record<string, unknown>>;
}

/** Creates a server that does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { routes, gate, inspection, book, personality } = options;
  const refuse = (error: unknown, reply: FastifyReply): void =>
    sendRefusal(reply, toRefusal(error), personality);
  const server = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    logger: false,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, _, reply) => refuse(error, reply),
  });
  // A received request is carried out even if its sender has disconnected, as behind a real
  // gateway.
  Object.assign(server.server, { httpAllowHalfOpen: true });
  server.removeContentTypeParser("text/plain");
  server.addHook("onRequest", async (_, reply) => {
    reply.header(SANDBOX_HEADER, "1");
    setDate(reply, options);
  });
  server.setErrorHandler((error, _, reply) => refuse(error, reply));
  server.setNotFoundHandler(async ({ method, url }) => {
    book.note(findPathViolation({ method, path: url.split("?")[0] ?? "" }, routes));
    await gate.enter(undefined);
    throw createMissingRefusal({ en: "Path", tr: "Adres" });
  });
  addInspection(server, inspection);
  addDocuments(server, routes);
  for (const route of routes) addRoute(server, route, options);
  return server;
}

/**
 * Token and store are checked before the body is read, so that a refused caller learns nothing
 * about it.
 */
function addRoute(server: FastifyInstance, route: Route, options: ServerOptions): void {
  const { name, endpoint, paths } = route;
  const { gate, book, faults, time } = options;
  for (const url of paths) {
    server.route<Parameters>({
      method: endpoint.method,
      url,
      onRequest: async ({ query, params, ip, headers }) => {
        book.note(findRequestViolations(name, endpoint, { headers, query }));
        await gate.enter(name);
        const accessToken = query["access_token"];
        gate.authorize(endpoint.permission, { accessToken, ip, storeId: params["storeId"] });
      },
      handler: (request, reply) => {
        const raw = readInput(endpoint, request);
        book.note(findInputViolations(name, endpoint, raw));
        book.noteUndocumented(name, findUndocumentedFields(name, endpoint, request.body));
        const answer = (): unknown => answerRoute(route, { raw, ip: request.ip }, options);
        return answerWithFaults(faults.next(name), { reply, answer }, time);
      },
    });
  }
}

interface Asked {
  readonly raw: unknown;
  readonly ip: string;
}

function answerRoute(route: Route, { raw, ip }: Asked, { personality }: ServerOptions): unknown {
  const { name, endpoint, handler } = route;
  const input = parseInput(endpoint.input, raw);
  const answer = (given: unknown): unknown => handler.answer(given, { ip });
  return { data: shapeAnswer({ name, endpoint, input, answer }, personality) };
}

/** Path parameters override query or body fields of the same name. */
function readInput(
  { method, input }: Endpoint<unknown, unknown>,
  { params, query, body }: FastifyRequest<Parameters>,
): unknown {
  const inPath = parseQuery(input, params);
  if (method === "GET") return { ...parseQuery(input, query), ...inPath };
  const isFields = typeof body === "object" && body !== null && !Array.isArray(body);
  return isFields ? { ...body, ...inPath } : body;
}

function sendRefusal(reply: FastifyReply, refusal: Refusal, personality: Personality): void {
  const shaped = shapeRefusal(refusal, personality);
  if (shaped === "silence") {
    reply.hijack();
    reply.raw.destroy();
    return;
  }
  const { httpStatus, headers, body } = shaped;
  void reply
    .code(httpStatus)
    .headers({ ...headers, [SANDBOX_HEADER]: "1" })
    .send(body);
}

const HOUR_MS = 60 * 60 * 1000;

function setDate({ raw }: FastifyReply, { personality, time }: ServerOptions): void {
  const shift = personality["date-header"];
  if (shift === "right") return;
  raw.sendDate = false;
  if (shift === "missing") return;
  const shiftMs = shift === "hour-ahead" ? HOUR_MS : -HOUR_MS;
  raw.setHeader("date", new Date(time.clock.now() + shiftMs).toUTCString());
}
