/** One simulated world from its first event to its last, and the rules that were broken. */

import {
  type ApplyEnd,
  PRICE_UNIT_CODE,
  type RowRecord,
  type RowState,
  sendsStock,
} from "@catalog/runs";
import { joinParts } from "@catalog/runs/testing";

import { createOracle, type Oracle } from "../oracle/oracle.ts";
import { createTimeline, type Timeline } from "../timeline.ts";
import { playActions } from "./action-world.ts";
import { playDrafts } from "./draft-world.ts";
import { playExport } from "./export-world.ts";
import type { FaultWeather } from "./faults.ts";
import { playFeeds } from "./feed-world.ts";
import { createHomes, type Home, scheduleRestoring } from "./homes.ts";
import { createJournalPort } from "./journal-port.ts";
import { createMarket, type Market } from "./market.ts";
import { createMarketplacePort, ReadFailed } from "./marketplace-port.ts";
import { scheduleOthers } from "./other-writers.ts";
import { runProgram } from "./program.ts";
import { afterImmediates, drawPruning, pruneRun } from "./pruning.ts";
import { createRandom, type Random } from "./random.ts";
import { drawScenario, type Operator, type Scenario, type Sheet, type Start } from "./scenario.ts";
import { createSimProcess, START_MS } from "./sim-process.ts";

export interface WorldResult {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly steps: number;
  readonly simulatedMs: number;
  readonly starts: number;
  readonly deaths: number;
  /** Runs that were archived or pruned. */
  readonly pruned: number;
  readonly rows: number;
  readonly held: number;
  /** Duplicate products of two homes, or of a home and its copy, that could not be avoided. */
  readonly excused: number;
  /** Whether the export found the store still. */
  readonly isConsistent: boolean;
}

export { isStoreDurable } from "../oracle/oracle.ts";

export interface WorldOptions {
  /** Result of {@link isStoreDurable}. @default true */
  readonly isDurable?: boolean;
  /** Called with every event, in order. */
  readonly onEvent?: ((text: string) => void) | undefined;
}

/** Plays the world of a seed. The same seed gives the same events. */
export async function playWorld(seed: number, options: WorldOptions = {}): Promise<WorldResult> {
  const world = await createWorld(seed, options);
  const { timeline, oracle, scenario, counts } = world;
  for (const operator of scenario.operators) operate(world, operator);
  await timeline.play();
  await reconcileAgain(world);
  await oracle.judge();
  const held = (await readHeld(world)).length;
  for (const { disks } of world.homes) for (const disk of disks) disk.close?.();
  const exported = await playExport(world.random.fork("export"));
  const fed = await playFeeds(world.random.fork("feeds"));
  const drafted = playDrafts(world.random.fork("drafts"));
  const acted = await playActions(world.random.fork("actions"), options.onEvent);
  return {
    seed,
    broken: [...oracle.broken, ...exported.broken, ...fed, ...drafted, ...acted],
    isConsistent: exported.isConsistent,
    steps: timeline.steps,
    simulatedMs: timeline.nowMs,
    ...counts,
    rows: scenario.sheets.reduce((sum, { rows }) => sum + rows.length, 0),
    held,
    excused: oracle.excusedDoubles,
  };
}

interface World {
  readonly seed: number;
  readonly random: Random;
  readonly scenario: Scenario;
  readonly timeline: Timeline;
  readonly market: Market;
  readonly homes: readonly Home[];
  readonly oracle: Oracle;
  readonly counts: { starts: number; deaths: number; pruned: number };
  readonly onEvent: WorldOptions["onEvent"];
  /** Whether the faults have ended. */
  readonly calm: { isHere: boolean };
  readonly weather: () => FaultWeather | undefined;
  readonly skewMs: () => number;
}

/** When the faults end. */
const CALM_AT_MS = 6 * 3_600_000;

async function createWorld(seed: number, options: WorldOptions): Promise<World> {
  const { onEvent, isDurable = true } = options;
  const random = createRandom(seed);
  const scenario = drawScenario(random.fork("scenario"));
  const isPruned = isDurable && drawPruning(random.fork("pruning"), scenario);
  const schedule = random.fork("schedule");
  const timeline = createTimeline({ random: schedule, onEvent, drain: afterImmediates });
  const nowMs = (): number => timeline.nowMs;
  const market = createMarket({ ...scenario, nowMs, random: random.fork("market") });
  let skewMs = 0;
  const clock = { now: (): number => START_MS + timeline.nowMs + skewMs };
  const homes = await createHomes({ scenario, isDurable, isPruned, clock });
  const oracle = createOracle({ scenario, market, timeline, homes });

  const calm = { isHere: false };
  for (const { atMs, byMs } of scenario.jumps) {
    timeline.add(atMs, undefined, () => {
      skewMs += byMs;
    });
  }
  scheduleOthers({ scenario, timeline, market, onEvent });
  scheduleRestoring({ scenario, timeline, homes, onEvent });
  return {
    seed,
    random,
    scenario,
    timeline,
    market,
    homes,
    oracle,
    onEvent,
    counts: { starts: 0, deaths: 0, pruned: 0 },
    calm,
    weather: () => (calm.isHere || timeline.nowMs >= CALM_AT_MS ? undefined : scenario.weather),
    skewMs: () => skewMs,
  };
}

