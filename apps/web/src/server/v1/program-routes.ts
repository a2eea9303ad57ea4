/** The routes of `/v1` for one store, in the server of that store. */

import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import { allows, type Team } from "@catalog/team";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { MAX_UPLOAD_BYTES } from "../../api/session.ts";
import { storeName } from "../../api/team.ts";
import { createEventStreams } from "../events.ts";
import { type DescribeError, describeFailure } from "../failures.ts";
import { type ReceivedFile, receiveFile, tooLarge } from "../files.ts";
import { type Asker, askerOf, needs, toMaker, toUploader } from "../needs.ts";
import { notUnderstood, parseId } from "../site.ts";
import {
  addProblemAnswers,
  badRepeatKey,
  bodyType,
  langOf,
  noRole,
  noStore,
  nothingHere,
} from "./problems.ts";
import type { ProgramStore } from "./program-store.ts";
import type { KeptAnswer, OpenRequest } from "./repeated-requests.ts";
import type { ProgramAnswer, ProgramCall, ProgramRoute, RepeatNote } from "./route.ts";
import { RUN_ROUTES } from "./run-resources.ts";
import { DOCUMENTS } from "./schemas.ts";
import { WORK_ROUTES } from "./work-resources.ts";

/** All routes of a store. */
export const PROGRAM_ROUTES: readonly ProgramRoute[] = [...RUN_ROUTES, ...WORK_ROUTES];

export interface ProgramRoutesOptions {
  /** Id of the store at the server. */
  readonly storeId: number;
  readonly audit: Pick<Team["audit"], "write">;
  readonly comments: Pick<Team["comments"], "add">;
  readonly describeError: DescribeError;
  readonly onBug: (error: unknown) => void;
}

/** Adds them to a scope whose prefix is `/v1`, and whose hooks know who asks. */
export function addProgramRoutes(
  app: FastifyInstance,
  store: ProgramStore,
  options: ProgramRoutesOptions,
): void {
  const { describeError, onBug } = options;
  const streams = createEventStreams({
    clock: store.site.clock,
    onError(error) {
      if (describeFailure(error, "en", describeError).isBug) onBug(error);
    },
  });
  app.addHook("preClose", async () => streams.close());
  app.addHook("onResponse", async ({ method }) => {
    if (method !== "GET") streams.tellAgain();
  });
  addProblemAnswers(app, {
    ...options,
    onRefused: (request, code) =>
      writeAudit(options, request, { action: "request.refused", after: code }),
  });
  readBodies(app);
  for (const route of PROGRAM_ROUTES) addRoute(app, route, { store, options, streams });
  app.all("/*", needs("viewer"), async () => {
    throw nothingHere();
  });
}

/** JSON is read, and any other body stays a stream for the one route that takes files. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else void parseJson(request, String(body), done);
  });
  app.addContentTypeParser("*", (_request, body, done) => done(null, body));
}

interface RouteTools {
  readonly store: ProgramStore;
  readonly options: ProgramRoutesOptions;
  readonly streams: ReturnType<typeof createEventStreams>;
}

const toUrl = (path: string): string => path.replaceAll(/\{(\w+)\}/gu, ":$1");

function addRoute(app: FastifyInstance, route: ProgramRoute, tools: RouteTools): void {
  const { bodyLimit, path, method } = route;
  app.route({
    method: method.toUpperCase(),
    url: toUrl(path),
    ...needs(route.needs),
    ...(bodyLimit !== undefined && { bodyLimit }),
    handler: async (request, reply) => {
      const asker = askerOf(request);
      if (!allows(asker.role ?? undefined, route.needs)) throw noRole();
      const asked = { request, reply, asker, params: readParams(request.params) };
      const answer = await carryOut(route, asked, tools);
      return answer.status === "sent" ? reply : await sendAnswer(reply, answer);
    },
  });
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly asker: Asker;
  readonly params: Readonly<Record<string, string>>;
}

/** Ids that the page's routes have as well. */
const KNOWN_IDS: ReadonlySet<string> = new Set(["run", "schedule", "export", "name"]);

function readParams(given: unknown): Readonly<Record<string, string>> {
  const params = z.record(z.string(), z.string()).parse(given ?? {});
  for (const [name, text] of Object.entries(params)) if (KNOWN_IDS.has(name)) parseId(name, text);
  if (!storeName.safeParse(params["store"]).success) throw noStore();
  return params;
}

async function sendAnswer(
  reply: FastifyReply,
  answer: Exclude<ProgramAnswer, { readonly status: "sent" }>,
): Promise<FastifyReply> {
  reply.status(answer.status);
  if (answer.status === 204) return await reply.send();
  if (answer.location !== undefined) reply.header("location", answer.location);
  return await reply.type("application/json; charset=utf-8").send(JSON.stringify(answer.body));
}

/** Carries the request out once, and answers its repetitions with what was answered then. */
async function carryOut(
  route: ProgramRoute,
  asked: Asked,
  tools: RouteTools,
): Promise<ProgramAnswer> {
  const { request, asker } = asked;
  const { site } = tools.store;
  const file = await takeFile(route, request, { site, asker });
  try {
    const name = route.method === "post" ? readRepeatKey(request) : undefined;
    if (name === undefined) return await handle(route, { ...asked, file, repeated: ONCE }, tools);
    const address = `${route.method} ${request.url.split("?", 1)[0] ?? ""}`;
    const opened = tools.store.repeats.open(
      { key: asker.actor.key ?? 0, route: address, name },
      hashBody(request, file),
    );
    if (!("close" in opened)) return await replay(asked.reply, opened);
    return await handleOnce(route, { ...asked, file, repeated: opened }, { opened, tools });
  } finally {
    if (file !== undefined) await rm(file.path, { force: true });
  }
}

