/**
 * A queued import that two workers send on one PostgreSQL database, while they are killed at random,
 * mostly with what they have started, each time replaced by a new one. Between the kills the server
 * is killed, connections end, machines sleep or are gone, and the job is lost or done twice.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { createTestDatabase, startPostgres } from "@catalog/database/testing";
import { startSandbox, type Sandbox } from "@catalog/sandbox";

import { type CatalogProcess, startCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { createRandom } from "../simulation/world/random.ts";
import { type Times, watchAdds } from "./storm/add-watch.ts";
import {
  FAULT_EVERY,
  type FaultName,
  FAULTS,
  killWorker,
  type Storm,
  STORM_FAULTS,
} from "./storm/faults.ts";
import { type JobTable, openJobTable } from "./storm/job-table.ts";
import { openMachine, type StartIn } from "./storm/machine.ts";

export { type FaultName, STORM_FAULTS };

export interface WorkerStormOptions {
  readonly rows: number;
  readonly kills: number;
  readonly seed: number;
  /** Faults beside the kills. @default all */
  readonly faults?: readonly FaultName[];
  /** Kills to one fault of each kind. @default as often as each kind takes time */
  readonly faultEvery?: number | undefined;
  readonly onProgress?: (text: string) => void;
}

export interface WorkerStormResult {
  /** Number of killed workers. */
  readonly kills: number;
  /** Number of the other faults. */
  readonly faults: Readonly<Record<string, number>>;
  /** Requests to add, products of the marketplace, and how many of them have the code of another. */
  readonly adds: number;
  readonly products: number;
  readonly doubles: number;
  /** Exit code of `resume` after the end, and the counts of the rows. */
  readonly exit: number | null;
  readonly counts: Readonly<Record<string, number>>;
  /** How the job ended that was written again after the end of the run. */
  readonly again: string;
  /** Longest time between two adds, in milliseconds. */
  readonly maxPauseMs: number;
  /** The same, and the time until a worker has started the command, by what was done before. */
  readonly pausesMs: Times;
  readonly takeOversMs: Times;
  /** What happened by itself, and how often: ends of workers, of commands and of jobs. */
  readonly ends: Readonly<Record<string, number>>;
}