/** Starts within which a run must end once the faults have ended. */
const MAX_CALM_STARTS = 8;

const BUSY_AGAIN_MS = 5_000;

/** Starts the program for a run until no row of it is open. */
function operate(world: World, { runId, starts }: Operator): void {
  const { timeline, scenario, oracle } = world;
  const sheet = sheetOf(scenario, runId);
  let calmStarts = 0;

  const startNext = (index: number): void => {
    const start = starts[index];
    if (start !== undefined) {
      timeline.add(start.delayMs, undefined, () => begin(start, () => startNext(index + 1)));
      return;
    }
    if (calmStarts >= MAX_CALM_STARTS) {
      oracle.break("I14", `${runId} does not come to an end`);
      return;
    }
    calmStarts += 1;
    const waitMs = Math.max(0, CALM_AT_MS - timeline.nowMs) + BUSY_AGAIN_MS;
    timeline.add(waitMs, undefined, () => begin(CALM, () => startNext(index)));
  };
  const begin = (start: Start, next: () => void): void => {
    if (scenario.isLocked && homeOf(world, sheet).lock.isHeld) {
      timeline.add(BUSY_AGAIN_MS, undefined, () => begin(start, next));
      return;
    }
    void startUntilEnd(world, { sheet, start, next });
  };
  startNext(0);
}

interface ProgramStart {
  readonly sheet: Sheet;
  readonly start: Start;
  /** Called when a row of the run is still open. */
  readonly next: () => void;
}

async function startUntilEnd(world: World, { sheet, start, next }: ProgramStart): Promise<void> {
  await startProgram(world, sheet, start);
  await releaseSome(world, sheet);
  if (await isOpen(world, sheet)) next();
  else await pruneRun({ ...world, home: homeOf(world, sheet) }, sheet);
}

/** A person reviews rows held for changed products, and releases some. */
async function releaseSome(world: World, sheet: Sheet): Promise<void> {
  const { runId } = sheet;
  const { scenario, random, counts, oracle } = world;
  const [disk] = homeOf(world, sheet).disks;
  if (disk === undefined) return;
  const person = random.fork(`person ${counts.starts}`);
  const held = await disk.journal.readRows(runId, { states: ["held"], limit: 100 });
  const changed = held.filter(isHeldForChange);
  const guarded = held.filter(isHeldForPrice);
  for (const { row, changes } of [...changed, ...guarded]) {
    if (!person.chance(scenario.releaseShare)) continue;
    const args = [
      { runId, row, from: "held" },
      { to: "ready", cause: "released-resend", issues: [], changes: joinParts(changes) },
    ] as const;
    world.onEvent?.(`somebody lets ${runId}/${row} go`);
    oracle.released({ runId, row });
    disk.note("recordOutcome");
    await disk.journal.recordOutcome(...args);
  }
}

/** A price in an unknown unit is released by nobody. */
const isHeldForChange = ({ issues }: RowRecord): boolean =>
  issues.some(({ code }) => code === "E_CHANGED") &&
  !issues.some(({ code }) => code === PRICE_UNIT_CODE);

const isHeldForPrice = ({ issues }: RowRecord): boolean =>
  issues.length > 0 && issues.every(({ code }) => code === "E_GUARD_PRICE_RISE");

const CALM: Start = { delayMs: 0, death: undefined, stopAt: undefined };

function homeOf({ homes }: World, { home: number }: Sheet): Home {
  const home = homes.find((each) => each.number === number);
  if (home === undefined) throw new Error(`there is no home ${number}`);
  return home;
}

function sheetOf({ sheets }: Scenario, runId: string): Sheet {
  const sheet = sheets.find((each) => each.runId === runId);
  if (sheet === undefined) throw new Error(`there is no sheet of ${runId}`);
  return sheet;
}

