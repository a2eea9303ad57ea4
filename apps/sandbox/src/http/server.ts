/**
 * The HTTP server: a route for every row of the contract's table and version, joined with its
 * handler by name; every error becomes a refusal.
 */

import type { Endpoint, ObjectSchema } from "@catalog/contract";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import * as z from "zod";

import { addAdminRoutes, type AdminRoutesOptions } from "../admin/admin-api.ts";
import {
  findInputViolations,
  findPathViolation,
  findRequestViolations,
  findUndocumentedFields,
  type ViolationLog,
} from "../admin/violations.ts";
import type { Behavior } from "../behavior/behavior-settings.ts";
import { answerWithFaults, type FaultTime } from "../faults/commit-fault.ts";
import type { FaultPlan } from "../faults/fault.ts";
import type { Handler } from "../handlers/handler-table.ts";
import { addDocuments } from "../openapi.ts";
import { drawProduct } from "../products/draw-product.ts";
import {
  createMissingRefusal,
  parseInput,
  type Refusal,
  shapeAnswer,
  shapeRefusal,
  toRefusal,
} from "./answers.ts";
import { type Capacity, occupyPlace, type RequestChecks } from "./request-checks.ts";

const NUMBER_PATTERN = /^-?\d+(?:\.\d+)?$/u;

/**
 * Converts texts to numbers and comma-separated lists, where the schema expects them. A text that
 * is no number is left for the schema to refuse; parameters that the schema does not have are
 * dropped.
 */
export function parseQuery(
  schema: Pick<ObjectSchema<unknown>, "shape">,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = Object.entries(schema.shape).filter(([name]) => raw[name] !== undefined);
  return Object.fromEntries(known.map(([name, field]) => [name, parseValue(field, raw[name])]));
}

function parseValue(field: z.core.$ZodType, raw: unknown): unknown {
  const wanted = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (wanted instanceof z.ZodArray) {
    return splitList(raw).map((part) => parseValue(wanted.element, part));
  }
  return isNumeric(wanted) && typeof raw === "string" && NUMBER_PATTERN.test(raw)
    ? Number(raw)
    : raw;
}

/** Whether the schema expects a number: any number, or one of a list. */
function isNumeric(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodLiteral) {
    return [...schema.values].every((value) => typeof value === "number");
  }
  return schema instanceof z.ZodNumber;
}

/** Splits a list; a parameter that occurs several times is one list. */
function splitList(raw: unknown): readonly unknown[] {
  const texts: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  return texts.flatMap((text) =>
    typeof text === "string" ? text.split(",").filter((part) => part !== "") : [text],
  );
}

interface Route {
  /** Group and name in the table, such as "product.add". */
  readonly name: string;
  readonly endpoint: Endpoint<unknown, unknown>;
  readonly handler: Handler<unknown, unknown>;
  /** One path per version, prefix included. */
  readonly paths: readonly string[];
}

type Table<Row> = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** Creates the routes in the order of the endpoints; throws when one has no handler. */
export function createRouteTable(
  endpoints: Table<Endpoint<unknown, unknown>>,
  handlers: Table<Handler<unknown, unknown>>,
  present: Behavior["versions"] = "both",
): readonly Route[] {
  return Object.entries(endpoints).flatMap(([group, rows]) =>
    Object.entries(rows).map(([row, endpoint]) => {
      const name = `${group}.${row}`;
      const handler = handlers[group]?.[row];
      if (handler === undefined) throw new TypeError(`the endpoint ${name} has no handler`);
      return { name, endpoint, handler, paths: listPaths(endpoint, present) };
    }),
  );
}

/**
 * An endpoint that is documented under one prefix only keeps it, whichever prefixes are present.
 */
function listPaths(
  { path, versions }: Endpoint<unknown, unknown>,
  present: Behavior["versions"],
): readonly string[] {
  if (versions.length === 0) return [path];
  const kept = versions.filter((version) => present === "both" || version === present);
  return (versions.length === 1 ? versions : kept).map((version) => `/${version}${path}`);
}

/** Copies a table that is declared as interfaces into plain objects. */
export function toTable<Group extends object>(
  table: Readonly<Record<string, Group>>,
): Readonly<Record<string, { [Row in keyof Group]: Group[Row] }>> {
  return Object.fromEntries(Object.entries(table).map(([name, group]) => [name, { ...group }]));
}

