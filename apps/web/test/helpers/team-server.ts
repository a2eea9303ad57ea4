/** A server of several people, with all its routes, real people and stores, and a program that does nothing. */

import { request as sendRequest } from "node:http";
import { join } from "node:path";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import {
  type Connection,
  type ConnectionOverrides,
  openConnection,
  openTeam,
} from "@catalog/connection";
import { createFakeTerminal } from "@catalog/console/testing";
import { LocalizedError } from "@catalog/i18n";
import { openGuardedPost } from "@catalog/images";
import { createWebhooks } from "@catalog/jobs";
import { parseSecretKeys, type Role, type Team } from "@catalog/team";
import type { FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";

import { createServerTurns, openStorePremises } from "../../src/commands/web/open-store.ts";
import type { DescribeError } from "../../src/server/failures.ts";
import {
  createTeamServer,
  type TeamServerOptions,
} from "../../src/server/team/create-team-server.ts";
import { createStoreSites } from "../../src/server/team/store-sites.ts";
import { createFolder } from "./temporary-folder.ts";

export const ORIGIN = "https://katalog.example.com";

const describeError: DescribeError = (error, lang) => {
  if (error instanceof LocalizedError) {
    return { code: error.code, text: error.localized[lang], isLogin: false };
  }
  // The marketplace of the stores is nowhere.
  const isAway = error instanceof Error && "code" in error && error.code === "NETWORK_ERROR";
  return isAway ? { code: "E_AWAY", text: "away", isLogin: false } : undefined;
};

/** The terminal of the server's machine. */
const TERMINAL = { person: null, key: null, address: null } as const;

/** What a signed-in browser sends with each request. */
export interface SessionHeaders extends Record<string, string> {
  readonly cookie: string;
  readonly "x-catalog": string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A stream that is read until it ends. */
interface EventStream {
  isOpen(): boolean;
  readonly closed: Promise<void>;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. @default no body */
  readonly body?: unknown;
}

export interface TeamServer {
  readonly port: number;
  readonly clock: FakeClock;
  readonly team: Team;
  /** Folder of the server's data. */
  readonly folder: string;
  /** Errors that nobody expected. */
  readonly bugs: readonly unknown[];
  /** Methods and addresses of all routes; those of a store start with `/s/:store`. */
  readonly endpoints: readonly string[];
  /** Sends a request as a browser of the page does, such as `GET /api/account`. */
  send(route: string, sent?: Sent): Promise<Answer>;
  /** Adds a person with a role in a store, or in all, and opens a session. */
  addPerson(login: string, role?: Role, store?: string): Promise<SessionHeaders>;
  openStore(store: string): Promise<Connection>;
  /** Opens a stream of events. */
  openStream(path: string, headers: Readonly<Record<string, string>>): Promise<EventStream>;
  /** Closes the sites that nobody uses. */
  sweep(): Promise<void>;
}

interface TeamServerSetup extends Partial<Pick<TeamServerOptions, "openId">> {
  /** Names of the stores. @default `mutfak` and `bahce` */
  readonly stores?: readonly string[];
  readonly isBehindProxy?: boolean;
}

/** Starts the server; it is closed when the test ends. */
export async function startTeamServer({
  stores = ["mutfak", "bahce"],
  isBehindProxy = true,
  openId,
}: TeamServerSetup = {}): Promise<TeamServer> {
  const home = createFolder();
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const secretKeys = parseSecretKeys(Buffer.alloc(32, 7).toString("base64"));
  const team = await openTeam({ home, clock, secretKeys });
  for (const [at, name] of stores.entries()) {
    await team.stores.save({ name, ...credentialsOf(at) }, TERMINAL);
  }
  const { context, parts } = createProgram(home, clock, team);
  const folder = join(home, "web");
  const turns = createServerTurns(1);
  const openPremises: Parameters<typeof createStoreSites>[0]["openPremises"] = (store) =>
    openStorePremises(context, parts, store, { team, folder, onBug, turns });
  const endpoints: string[] = [];
  const onApp = (app: FastifyInstance, prefix: string): void => {
    app.addHook("onRoute", ({ method, url }) => {
      for (const each of [method].flat()) endpoints.push(`${each} ${prefix}${url}`);
    });
  };
  const common = { team, clock, version: "1.0.0", describeError, onBug, onApp };
  const sites = createStoreSites({ ...common, openPremises });
  const app = await createTeamServer({
    ...common,
    sites,
    openId,
    onOpenIdProblem: () => undefined,
    address: { origin: ORIGIN, isBehindProxy },
    pageFolder: createFolder({
      "index.html": "<!doctype html><title>page</title>",
      "assets/a-1.js": "let a;",
    }),
    tryCredentials: async () => undefined,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await app.close();
    await sites[Symbol.asyncDispose]();
    await team[Symbol.asyncDispose]();
  });
  const address = app.server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const find = async (name: string): Promise<number> => (await team.stores.find(name))?.id ?? 0;
  return {
    port,
    clock,
    team,
    folder,
    bugs,
    endpoints,
    send: (route, sent) => send(port, route, sent),
    sweep: () => sites.sweep(),
    openStream: (path, headers) => openStream(port, path, headers),
    async addPerson(login, role, store) {
      const { id } = await team.people.add({ login, name: login }, TERMINAL);
      const at = store === undefined ? null : await find(store);
      if (role !== undefined) await team.people.setRole({ person: id, store: at }, role, TERMINAL);
      return await openSession(team, id);
    },
    openStore: (name) => context.openConnection(credentialsAsGiven(stores.indexOf(name))),
  };
}

export async function openSession({ sessions }: Team, person: number): Promise<SessionHeaders> {
  const opened = await sessions.open(person, { address: "192.0.2.1", browser: "test" });
  if (opened === undefined) throw new Error("the person is not active");
  return { cookie: `__Host-catalog=${opened.cookie}`, "x-catalog": opened.writeKey };
}

const credentialsOf = (at: number) => ({
  baseUrl: "http://127.0.0.1:9",
  storeId: `0123456789abcdef0123456${at}`,
  clientKey: `key-${at}`,
  clientSecret: `secret-of-store-${at}`,
});

function credentialsAsGiven(at: number): ConnectionOverrides {
  const { storeId } = credentialsOf(at);
  return { given: { CATALOG_STORE_ID: storeId } };
}

const refuse = async (): Promise<never> => {
  throw new Error("nothing is started");
};

/** Webhooks whose addresses are checked; nothing is sent while the clock stands. */
function createHooks(clock: FakeClock): ReturnType<typeof createWebhooks> {
  const kept = new Map<string, string>();
  const secrets: Parameters<typeof createWebhooks>[0]["secrets"] = {
    read: async (key) => kept.get(JSON.stringify(key)),
    write: async (key, secret) => {
      kept.set(JSON.stringify(key), secret);
      return "file";
    },
    forget: async (key) => void kept.delete(JSON.stringify(key)),
  };
  return createWebhooks({ clock, secrets, guard: openGuardedPost() });
}

function createProgram(home: string, clock: FakeClock, team: Team) {
  const hooks = createHooks(clock);
  const context = {
    lang: "en",
    json: false,
    quiet: true,
    terminal: createFakeTerminal(),
    clock,
    resolve: (path: string) => path,
    stop: new AbortController().signal,
    findStores: async () => [],
    openWebhooks: async () => hooks,
    openConnection: ({ given }: ConnectionOverrides = {}) =>
      openConnection({
        home,
        baseUrl: "http://127.0.0.1:9",
        storeId: given?.["CATALOG_STORE_ID"] ?? "",
        credentials: { clientKey: "key", clientSecret: "secret" },
        clock,
        random: () => 0,
        // Nobody moves the clock on for another attempt.
        retries: 0,
      }),
  } as const;
  const logins = { open: async () => async () => undefined, save: refuse };
  const parts = {
    program: [process.execPath, "--version"],
    programName: "catalog",
    version: "1.0.0",
    cwd: home,
    env: {},
    sampleFile: "",
    readHome: async () => home,
    logIn: refuse,
    feedLogins: logins,
    openFeedLogins: () => logins,
    openTeam: async () => team,
    readSeparation: async () => "none" as const,
    tryCredentials: refuse,
    readOpenId: () => undefined,
    readKeepFilesDays: () => () => 365,
    startSandbox: refuse,
    readIcon: refuse,
    fetch: refuse,
    readInstalled: async () => undefined,
    describeError,
  };
  return { context, parts };
}

function openStream(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const { promise, resolve, reject } = Promise.withResolvers<EventStream>();
  const host = new URL(ORIGIN).host;
  const options = { host: "127.0.0.1", port, path, agent: false, headers: { ...headers, host } };
  const request = sendRequest(options, (response) => {
    const closed = Promise.withResolvers<void>();
    let isOpen = true;
    // It is cut off in the middle.
    response.on("error", () => undefined);
    response.once("close", () => {
      isOpen = false;
      closed.resolve();
    });
    response.resume();
    resolve({ isOpen: () => isOpen, closed: closed.promise });
  });
  request.once("error", reject);
  request.end();
  return promise;
}

function send(port: number, route: string, { headers = {}, body }: Sent = {}): Promise<Answer> {
  const [method = "", path = ""] = route.split(" ");
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = sendRequest({
    port,
    host: "127.0.0.1",
    method,
    path,
    agent: false,
    headers: {
      host: new URL(ORIGIN).host,
      ...(method !== "GET" && { origin: ORIGIN }),
      ...(text !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
  });
  request.once("error", reject);
  request.once("response", (response) => {
    const { statusCode: status = 0 } = response;
    // A stream of events ends with its reader.
    if (response.headers["content-type"]?.startsWith("text/event-stream")) {
      response.destroy();
      resolve({ status, headers: response.headers, body: "" });
      return;
    }
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.once("error", reject);
    response.once("end", () =>
      resolve({ status, headers: response.headers, body: Buffer.concat(chunks).toString() }),
    );
  });
  request.end(text);
  return promise;
}
