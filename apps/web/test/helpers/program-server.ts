/** A server of the interface for programs, whose commands plan nothing but say that they have. */

import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { join } from "node:path";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import type { Connection } from "@catalog/connection";
import { createTestConnection, storeRun } from "@catalog/connection/testing";
import type { EndedCommand } from "@catalog/jobs";
import type { ApiKey, AuditEntry, Role } from "@catalog/team";
import fastifyRateLimit from "@fastify/rate-limit";
import { fastify } from "fastify";
import { onTestFinished } from "vitest";

import type { Asker } from "../../src/server/needs.ts";
import { createRunTopic, RunJobs } from "../../src/server/runs/run-jobs.ts";
import type { Site } from "../../src/server/site.ts";
import { addProgramRoutes } from "../../src/server/v1/program-routes.ts";
import { openProgramStore, type ProgramStore } from "../../src/server/v1/program-store.ts";
import {
  addPrograms,
  type ProgramsOptions,
  type ProgramTeam,
} from "../../src/server/v1/programs.ts";
import { createExports } from "../../src/server/work/exports.ts";
import { createFolder } from "./temporary-folder.ts";

export interface ProgramServer {
  readonly origin: string;
  readonly clock: FakeClock;
  readonly connection: Connection;
  readonly store: ProgramStore;
  /** Words of all commands that were started. */
  readonly commands: readonly (readonly string[])[];
  /** Commands that hold until they are let go. */
  readonly held: { isHeld: boolean; release: () => void };
  readonly audit: readonly AuditEntry[];
  readonly bugs: readonly unknown[];
  readonly folder: string;
  /** Ends it as a kill does: nothing is noted. */
  readonly kill: () => Promise<void>;
  readonly send: (method: string, path: string, options?: SendOptions) => Promise<ProgramAnswer>;
}