/** One process, from its start to its end or its death. */
async function startProgram(world: World, sheet: Sheet, start: Start): Promise<void> {
  const { timeline, scenario, market, oracle, counts } = world;
  const home = homeOf(world, sheet);
  const { lock } = home;
  counts.starts += 1;
  const name = `p${counts.starts}`;
  const random = world.random.fork(name);
  const disk = home.diskOf(random.fork("address"));
  const stop = new AbortController();
  const { promise: died, resolve: onDeath } = Promise.withResolvers<void>();
  const { skewMs } = world;
  const process = createSimProcess({
    name,
    timeline,
    random,
    skewMs,
    death: start.death,
    onTrace: world.onEvent,
    onDeath: () => {
      counts.deaths += 1;
      world.onEvent?.(`${name} dies`);
      onDeath();
    },
  });
  process.onYield = (count) => {
    if (count === start.stopAt) stop.abort(new Error("interrupted"));
  };
  lock.isHeld = true;
  const end = runProgram({
    sheet,
    process,
    ...scenario,
    stop: stop.signal,
    codes: home.codes,
    journal: createJournalPort({
      journal: home.codes.watch(disk.journal),
      process,
      isTraced: world.onEvent !== undefined,
      onOutcome: oracle.recorded,
      onHeld: oracle.held,
      onDecide: (...plan) => oracle.decided(process, ...plan),
      onCall: (call) => disk.note(call.name),
    }),
    marketplace: createMarketplacePort({
      process,
      runId: sheet.runId,
      line: home.line(),
      pages: scenario.pages,
      market,
      timeline,
      weather: world.weather,
      watch: oracle,
      random: random.fork("wire"),
      ready: async () => disk.note("ready"),
      serverNowMs: () =>
        scenario.serverClock.isTold
          ? START_MS + timeline.nowMs + scenario.serverClock.aheadMs
          : undefined,
    }),
    onRecheck: (what) => oracle.rechecked(process, what, home.number),
  });
  await Promise.race([died, end.then(...toOutcome(world, stop.signal, name))]);
  if (process.isDead && scenario.losesPower) await disk.losePower(random.between(1, 3));
  lock.isHeld = false;
}

/** The journal's error for a row that another process has moved. */
const MOVED_ELSEWHERE = / is not | was recovered by another process/u;

/** Errors with which a program may end; any other is a bug. */
function toOutcome(
  { oracle, scenario, onEvent }: World,
  stop: AbortSignal,
  name: string,
): [(end: ApplyEnd) => void, (error: unknown) => void] {
  return [
    (end) => onEvent?.(`${name} ends: ${end}`),
    (error) => {
      onEvent?.(`${name} fails: ${String(error)}`);
      if (error instanceof ReadFailed || error === stop.reason) return;
      // Another process has moved the row meanwhile, which the journal must refuse.
      const isBeaten = !scenario.isLocked && MOVED_ELSEWHERE.test(String(error));
      if (!isBeaten) oracle.break("bug", String(error));
    },
  ];
}

async function isOpen(world: World, sheet: Sheet): Promise<boolean> {
  const open = await readRows(world, sheet, OPEN);
  return open.length > 0 || (await readRows(world, sheet, ["held"])).some(sendsStock);
}

/** Rows of a sheet, on any disk of its home. */
async function readRows(
  world: World,
  sheet: Sheet,
  states: readonly RowState[],
): Promise<readonly RowRecord[]> {
  const rows: RowRecord[] = [];
  for (const { journal } of homeOf(world, sheet).disks) {
    rows.push(...(await journal.readRows(sheet.runId, { states, limit: 100 })));
  }
  return rows;
}

const OPEN = ["parsed", "ready", "sending", "ambiguous"] as const;

/** At the end, one more start must reconcile what it can, and send nothing again. */
async function reconcileAgain(world: World): Promise<void> {
  const { scenario, market, oracle } = world;
  world.calm.isHere = true;
  // A copy that was restored late has open rows.
  if (scenario.restoring !== undefined) await startAll(world);
  const before = market.writes;
  const mayGo = await countRefused(world);
  await startAll(world);
  await startAll(world);
  if (scenario.policy === "hold" && market.writes > before + mayGo) {
    oracle.break("I11", "a run that was over sent something again");
  }
}

async function startAll(world: World): Promise<void> {
  for (const sheet of world.scenario.sheets) {
    await Promise.all([startProgram(world, sheet, CALM), world.timeline.play()]);
  }
}

/** Number of refused adds that are sent again after a lookup has proven that they had no effect. */
async function countRefused(world: World): Promise<number> {
  const held = await readHeld(world);
  return held.filter(({ issues }) => issues.some(({ code }) => code === "E_REFUSED_OPEN")).length;
}

async function readHeld(world: World): Promise<readonly RowRecord[]> {
  const held = await Promise.all(
    world.scenario.sheets.map((sheet) => readRows(world, sheet, ["held"])),
  );
  return held.flat();
}
