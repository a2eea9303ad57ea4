import { createFakeClock } from "@catalog/clock/testing";
import { type Connection, openConnection } from "@catalog/connection";
import { createTestConnection, storeRun } from "@catalog/connection/testing";
import type { EndedCommand, StartCommand } from "@catalog/jobs";
import { describe, expect, it, onTestFinished } from "vitest";

import { createRates, estimateSending, RunJobs } from "../../src/server/runs/run-jobs.ts";
import { nameRunsIn, readRunList } from "../../src/server/runs/run-summary.ts";
import { toNotes } from "../../src/server/runs/run-view.ts";
import { RequestError } from "../../src/server/site.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const AYSE = { name: "ayse", id: 7 };

const FILE = { path: "", sha256: "", kind: "csv", sheet: "", headerRow: 1, header: [] } as const;

/** A file of a person, and then the syncs of two days. */
async function openHistory(syncs: number): Promise<Connection> {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const connection = await openConnection({
    home: createFolder(),
    baseUrl: "http://127.0.0.1:9",
    storeId: "s",
    credentials: { clientKey: "key", clientSecret: "secret" },
    clock,
    random: () => 0,
  });
  onTestFinished(() => connection[Symbol.asyncDispose]());
  const create = (id: string, command: string, name: string): Promise<boolean> =>
    connection.runs.create({
      id,
      command,
      file: { ...FILE, name },
      mode: "upsert",
      lang: "tr",
      reportDir: "",
      warnings: [],
    });
  await create("r-file", "import", "Kış Listesi.xlsx");
  for (let sync = 0; sync < syncs; sync += 1) await create(`r-sync-${sync}`, "sync", "stok.csv");
  return connection;
}

it("has every run, page by page, and finds a file behind any number of syncs", async () => {
  const connection = await openHistory(230);
  const jobs = new RunJobs(() => {
    throw new Error("no command is started");
  });
  const idsOf = async (query: Parameters<typeof readRunList>[1]) => {
    const { runs, next } = await readRunList({ connection, jobs }, query, "tr");
    return { ids: runs.map(({ id }) => id), next };
  };

  const all: string[] = [];
  for (let after: string | undefined; ;) {
    const { ids, next } = await idsOf({ after });
    all.push(...ids);
    if (next === null) break;
    after = next;
  }

  expect([all.length, new Set(all).size]).toEqual([231, 231]);
  expect(await idsOf({ kind: "import" })).toEqual({ ids: ["r-file"], next: null });
  expect(await idsOf({ text: "KIS LİSTE" })).toEqual({ ids: ["r-file"], next: null });
  expect(await idsOf({ kind: "undo" })).toEqual({ ids: [], next: null });
  expect(await idsOf({ after: "r-none" })).toEqual({ ids: [], next: null });
});

const FILE_RUN = "r-261121-0930-4f2a";
const UNDO = "r-261122-0930-0a0a";

it("names runs by file and time in every text of a document, and leaves unknown ones", async () => {
  const { connection } = await createTestConnection();
  await storeRun(connection, { id: FILE_RUN, header: ["Ürün Kodu"], rows: [] });
  await storeRun(connection, { id: UNDO, header: ["Ürün Kodu"], rows: [] });
  await connection.runs.update(UNDO, { progress: { undoOf: FILE_RUN } });
  const texts = {
    warnings: [`${FILE_RUN} çalıştırmasında 9 satır hâlâ karar bekliyor.`],
    problem: { message: `“${UNDO}” çalıştırmasının planı yarım kalmış.` },
    rows: 9,
    other: `r-261122-0930-ffff çalıştırmasında`,
  };

  const named = await nameRunsIn(connection, texts, "tr");
  const english = await nameRunsIn(connection, [`9 rows of ${FILE_RUN} still wait.`], "en");

  expect(named).toEqual({
    warnings: ["“urunler.xlsx” (21 Kas 2026 12:30) gönderiminde 9 satır hâlâ karar bekliyor."],
    problem: {
      message: "“urunler.xlsx” için geri alma (21 Kas 2026 12:30) gönderiminin planı yarım kalmış.",
    },
    rows: 9,
    other: "r-261122-0930-ffff çalıştırmasında",
  });
  expect(english).toEqual(["9 rows of “urunler.xlsx” (21 Nov 2026, 12:30) still wait."]);
});

const warning = (code: string) => ({ code, message: { tr: code, en: code } });

it("calls a fact about the file a note, and what may be lost a warning", () => {
  const warnings = [warning("W_COLUMN_NOT_SENT"), warning("W_ROWS_EXCLUDED")];

  expect(toNotes({ facts: null }, warnings, "tr")).toEqual({
    notes: ["W_COLUMN_NOT_SENT"],
    warnings: ["W_ROWS_EXCLUDED"],
  });
});

const RUN = { id: "r-1", requests: { token: 0, read: 10, write: 3_000 } };

interface Store {
  /** Calls of each minute of the latest run. */
  readonly minutes?: readonly number[];
  readonly requests?: { readonly read: number; readonly write: number };
  readonly requestsPerHour?: number;
}

/** Estimates 20,000 calls in a store with such a latest run. */
async function estimate({ minutes = [], requests, requestsPerHour }: Store): Promise<unknown> {
  const { connection } = await createTestConnection({ requestsPerHour });
  const { meters } = connection;
  const run = { ...RUN, requests: { ...RUN.requests, ...requests } };
  const store: Parameters<typeof estimateSending>[0] = {
    runs: { list: async () => [run] },
    meters: {
      ...meters,
      callLog: {
        read: async () => minutes.map((calls, minute) => ({ minute, calls, perHour: null })),
      },
    },
  };
  return await estimateSending(store, 20_000);
}

