/**
 * Rows 28 and 29: fifty people at once on a server, of whom ten upload sheets and forty read; and what
 * memory the server has after half an hour of uploads, corrections and removals.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as sendRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { openTeam } from "@catalog/connection";
import { makeFolder } from "@catalog/i18n";
import { parseSecretKeys } from "@catalog/team";

import { residentMb, watchPeakMb } from "../../helpers/processes/process-memory.ts";
import { createBenchProducts, writeBenchCsv } from "../bench-sheet.ts";
import {
  type Bench,
  type Figure,
  type MeasureRow,
  median,
  megabytes,
  memory,
  serve,
  seconds,
  sized,
  startCommand,
} from "../bench-tools.ts";
import type { Credentials } from "../credentials.ts";

const ROW = 28;
const MEMORY_ROW = 29;
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
  readonly method: "GET" | "POST" | "DELETE";
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

interface CheckedDraft {
  readonly id: string;
  readonly version: number;
  readonly progress: unknown;
}

/** Uploads the sheet, and waits until its rows are checked. */
async function upload(
  ask: Ask,
  person: Person,
  sheet: Buffer,
  { errors }: Measured,
): Promise<CheckedDraft | undefined> {
  const type = { "content-type": "application/octet-stream", "x-file-name": "bench.csv" };
  const made = await ask(person, { method: "POST", path: "/uploads", headers: type, body: sheet });
  if (made.status !== 201) return fail(errors, `upload ${made.status} ${made.text}`);
  const { id }: { readonly id: string } = JSON.parse(made.text);
  for (;;) {
    const { status, text } = await ask(person, { method: "GET", path: `/drafts/${id}` });
    if (status !== 200) return fail(errors, `draft ${status} ${text}`);
    const draft: CheckedDraft = JSON.parse(text);
    if (draft.progress === null) return draft;
    await wait(PAUSE_MS);
  }
}

function fail(errors: string[], text: string): undefined {
  errors.push(text);
}

interface Reading {
  readonly measured: Measured;
  readonly over: AbortSignal;
  /** People do not begin at the same moment. */
  readonly startMs: number;
}

async function read(ask: Ask, person: Person, { measured, over, startMs }: Reading): Promise<void> {
  await wait(startMs);
  for (let at = 0; !over.aborted; at += 1) {
    const path = READ_PATHS[at % READ_PATHS.length] ?? "";
    const { status, text, ms } = await ask(person, { method: "GET", path });
    if (status === 200) measured.waitsMs.push(ms);
    else measured.errors.push(`${path} ${status} ${text}`);
    await wait(PAUSE_MS);
  }
}

interface TeamServer {
  readonly people: readonly Person[];
  readonly ask: Ask;
  readonly process: ChildProcess;
  /** Its peak with that of its commands, once it has ended. */
  readonly peakMb: Promise<number>;
  close(): void;
}