const ONCE: RepeatNote = { subject: undefined, note: () => undefined };

interface Opened {
  readonly opened: OpenRequest;
  readonly tools: RouteTools;
}

async function handleOnce(
  route: ProgramRoute,
  asked: Handled,
  { opened, tools }: Opened,
): Promise<ProgramAnswer> {
  try {
    const answer = await handle(route, asked, tools);
    if (answer.status !== "sent" && answer.status !== 204) {
      const { status, body, location = null } = answer;
      opened.answer({ status, body, location });
    }
    return answer;
  } catch (error) {
    const { describeError } = tools.options;
    // What was refused has done nothing; after a bug nobody knows.
    if (!describeFailure(error, "en", describeError).isBug) opened.forget();
    throw error;
  } finally {
    opened.close();
  }
}

async function replay(
  reply: FastifyReply,
  { status, body, location }: KeptAnswer,
): Promise<ProgramAnswer> {
  reply.status(status).header("idempotent-replayed", "true");
  if (location !== null) reply.header("location", location);
  await reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
  return { status: "sent" };
}

interface Handled extends Asked {
  readonly file: ReceivedFile | undefined;
  readonly repeated: RepeatNote;
}

async function handle(
  route: ProgramRoute,
  { request, reply, asker, params, file, repeated }: Handled,
  { store, options, streams }: RouteTools,
): Promise<ProgramAnswer> {
  const call: ProgramCall<unknown, unknown> = {
    by: toMaker(asker),
    base: `/v1/stores/${params["store"] ?? ""}`,
    store,
    params,
    query: request.query,
    body: file === undefined ? request.body : undefined,
    lang: langOf(request),
    request,
    reply,
    repeated,
    file,
    comment: (said) => options.comments.add(options.storeId, said, asker.actor),
    watch: (target, watched) => streams.open(target, [watched]),
  };
  const answer = await route.run(call);
  const { audit: action } = route;
  if (action !== undefined) {
    await writeAudit(options, request, { action, after: subjectOf(answer) });
  }
  return toDocumented(route, answer);
}

const subjectSchema = z.object({ id: z.string() });

/** What was made or changed, for the record. */
const subjectOf = (answer: ProgramAnswer): string | null =>
  "body" in answer ? (subjectSchema.safeParse(answer.body).data?.id ?? null) : null;

/** Only what is documented is sent. */
function toDocumented(route: ProgramRoute, answer: ProgramAnswer): ProgramAnswer {
  if (!("body" in answer)) return answer;
  const name = route.answers[answer.status];
  const schema = Object.entries(DOCUMENTS).find(([known]) => known === name)?.[1];
  if (schema === undefined) throw new Error(`${route.id} does not document ${answer.status}`);
  return { ...answer, body: schema.parse(answer.body) };
}

async function takeFile(
  { takesFile = false }: ProgramRoute,
  { body, headers, query }: FastifyRequest,
  { site, asker }: { readonly site: ProgramStore["site"]; readonly asker: Asker },
): Promise<ReceivedFile | undefined> {
  if (!(body instanceof Readable)) return undefined;
  if (!takesFile) throw bodyType();
  if (Number(headers["content-length"] ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge(MAX_UPLOAD_BYTES);
  const { name = "" } = nameQuery.safeParse(query).data ?? {};
  using _lock = site.enterUpload?.(toUploader(asker));
  const folder = join(site.folder, "programs", "incoming");
  const file = await receiveFile(body, { folder, name, maxBytes: MAX_UPLOAD_BYTES });
  if (file.bytes > 0) return file;
  await rm(file.path, { force: true });
  throw notUnderstood();
}

const nameQuery = z.object({ name: z.string().optional() });

function readRepeatKey({ headers }: FastifyRequest): string | undefined {
  const given = headers["idempotency-key"];
  if (given === undefined) return undefined;
  if (typeof given !== "string" || !/^[\x21-\x7e]{1,200}$/u.test(given)) throw badRepeatKey();
  return given;
}

function hashBody({ body, url }: FastifyRequest, file: ReceivedFile | undefined): string {
  const query = url.split("?").slice(1).join("?");
  const content = file?.sha256 ?? JSON.stringify(body ?? null);
  return createHash("sha256").update(`${query}\n${content}`).digest("hex");
}

interface Entry {
  readonly action: string;
  readonly after: string | null;
}

async function writeAudit(
  { audit, storeId }: ProgramRoutesOptions,
  request: FastifyRequest,
  { action, after }: Entry,
): Promise<void> {
  const { params, url, method, asker } = request;
  if (asker === null) return;
  const named = z.record(z.string(), z.string()).safeParse(params).data ?? {};
  const subject = named["run"] ?? named["schedule"] ?? named["export"] ?? named["webhook"] ?? after;
  const asked = `${method} ${url.split("?", 1)[0] ?? ""}`.slice(0, 300);
  await audit.write(
    {
      action,
      store: storeId,
      subject: subject?.slice(0, 200) ?? null,
      before: null,
      after: { request: asked, result: after },
    },
    asker.actor,
  );
}