export async function playWorkerStorm(options: WorkerStormOptions): Promise<WorkerStormResult> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-storm-"));
  await using server = await startPostgres();
  await using database = await createTestDatabase({ server: server.url });
  const sandbox = await startSandbox({ latencyMs: 5 });
  try {
    const file = await writeWorkbook(folder, "products.xlsx", goodRows(options.rows));
    const start = createStart(sandbox, folder, database.url);
    const asked = start("asked", "import", file, "--queue", "--yes", "--json");
    const jobs = await openJobTable(database);
    const played = await playAll(options, { sandbox, server, start, jobs, asked });
    return { ...played, ...(await readResult(sandbox, start, jobs)) };
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function createStart(sandbox: Sandbox, folder: string, database: string): StartIn {
  const credentials = {
    CATALOG_BASE_URL: sandbox.baseUrl,
    CATALOG_CLIENT_KEY: sandbox.clientKey,
    CATALOG_CLIENT_SECRET: sandbox.clientSecret,
    CATALOG_STORE_ID: sandbox.storeId,
    CATALOG_DATABASE_URL: database,
    // The hourly limit is not tested here.
    CATALOG_REQUESTS_PER_HOUR: "10000000",
  };
  return (home, ...args) =>
    startCatalog(args, {
      env: { ...credentials, CATALOG_HOME: `${folder}/${home}` },
      cwd: folder,
    });
}

interface Opened extends Pick<Storm, "server" | "start" | "jobs"> {
  readonly sandbox: Sandbox;
  /** The command that has queued the import. */
  readonly asked: CatalogProcess;
}

type Played = Pick<
  WorkerStormResult,
  "kills" | "faults" | "again" | "maxPauseMs" | "pausesMs" | "takeOversMs" | "ends"
>;

async function playAll(options: WorkerStormOptions, opened: Opened): Promise<Played> {
  const { sandbox, jobs, start } = opened;
  const overseer = overseeJob(jobs);
  const { isOver, count } = overseer;
  const countAdds = (): number => sandbox.stats().adds;
  using watch = watchAdds({ countAdds, isOver });
  const open = (home: string): Storm["machines"][0] =>
    openMachine({
      home,
      start,
      onStarted: () => watch.noteStarted(),
      onEnded: (end) => count(`worker ${end}`),
    });
  const machines = [open("one"), open("two")] as const;
  const storm: Storm = {
    ...opened,
    watch,
    machines,
    random: createRandom(options.seed),
    countAdds,
    isOver,
    absence: overseer.absence,
    counts: { kills: 0 },
    onByHand: (end) => count(`by hand ${end}`),
  };
  try {
    const faults = await playFaults(storm, options);
    while (!isOver()) await wait(OVERSEE_MS);
    opened.asked.child.kill("SIGINT");
    await opened.asked.finished;
    const { pausesMs, takeOversMs } = watch;
    const maxPauseMs = Math.max(0, ...Object.values(pausesMs));
    const again = await doAgain(jobs);
    const { kills } = storm.counts;
    return { kills, faults, again, maxPauseMs, pausesMs, takeOversMs, ends: overseer.ends() };
  } finally {
    overseer.stop();
    for (const machine of machines) await machine.close();
  }
}

/** Share of the open rows that are added until the last kill, so that the import does not end before. */
const ADDS_SHARE = 0.5;

/** Plays kills and, in between, the other faults; returns how often each was played. */
async function playFaults(
  storm: Storm,
  { rows, kills: wanted, faults = STORM_FAULTS, faultEvery, onProgress }: WorkerStormOptions,
): Promise<Played["faults"]> {
  const { watch, random, counts, countAdds } = storm;
  const played = new Map<FaultName, number>();
  const untilNext = (): Promise<boolean> => {
    const perKill = (rows - countAdds()) / (wanted - counts.kills);
    return watch.untilAdds(random.between(1, Math.max(1, Math.floor(ADDS_SHARE * 2 * perKill))));
  };
  while (counts.kills < wanted && (await untilNext())) {
    await killWorker(storm);
    for (const name of faults) {
      const times = played.get(name) ?? 0;
      const every = faultEvery ?? Math.min(FAULT_EVERY[name], wanted);
      const isNext = counts.kills >= every * (times + 0.5);
      if (!isNext || !(await watch.untilAdds(1))) continue;
      onProgress?.(`${name}, after ${counts.kills} kills`);
      played.set(name, times + 1);
      await FAULTS[name](storm);
    }
    onProgress?.(`${counts.kills} kills`);
  }
  return Object.fromEntries(played);
}

const OVERSEE_MS = 500;

interface Overseer {
  readonly isOver: () => boolean;
  readonly absence: Storm["absence"];
  readonly count: (what: string) => void;
  readonly ends: () => WorkerStormResult["ends"];
  readonly stop: () => void;
}

/** Queues the run again where its job has ended and rows are open, as a person does. */
function overseeJob(jobs: JobTable): Overseer {
  const ends = new Map<string, number>();
  const count = (what: string): void => void ends.set(what, (ends.get(what) ?? 0) + 1);
  const absence = { isWanted: false };
  let isOver = false;
  const stop = new AbortController();
  const { signal } = stop;
  const oversee = async (): Promise<void> => {
    while (!isOver && !signal.aborted) {
      await wait(OVERSEE_MS);
      if (signal.aborted || absence.isWanted) continue;
      const end = await jobs.readEnd();
      isOver = (await jobs.countOpenRows()) === 0;
      if (isOver || end === undefined || absence.isWanted) continue;
      count(`job ${end}`);
      await jobs.write();
    }
  };
  void oversee();
  return {
    isOver: () => isOver,
    absence,
    count,
    ends: () => Object.fromEntries(ends),
    stop: () => stop.abort(),
  };
}

/** Writes the job once more when the run is over, and returns how the workers end it. */
async function doAgain(jobs: JobTable): Promise<string> {
  let end = await jobs.readEnd();
  // The command that follows the job removes it at its end.
  for (; end === undefined; end = await jobs.readEnd()) await wait(OVERSEE_MS);
  await jobs.write();
  end = await jobs.readEnd();
  for (; end === undefined; end = await jobs.readEnd()) await wait(OVERSEE_MS);
  return end;
}

type Result = Pick<WorkerStormResult, "adds" | "products" | "doubles" | "exit" | "counts">;

async function readResult(sandbox: Sandbox, start: StartIn, { run }: JobTable): Promise<Result> {
  const { code, out } = await start("asked", "resume", run, "--no-files", "--json").finished;
  const { counts }: Pick<WorkerStormResult, "counts"> = JSON.parse(out);
  const codes = sandbox.products().map(({ product_code }) => product_code);
  const doubles = codes.length - new Set(codes).size;
  return { adds: sandbox.stats().adds, products: codes.length, doubles, exit: code, counts };
}