/** Starts a server with a store and fifty people; whoever calls it ends it. */
async function startTeam(bench: Bench, name: string): Promise<TeamServer> {
  const sandbox = await serve(bench, ["sandbox", "--json"]);
  const home = join(bench.folder, name);
  const people = await fillServer(home, JSON.parse(sandbox.line));
  const words = ["web", "--server", "--behind-proxy", "--url", ORIGIN, "--port", "0", "--json"];
  const [program, args, { env }] = startCommand(bench, words);
  const server = spawn(program, args, {
    env: { ...env, CATALOG_HOME: home, CATALOG_SECRET_KEY: SECRET_KEY },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(server.stdout, "data");
  return {
    people,
    ask: createAsk(Number(JSON.parse(String(line)).port)),
    process: server,
    peakMb: watchPeakMb(server),
    close() {
      server.kill("SIGINT");
      sandbox[Symbol.dispose]();
    },
  };
}

/** How long the thread that answers has worked, and waited for a processor that others had. */
function describeThread(pid: number): string {
  const [workedNs = "", waitedNs = ""] = readFileSync(
    `/proc/${pid}/task/${pid}/schedstat`,
    "utf8",
  ).split(" ");
  const [worked, waited] = [workedNs, waitedNs].map((ns) => seconds(Number(ns) / 1e6));
  return `the thread that answers worked for ${worked} and waited ${waited} for a processor`;
}

function readAll(
  { ask, people }: TeamServer,
  measured: Measured,
  over: AbortSignal,
): Promise<unknown> {
  const readers = people.slice(UPLOADERS).map((person, at) => {
    const startMs = (PAUSE_MS * at) / READERS;
    return read(ask, person, { measured, over, startMs });
  });
  return Promise.all(readers);
}

export const measureTeam: MeasureRow = async (bench: Bench) => {
  const rows = sized(bench, 5_000);
  const path = join(bench.folder, "team.csv");
  writeBenchCsv(path, rows, createBenchProducts());
  const server = await startTeam(bench, "home-team");
  const { ask, people } = server;
  const measured: Measured = { waitsMs: [], errors: [] };
  const over = new AbortController();
  const sheet = readFileSync(path);
  const reading = readAll(server, measured, over.signal);
  await Promise.all(
    people.slice(0, UPLOADERS).map((person) => upload(ask, person, sheet, measured)),
  );
  over.abort();
  await reading;
  const thread = describeThread(server.process.pid ?? 0);
  server.close();
  const waits = measured.waitsMs.toSorted((a, b) => a - b);
  const value = waits[Math.floor(waits.length * SHARE)] ?? Number.NaN;
  const what = `${UPLOADERS} people upload ${rows} rows, ${READERS} read`;
  const figure = { row: ROW, peer: "", unit: "ms" } as const;
  return [
    {
      ...figure,
      what: `${what}: 95th percentile`,
      ours: `${waits.length} answers; ${thread}`,
      value,
      limit: 300,
    },
    toErrors(ROW, what, measured),
    memory(ROW, `${what}: server with its commands`, [await server.peakMb, 600]),
  ];
};

const toErrors = (row: number, what: string, { errors }: Measured): Figure => ({
  row,
  what: `${what}: refused or failed`,
  ours: errors[0] ?? "none",
  peer: "",
  value: errors.length,
  limit: 0,
  unit: "calls",
});

const SAMPLE_MS = 10_000;
const SMALL_ROWS = 500;
/** One upload after the other, each by a person of their own. */
const CHANGERS = 2;

/** Uploads a sheet, corrects a cell, and removes the draft, again and again. */
async function change(
  { ask }: TeamServer,
  person: Person,
  { sheet, measured, over }: { sheet: Buffer; measured: Measured; over: AbortSignal },
): Promise<void> {
  const { errors } = measured;
  while (!over.aborted) {
    const draft = await upload(ask, person, sheet, measured);
    if (draft === undefined) return;
    const path = `/drafts/${draft.id}`;
    const edits = [{ row: 2, column: 1, value: "7" }];
    const body = Buffer.from(JSON.stringify({ version: draft.version, edits }));
    const headers = { "content-type": "application/json" };
    const edited = await ask(person, { method: "POST", path: `${path}/edits`, headers, body });
    if (edited.status !== 200) fail(errors, `edit ${edited.status} ${edited.text}`);
    const removed = await ask(person, { method: "DELETE", path });
    if (removed.status !== 204) fail(errors, `removal ${removed.status} ${removed.text}`);
  }
}

/** Memory of the server without its commands, in MB, every ten seconds. */
async function sample({ process: { pid } }: TeamServer, over: AbortSignal): Promise<number[]> {
  const samples: number[] = [];
  while (!over.aborted) {
    await wait(SAMPLE_MS);
    samples.push(residentMb(pid ?? 0));
  }
  return samples;
}

export const measureTeamMemory: MeasureRow = async (bench: Bench) => {
  const minutes = sized(bench, 30);
  const path = join(bench.folder, "small.csv");
  writeBenchCsv(path, SMALL_ROWS, createBenchProducts());
  const server = await startTeam(bench, "home-memory");
  const measured: Measured = { waitsMs: [], errors: [] };
  const over = AbortSignal.timeout(minutes * 60_000);
  const sheet = readFileSync(path);
  const changing = server.people
    .slice(0, CHANGERS)
    .map((person) => change(server, person, { sheet, measured, over }));
  const [samples] = await Promise.all([
    sample(server, over),
    readAll(server, measured, over),
    ...changing,
  ]);
  server.close();
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map(median);
  const what = `${minutes} minutes of ${READERS} readers and ${CHANGERS} uploads at a time`;
  return [
    {
      row: MEMORY_ROW,
      what: `${what}: memory of the server, last third to the one before`,
      ours: megabytes(last ?? Number.NaN),
      peer: megabytes(middle ?? Number.NaN),
      value: (last ?? Number.NaN) / (middle ?? Number.NaN),
      limit: 1.1,
      unit: "x",
    },
    toErrors(MEMORY_ROW, what, measured),
  ];
};