it("counts settled rows per minute anew once a person has let held rows go", async () => {
  const clock = createFakeClock();
  const seen = createRates(clock);
  const rates: (number | null)[] = [];
  for (const settled of [8, 4, 5, 6]) {
    rates.push(seen.rateOf("r-1", settled));
    await clock.advance(6_000);
  }

  expect(rates).toEqual([null, null, 10, 10]);
});

describe("the time that sending takes", () => {
  it("is not told where nothing was sent here and calls are not limited", async () => {
    expect(await estimate({})).toBeNull();
    expect(await estimate({ requestsPerHour: 100_000 })).toBeNull();
  });

  it("follows the full minutes of the latest sending", async () => {
    expect(await estimate({ minutes: [100, 1_000, 1_000, 30] })).toBe(1_200);
  });

  it("is not taken from a run that only read the store, or was too short", async () => {
    const read = { read: 3_000, write: 10 };

    expect(await estimate({ minutes: [100, 9_000, 9_000, 30], requests: read })).toBeNull();
    expect(await estimate({ minutes: [100, 9_000] })).toBeNull();
  });

  it("is that of the hourly limit where that is slower", async () => {
    const hour = 3_600;

    const known = await estimate({ minutes: [100, 1_000, 1_000, 30], requestsPerHour: 1_000 });

    expect(Number(known)).toBeGreaterThan(18 * hour);
    expect(Number(await estimate({ requestsPerHour: 1_000 }))).toBeGreaterThan(18 * hour);
  });
});

interface FakeCommand {
  readonly words: readonly string[];
  stops: number;
  readonly end: (ended?: Partial<EndedCommand>) => Promise<void>;
}

/** Commands that do nothing until they are ended. */
function createFakeCommands(): {
  readonly start: StartCommand;
  readonly commands: readonly FakeCommand[];
} {
  const commands: FakeCommand[] = [];
  const start: StartCommand = (words) => {
    const { promise, resolve } = Promise.withResolvers<EndedCommand>();
    const command: FakeCommand = {
      words,
      stops: 0,
      async end(ended = {}) {
        resolve({ exit: 0, document: {}, errors: "", ...ended });
        await promise;
      },
    };
    commands.push(command);
    return {
      pid: 1,
      ended: promise,
      onProgress: () => undefined,
      stop: () => {
        command.stops += 1;
      },
      kill: () => undefined,
    };
  };
  return { start, commands };
}

const CUT_OFF = { exit: 137, document: undefined } as const;
const BROKEN = { document: { error: { code: "E_BREAKER", message: "Mağaza yanıt vermiyor." } } };

describe("RunJobs", () => {
  it("tells a pause from a failure, also of a command that could not listen yet", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply"], AYSE);

    const isAsked = jobs.pause("r1");
    const whileStopping = [jobs.isSending("r1"), jobs.isPaused("r1")];
    await commands[0]?.end(CUT_OFF);

    expect([isAsked, ...whileStopping]).toEqual([true, true, false]);
    expect([jobs.isSending("r1"), jobs.isPaused("r1")]).toEqual([false, true]);
    expect(jobs.problemOf("r1", "tr")).toBeNull();
  });

  it("tells of a command that was cut off by nobody on the page", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply"], AYSE);

    await commands[0]?.end(CUT_OFF);

    expect(jobs.problemOf("r1", "tr")?.code).toBe("E_COMMAND");
    expect(jobs.isPaused("r1")).toBe(false);
  });

  it("takes a failure for the end where a pause came too late", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply"], AYSE);

    jobs.pause("r1");
    await commands[0]?.end(BROKEN);

    expect(jobs.problemOf("r1", "tr")?.code).toBe("E_BREAKER");
    expect(jobs.isPaused("r1")).toBe(false);
  });

  it("asks a command once, as a second signal would cut it off", () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply"], AYSE);

    jobs.pause("r1");
    jobs.pause("r1");

    expect(commands[0]?.stops).toBe(1);
  });

  it("starts one command at a time for a run, and another one after its end (#37)", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);

    const isStarted = [1, 2, 3, 4].map(() => jobs.send("r1", ["apply"], AYSE));
    const ofOther = jobs.send("r2", ["apply"], AYSE);
    await commands[0]?.end(BROKEN);
    const later = jobs.send("r1", ["resume"], AYSE);

    expect(isStarted).toEqual([true, false, false, false]);
    expect([ofOther, later, commands.length]).toEqual([true, true, 3]);
  });

  it("knows the words of an approval that was paused, until the workers go on with its run", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);
    jobs.send("r1", ["apply", "--canary=3"], AYSE);
    jobs.pause("r1");
    await commands[0]?.end(CUT_OFF);

    const known = [jobs.wordsOf("r1"), jobs.wordsOf("r2"), jobs.isPaused("r1")];
    jobs.forget("r1");

    expect(known).toEqual([["apply", "--canary=3"], null, true]);
    expect([jobs.wordsOf("r1"), jobs.isPaused("r1")]).toEqual([null, false]);
  });

  it("takes a plan that is made from a run for no sending of it", async () => {
    const { start, commands } = createFakeCommands();
    const jobs = new RunJobs(start);

    const words = ["--", "r1"];
    const ended = jobs.prepare(
      { folder: "/h" },
      { of: "r1", what: "undo", words, lang: "tr", by: AYSE },
    );
    const during = [jobs.isSending("r1"), jobs.preparation("r1"), jobs.preparation("r2")];
    const ofStore = jobs.preparation();
    await commands[0]?.end(BROKEN);

    await expect(ended).rejects.toThrow(RequestError);
    expect([...during, ofStore]).toEqual([false, "undo", null, "undo"]);
    expect([jobs.preparation("r1"), jobs.preparation()]).toEqual([null, null]);
    expect(jobs.problemOf("r1", "tr")).toBeNull();
  });
});