interface ServerOptions {
  readonly routes: readonly Route[];
  readonly checks: RequestChecks;
  /** Calls that are served at a time; every call is where it is undefined. */
  readonly capacity: Capacity | undefined;
  readonly admin: AdminRoutesOptions;
  readonly behavior: Behavior;
  readonly faults: FaultPlan;
  readonly violations: ViolationLog;
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
  const { routes, admin, violations, behavior } = options;
  const refuse = (error: unknown, reply: FastifyReply): void =>
    sendRefusal(reply, toRefusal(error), behavior);
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
  server.setNotFoundHandler(async ({ method, url }, reply) => {
    violations.note(findPathViolation({ method, path: url.split("?")[0] ?? "" }, routes));
    if ((await enter(undefined, reply, options)) === "gone") return reply;
    throw createMissingRefusal({ en: "Path", tr: "Adres" });
  });
  addAdminRoutes(server, admin);
  addImages(server);
  addDocuments(server, routes);
  for (const route of routes) addRoute(server, route, options);
  return server;
}

/** The images of products are on no server; whoever wants to see them asks for their path here. */
function addImages(server: FastifyInstance): void {
  server.get<{ Params: { "*": string } }>("/images/*", async (request, reply) => {
    await reply.type("image/png").send(drawProduct(request.params["*"]));
  });
}

/**
 * Token and store are checked before the body is read, so that a refused caller learns nothing
 * about it.
 */
function addRoute(server: FastifyInstance, route: Route, options: ServerOptions): void {
  const { name, endpoint, paths } = route;
  const { checks, violations, faults, time } = options;
  for (const url of paths) {
    server.route<Parameters>({
      method: endpoint.method,
      url,
      onRequest: async ({ query, params, ip, headers }, reply) => {
        violations.note(findRequestViolations(name, endpoint, { headers, query }));
        if ((await enter(name, reply, options)) === "gone") return;
        const accessToken = query["access_token"];
        checks.authorize(endpoint.permission, { accessToken, ip, storeId: params["storeId"] });
      },
      handler: (request, reply) => {
        const raw = readInput(endpoint, request);
        violations.note(findInputViolations(name, endpoint, raw));
        violations.noteUndocumented(name, findUndocumentedFields(endpoint, request.body));
        const { ip, query } = request;
        const answer = (): unknown => answerRoute(route, { raw, ip }, options);
        const refuseToken = (): void =>
          checks.refuseToken({ accessToken: query["access_token"], ip });
        return answerWithFaults(faults.next(name), { name, reply, answer, refuseToken }, time);
      },
    });
  }
}

/** Lets a call in; one whose sender left before its turn ends without an effect or an answer. */
async function enter(
  name: string | undefined,
  reply: FastifyReply,
  { checks, capacity, time }: ServerOptions,
): Promise<"entered" | "gone"> {
  checks.count(name);
  const turn = capacity && (await occupyPlace(capacity, reply, time.closing));
  if (turn === "gone") {
    reply.hijack();
    reply.raw.destroy();
    return turn;
  }
  await checks.enter();
  return "entered";
}

interface RawRequest {
  readonly raw: unknown;
  readonly ip: string;
}

function answerRoute(route: Route, { raw, ip }: RawRequest, { behavior }: ServerOptions): unknown {
  const { name, endpoint, handler } = route;
  const input = parseInput(endpoint.input, raw);
  const answer = (given: unknown): unknown => handler.answer(given, { ip });
  return { data: shapeAnswer({ name, endpoint, input, answer }, behavior) };
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

function sendRefusal(reply: FastifyReply, refusal: Refusal, behavior: Behavior): void {
  const shaped = shapeRefusal(refusal, behavior);
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

function setDate({ raw }: FastifyReply, { behavior, time }: ServerOptions): void {
  const shift = behavior["date-header"];
  if (shift === "right") return;
  raw.sendDate = false;
  if (shift === "missing") return;
  const shiftMs = shift === "hour-ahead" ? HOUR_MS : -HOUR_MS;
  raw.setHeader("date", new Date(time.clock.now() + shiftMs).toUTCString());
}
