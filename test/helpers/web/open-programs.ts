/** A server of several people behind a proxy, and keys of programs for its store. */

import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, request as sendRequest } from "node:http";
import { join } from "node:path";

import { systemClock } from "@catalog/clock";
import { openTeam } from "@catalog/connection";
import { parseSecretKeys, type Role, type Team } from "@catalog/team";
import { onTestFinished } from "vitest";

import { findCanaries } from "../canaries.ts";
import type { TestStore } from "../markets/test-store.ts";
import type { CatalogProcess } from "../processes/catalog-process.ts";

const ORIGIN = "https://katalog.example.com";
const TERMINAL = { person: null, key: null, address: null } as const;
/** A key of credentials that is used in tests only. */
export const SECRET_KEY: string = Buffer.alloc(32, 7).toString("base64");

export interface ProgramsServer {
  /** Address of the proxy, as programs use it. */
  readonly origin: string;
  readonly team: Team;
  readonly process: CatalogProcess;
  /** Makes a key of a person, who is made with the role where there is none yet. */
  makeKey(person: string, role: Role): Promise<string>;
  /** Kills the server, and starts it again at the same address. */
  restart(): Promise<void>;
  /** Methods and addresses of all requests. */
  readonly requests: readonly string[];
  /** Heads and bodies of all answers. */
  readonly answers: readonly string[];
}

/** Starts the server with the store `mutfak`; it is ended when the test ends. */
export async function openPrograms(store: TestStore): Promise<ProgramsServer> {
  const env: TestStore["env"] = { ...store.env, CATALOG_SECRET_KEY: SECRET_KEY };
  const home = join(store.folder, "home");
  const secretKeys = parseSecretKeys(SECRET_KEY);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const databaseUrl = env["CATALOG_DATABASE_URL"];
  const team = await openTeam({ home, databaseUrl, clock: systemClock, secretKeys });
  onTestFinished(() => team[Symbol.asyncDispose]());
  const { sandbox } = store;
  const credentials = {
    baseUrl: sandbox.baseUrl,
    storeId: sandbox.storeId,
    clientKey: sandbox.clientKey,
    clientSecret: sandbox.clientSecret,
  };
  const { id: storeId } = await team.stores.save({ name: "mutfak", ...credentials }, TERMINAL);
  const requests: string[] = [];
  const answers: string[] = [];
  let running = await startServer(store, env);
  const origin = await startProxy(() => running.port, { requests, answers });
  onTestFinished(async () => {
    if (running.process.child.exitCode === null) running.process.child.kill("SIGINT");
    await running.process.finished;
  });
  return {
    origin,
    team,
    requests,
    answers,
    get process() {
      return running.process;
    },
    async makeKey(name, role) {
      const known = (await team.people.list()).find(({ login }) => login === name);
      const person = known ?? (await team.people.add({ login: name, name }, TERMINAL));
      if (known === undefined) {
        await team.people.setRole({ person: person.id, store: storeId }, role, TERMINAL);
      }
      const key = { name: `${name} ${role}`, person: person.id, store: storeId, role };
      return (await team.keys.create(key, TERMINAL)).secret;
    },
    async restart() {
      running.process.child.kill("SIGKILL");
      await running.process.finished;
      running = await startServer(store, env);
    },
  };
}

interface Running {
  readonly port: number;
  readonly process: CatalogProcess;
}

async function startServer(
  store: TestStore,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const flags = ["--server", "--url", ORIGIN, "--behind-proxy", "--port", "0", "--json"];
  const started = store.at(env).start("web", ...flags);
  const ended = started.finished.then(({ err }) => Promise.reject(new Error(err)));
  let text = "";
  while (!text.includes("\n")) {
    const [chunk] = await Promise.race([
      once(started.child.stdout ?? started.child, "data"),
      ended,
    ]);
    text += String(chunk);
  }
  ended.catch(() => undefined);
  return { port: Number(JSON.parse(text).port), process: started };
}

/** A proxy that has the certificate, so to speak: it says which host and protocol it was asked with. */
async function startProxy(
  portOf: () => number,
  { requests, answers }: { readonly requests: string[]; readonly answers: string[] },
): Promise<string> {
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
    const headers = {
      ...request.headers,
      host: new URL(ORIGIN).host,
      "x-forwarded-proto": "https",
    };
    const forwarded = {
      host: "127.0.0.1",
      port: portOf(),
      path: request.url,
      method: request.method,
    };
    const onward = sendRequest({ ...forwarded, headers }, (answer) => {
      answers.push(JSON.stringify(answer.headers));
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("data", (chunk) => answers.push(String(chunk)));
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    const leaks = findCanaries(answers.join(""));
    if (leaks.length > 0) throw new Error(`an answer of /v1 held ${leaks.join(", ")}`);
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
}
