/** Row 28: fifty people at once on a server: ten upload sheets, forty read. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as sendRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { openTeam } from "@catalog/connection";
import { makeFolder } from "@catalog/i18n";
import { parseSecretKeys } from "@catalog/team";

import { watchPeakMb } from "../../helpers/processes/process-memory.ts";
import { createBenchProducts, writeBenchCsv } from "../bench-sheet.ts";
import {
  type Bench,
  type Figure,
  type MeasureRow,
  memory,
  serve,
  sized,
  startCommand,
} from "../bench-tools.ts";
import type { Credentials } from "../credentials.ts";

const ROW = 28;
const ORIGIN = "https://katalog.example.com";
const SECRET_KEY = Buffer.alloc(32, 5).toString("base64");
const [UPLOADERS, READERS] = [10, 40];
const SHARE = 0.95;
/** A person who reads looks at something else every second. */
const PAUSE_MS = 1_000;
const READ_PATHS = ["/me", "/drafts", "/runs", "/products", "/settings"];
const TERMINAL = { person: null, key: null, address: null } as const;

interface Person {
  readonly cookie: string;
  readonly "x-catalog": string;
}

/** Adds the store and the people, each with a session. */
async function fillServer(home: string, told: Credentials): Promise<readonly Person[]> {
  makeFolder(home);
  const secretKeys = parseSecretKeys(SECRET_KEY);
  await using team = await openTeam({ home, clock: systemClock, secretKeys });
  const store = await team.stores.save(
    {
      name: "mutfak",
      baseUrl: told.base_url,
      storeId: told.store_id,
      clientKey: told.client_key,
      clientSecret: told.client_secret,
    },
    TERMINAL,
  );
  const people: Person[] = [];
  for (let at = 0; at < UPLOADERS + READERS; at += 1) {
    const { id } = await team.people.add({ login: `kisi${at}`, name: `Kişi ${at}` }, TERMINAL);
    await team.people.setRole({ person: id, store: store.id }, "editor", TERMINAL);
    const from = { address: "198.51.100.7", browser: "bench" };
    const opened = await team.sessions.open(id, from);
    if (opened === undefined) throw new Error("a person could not sign in");
    people.push({ cookie: `__Host-catalog=${opened.cookie}`, "x-catalog": opened.writeKey });
  }
  return people;
}

interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

type Ask = (person: Person, asked: Asked) => Promise<Answered>;

const createAsk =
  (port: number): Ask =>
  (person, { method, path, headers, body }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const begunMs = performance.now();
    const request = sendRequest({
      port,
      host: "127.0.0.1",
      method,
      path: `/s/mutfak/api${path}`,
      agent: false,
      headers: {
        host: new URL(ORIGIN).host,
        origin: ORIGIN,
        "x-forwarded-proto": "https",
        "x-forwarded-for": "198.51.100.7",
        ...person,
        ...headers,
      },
    });
    request.once("error", reject);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          ms: performance.now() - begunMs,
        }),
      );
    });
    request.end(body);
    return promise;
  };

interface Measured {
  readonly waitsMs: number[];
  readonly errors: string[];
}

/** Uploads the sheet, and waits until its rows are checked. */
async function upload(
  ask: Ask,
  person: Person,
  sheet: Buffer,
  { errors }: Measured,
): Promise<void> {
  const type = { "content-type": "application/octet-stream", "x-file-name": "bench.csv" };
  const made = await ask(person, { method: "POST", path: "/uploads", headers: type, body: sheet });
  if (made.status !== 201) return void errors.push(`upload ${made.status} ${made.text}`);
  const { id }: { readonly id: string } = JSON.parse(made.text);
  for (;;) {
    const { status, text } = await ask(person, { method: "GET", path: `/drafts/${id}` });
    if (status !== 200) return void errors.push(`draft ${status} ${text}`);
    const draft: { readonly progress: unknown } = JSON.parse(text);
    if (draft.progress === null) return;
    await wait(PAUSE_MS);
  }
}

async function read(
  ask: Ask,
  person: Person,
  { measured, over }: { readonly measured: Measured; readonly over: AbortSignal },
): Promise<void> {
  for (let at = 0; !over.aborted; at += 1) {
    const path = READ_PATHS[at % READ_PATHS.length] ?? "";
    const { status, text, ms } = await ask(person, { method: "GET", path });
    if (status === 200) measured.waitsMs.push(ms);
    else measured.errors.push(`${path} ${status} ${text}`);
    await wait(PAUSE_MS);
  }
}

export const measureTeam: MeasureRow = async (bench: Bench) => {
  const rows = sized(bench, 5_000);
  const path = join(bench.folder, "team.csv");
  writeBenchCsv(path, rows, createBenchProducts());
  using sandbox = await serve(bench, ["sandbox", "--json"]);
  const home = join(bench.folder, "home-team");
  const people = await fillServer(home, JSON.parse(sandbox.line));
  const words = ["web", "--server", "--behind-proxy", "--url", ORIGIN, "--port", "0", "--json"];
  const [program, args, { env }] = startCommand(bench, words);
  const server = spawn(program, args, {
    env: { ...env, CATALOG_HOME: home, CATALOG_SECRET_KEY: SECRET_KEY },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(server.stdout, "data");
  const peak = watchPeakMb(server);
  const ask = createAsk(Number(JSON.parse(String(line)).port));
  const measured: Measured = { waitsMs: [], errors: [] };
  const over = new AbortController();
  const sheet = readFileSync(path);
  const readers = people
    .slice(UPLOADERS)
    .map((person) => read(ask, person, { measured, over: over.signal }));
  await Promise.all(
    people.slice(0, UPLOADERS).map((person) => upload(ask, person, sheet, measured)),
  );
  over.abort();
  await Promise.all(readers);
  server.kill("SIGINT");
  const waits = measured.waitsMs.toSorted((a, b) => a - b);
  const value = waits[Math.floor(waits.length * SHARE)] ?? Number.NaN;
  const what = `${UPLOADERS} people upload ${rows} rows, ${READERS} read`;
  const figure = { row: ROW, peer: "", unit: "ms" } as const;
  return [
    {
      ...figure,
      what: `${what}: 95th percentile`,
      ours: `${waits.length} answers`,
      value,
      limit: 300,
    },
    {
      row: ROW,
      what: `${what}: refused or failed`,
      ours: measured.errors[0] ?? "none",
      peer: "",
      value: measured.errors.length,
      limit: 0,
      unit: "calls",
    } satisfies Figure,
    memory(ROW, `${what}: server with its commands`, [await peak, 600]),
  ];
};