export interface SendOptions {
  /** @default an editor's */
  readonly key?: string | null;
  readonly body?: unknown;
  readonly file?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ProgramAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** The key of a role in the store `mutfak`, whose id is 1. */
export const keyOf = (role: Role): string => `ctk_${role.padEnd(32, "0")}`;

const ROLE_OF = /^ctk_([a-z]+)0*$/u;

/** Ended, of another store, and of a person who was removed. */
export const BAD_KEYS: readonly string[] = ["ctk_ended", "ctk_removed", "ctk_unknown"].map((key) =>
  key.padEnd(36, "0"),
);
/** An administrator's key, whose person is only a viewer by now. */
export const LESSER_KEY: string = "ctk_lesser".padEnd(36, "0");
export const OTHER_STORE_KEY: string = "ctk_other".padEnd(36, "0");

const STORES = [
  { id: 1, name: "mutfak", baseUrl: "http://127.0.0.1:9", storeId: "s" },
  { id: 2, name: "bahce", baseUrl: "http://127.0.0.1:9", storeId: "t" },
];

const ROLES: ReadonlySet<string> = new Set(["viewer", "editor", "approver", "administrator"]);
const isRole = (text: string): text is Role => ROLES.has(text);

const NAMES: readonly string[] = [...ROLES, "ended", "removed", "other", "lesser"];

function findKey(secret: string): ApiKey | undefined {
  const name = ROLE_OF.exec(secret)?.[1] ?? "";
  const key = {
    id: NAMES.indexOf(name),
    name,
    person: 1,
    store: 1,
    createdAtMs: 0,
    usedAtMs: null,
  };
  if (isRole(name)) return { ...key, role: name, endedAtMs: null };
  if (name === "ended") return { ...key, role: "editor", endedAtMs: 1 };
  if (name === "removed") return { ...key, role: "editor", person: 2, endedAtMs: null };
  if (name === "lesser") return { ...key, role: "administrator", person: 3, endedAtMs: null };
  if (name === "other") return { ...key, role: "administrator", store: 2, endedAtMs: null };
  return undefined;
}

interface ProgramServerOptions {
  /** @default a new one */
  readonly folder?: string;
  readonly connection?: Connection;
  readonly requestsPerMinute?: number;
  readonly refusalsPerMinute?: number;
}

/** A plan without rows, as the command makes one. */
export async function storePlan(connection: Connection, id: string): Promise<void> {
  await storeRun(connection, { id, header: ["Ürün Kodu"], rows: [] });
  await connection.runs.update(id, { state: "planned" });
}

const openWebhooks = async (): Promise<undefined> => undefined;

/** Starts the server; it is closed when the test ends. */
export async function startProgramServer(
  options: ProgramServerOptions = {},
): Promise<ProgramServer> {
  const { folder = createFolder() } = options;
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const connection = options.connection ?? (await createTestConnection({ clock })).connection;
  const commands: (readonly string[])[] = [];
  const audit: AuditEntry[] = [];
  const bugs: unknown[] = [];
  const held = { isHeld: false, release: (): void => undefined };
  const site: Site = {
    clock,
    folder: join(folder, "web"),
    store: { connection: async () => connection, outage: () => undefined },
    startCommand(words) {
      commands.push(words);
      return {
        pid: 1,
        ended: plan(words),
        onProgress: () => undefined,
        stop: () => undefined,
        kill: () => undefined,
      };
    },
  };
  const plan = async (words: readonly string[]): Promise<EndedCommand> => {
    if (held.isHeld) await new Promise<void>((resolve) => (held.release = resolve));
    const id = words.find((word) => word.startsWith("--run-id="))?.slice("--run-id=".length);
    if (id !== undefined) await storePlan(connection, id);
    return { exit: 0, document: { run: id }, errors: "" };
  };
  const jobs = new RunJobs(site.startCommand);
  const parts = {
    site,
    jobs,
    exports: createExports(site),
    progress: createRunTopic(site, jobs),
    openWebhooks,
  };
  const store = openProgramStore(parts);
  const team: ProgramTeam = {
    keys: { find: async (secret) => findKey(secret) },
    people: {
      read: async (id) => ({ id, login: "ayse", name: "Ayşe", isActive: id !== 2, createdAtMs: 0 }),
      roleIn: async (person) => (person === 3 ? "viewer" : "administrator"),
    },
    stores: { list: async () => STORES },
    audit: { write: async (entry) => void audit.push(entry) },
  };
  const known = {
    describeError: (error: unknown, lang: string) =>
      error instanceof Error && "code" in error && "localized" in error
        ? { code: String(error.code), text: `${lang} ${error.message}`, isLogin: false }
        : undefined,
    onBug: (error: unknown) => bugs.push(error),
  };
  const answering = await openAnswering(store, {
    ...known,
    storeId: 1,
    audit: { write: async (entry) => void audit.push(entry) },
    comments: { add: async (_store, said) => ({ ...said, id: 1, person: 1, atMs: clock.now() }) },
  });
  const app = fastify({ forceCloseConnections: true });
  app.decorateRequest("asker", null);
  await app.register(fastifyRateLimit, { global: false });
  await app.register(
    (scope) =>
      addPrograms(scope, {
        team,
        openStore: async () => answering,
        addressOf: ({ ip }) => ip,
        ...known,
        version: "1.0.0",
        requestsPerMinute: options.requestsPerMinute,
        refusalsPerMinute: options.refusalsPerMinute,
      }),
    { prefix: "/v1" },
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const address = app.server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
  return {
    origin,
    clock,
    connection,
    store,
    commands,
    held,
    audit,
    bugs,
    folder,
    kill: () => app.close(),
    send: (method, path, sent = {}) => send(`${origin}/v1${path}`, method, sent),
  };
}

/** The server of a store, which listens on nothing. */
async function openAnswering(
  store: ProgramStore,
  options: Parameters<typeof addProgramRoutes>[2],
): Promise<Awaited<ReturnType<ProgramsOptions["openStore"]>>> {
  const askers = new WeakMap<IncomingMessage, Asker>();
  let listener: RequestListener | undefined;
  const app = fastify({
    forceCloseConnections: true,
    serverFactory(given) {
      listener = given;
      return createServer();
    },
  });
  app.decorateRequest("asker", null);
  app.addHook("onRequest", async (request) => {
    request.asker = askers.get(request.raw) ?? null;
  });
  await app.register(async (scope) => addProgramRoutes(scope, store, options), { prefix: "/v1" });
  await app.ready();
  onTestFinished(() => app.close());
  return {
    answer(request, response, asker) {
      askers.set(request, asker);
      listener?.(request, response);
    },
  };
}

async function send(
  address: string,
  method: string,
  { key = keyOf("editor"), body, file, headers = {} }: SendOptions,
): Promise<ProgramAnswer> {
  const type = file === undefined ? "application/json" : "text/csv";
  const answer = await fetch(address, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...((body !== undefined || file !== undefined) && { "content-type": type }),
      ...headers,
    },
    ...((body !== undefined || file !== undefined) && { body: file ?? JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") === true;
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson ? JSON.parse(text) : text,
  };
}
