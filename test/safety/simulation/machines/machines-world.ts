/**
 * One simulated world in which two or three machines share a PostgreSQL database: workers with the
 * real loop over jobs, the real leases and the real journal, on a server whose clock is the world's.
 */

import { type Journal, type RowRecord, sendsStock, toCounts } from "@catalog/runs";

import { createOracle } from "../oracle/oracle.ts";
import { createTimeline } from "../timeline.ts";
import { createSimCodeRegistry } from "../world/code-registry.ts";
import { createFullJournal, type Disk, readMoves, STORE } from "../world/disk.ts";
import type { Home } from "../world/homes.ts";
import { createMarket } from "../world/market.ts";
import { scheduleOthers } from "../world/other-writers.ts";
import { toParsedRows } from "../world/program.ts";
import { createRandom } from "../world/random.ts";
import { START_MS } from "../world/sim-process.ts";
import type { WorldOptions, WorldResult } from "../world/world.ts";
import { createStrike, scheduleMishaps, toJob } from "./mishaps.ts";
import { drawPlan, type MachinesPlan } from "./plan.ts";
import { keepWorker, LINE, type Machine, runCommand } from "./process.ts";
import { type MachinesWorld, openShared, type SharedDatabase } from "./shared-database.ts";
import { openQueue } from "./world-queue.ts";

/** Plays the world of a seed. The same seed gives the same events. */
export async function playMachinesWorld(
  seed: number,
  { onEvent }: Pick<WorldOptions, "onEvent"> = {},
): Promise<WorldResult> {
  const plan = drawPlan(createRandom(seed));
  const time = { nowMs: (): number => 0 };
  const runIds = plan.scenario.sheets.map(({ runId }) => runId);
  await using shared = await openShared(runIds, { nowMs: () => time.nowMs() });
  const { world, home } = await createWorld(seed, { plan, shared, onEvent });
  time.nowMs = () => world.timeline.nowMs;
  try {
    return await play(seed, world, home);
  } finally {
    await Promise.all([...world.wires].map((wire) => wire.close()));
  }
}

interface Drawn {
  readonly plan: MachinesPlan;
  readonly shared: SharedDatabase;
  readonly onEvent: WorldOptions["onEvent"];
}

interface Observed extends Home {
  readonly journal: Journal;
}

async function createWorld(
  seed: number,
  { plan, shared, onEvent }: Drawn,
): Promise<{ readonly world: MachinesWorld; readonly home: Observed }> {
  const random = createRandom(seed);
  const { scenario } = plan;
  const drain = (): Promise<void> => shared.activity.drain();
  const timeline = createTimeline({ random: random.fork("schedule"), onEvent, drain });
  const nowMs = (): number => timeline.nowMs;
  const market = createMarket({ ...scenario, nowMs, random: random.fork("market") });
  let skewMs = 0;
  const home = await openHome(plan, shared, nowMs);
  const oracle = createOracle({ scenario, market, timeline, homes: [home] });
  for (const { atMs, byMs } of scenario.jumps) {
    timeline.add(atMs, undefined, () => {
      skewMs += byMs;
    });
  }
  scheduleOthers({ scenario, timeline, market, onEvent });
  const calm = { isHere: false };
  const strike = createStrike(random.fork("strikes"), plan.strikeShare);
  const world: MachinesWorld = {
    random,
    plan,
    timeline,
    market,
    oracle,
    shared,
    machines: plan.machines.map(toMachine),
    wires: new Set(),
    jobs: new Map(),
    counts: { starts: 0, deaths: 0, cuts: 0, takeOvers: 0 },
    calm,
    end: { isHere: false },
    weather: () => (calm.isHere ? undefined : scenario.weather),
    skewMs: () => skewMs,
    strike: (machine) => strike(world, machine),
    onEvent,
  };
  return { world, home };
}

const toMachine = (plan: MachinesPlan["machines"][number], number: number): Machine => ({
  ...plan,
  number,
  processes: new Set(),
  offlineUntilMs: 0,
  suspendedUntilMs: 0,
  suspendedMs: 0,
  stop: new AbortController(),
});

/** The one home of all machines, as the oracle sees it. */
async function openHome(
  { scenario }: MachinesPlan,
  shared: SharedDatabase,
  nowMs: () => number,
): Promise<Observed> {
  const clock = { now: () => Math.floor(START_MS + nowMs()), sleep: () => Promise.resolve() };
  const journal = createFullJournal({ database: shared.observed, clock, store: STORE });
  for (const sheet of scenario.sheets) await journal.appendRows(sheet.runId, toParsedRows(sheet));
  const disk: Disk = {
    journal,
    readMoves: () => readMoves(shared.observed),
    restored: 0,
    note: () => undefined,
    losePower: () => Promise.resolve(),
    copy: () => undefined,
    restore: () => Promise.resolve(),
  };
  return {
    number: 0,
    lock: { isHeld: false },
    disks: [disk],
    diskOf: () => disk,
    codes: createSimCodeRegistry(scenario.sheets.map(({ runId }) => runId)),
    line: () => LINE,
    journal,
  };
}

async function play(seed: number, world: MachinesWorld, home: Observed): Promise<WorldResult> {
  const { timeline, oracle, plan, counts, machines } = world;
  for (const machine of machines) void keepWorker(world, machine);
  scheduleMishaps(world);
  oversee(world, home);
  await timeline.play();
  await reconcileAgain(world, home);
  await oracle.judge();
  const held = await readHeld(world, home);
  return {
    seed,
    broken: [...oracle.broken],
    isConsistent: true,
    steps: timeline.steps,
    simulatedMs: timeline.nowMs,
    starts: counts.starts,
    deaths: counts.deaths,
    pruned: 0,
    rows: plan.scenario.sheets.reduce((sum, { rows }) => sum + rows.length, 0),
    held: held.length,
    excused: oracle.excusedDoubles,
  };
}

const OVERSEE_MS = 7_000;

/** When the faults end. */
const CALM_AT_MS = 20 * 60_000;

/** How often a run is queued within which it must end once the faults have ended. */
const MAX_CALM_JOBS = 8;

/** A person queues each run until no row of it is open, and then stops the workers. */
function oversee(world: MachinesWorld, home: Observed): void {
  const { timeline, plan, oracle, calm, end } = world;
  const jobs = openQueue(world);
  let calmJobs = 0;
  /** Returns whether the run is over, and queues it where it is not. */
  const queue = async (runId: string): Promise<boolean> => {
    const { pending, unknown } = toCounts(await home.journal.countRows(runId));
    const job = await jobs.read(toJob(runId));
    if (job !== undefined && job.result === undefined) return false;
    if (pending + unknown === 0) return true;
    calmJobs += calm.isHere ? 1 : 0;
    world.onEvent?.(`${runId} is queued`);
    await jobs.add({ ...toJob(runId), spec: {} });
    return false;
  };
  const look = async (): Promise<void> => {
    calm.isHere ||= timeline.nowMs >= CALM_AT_MS;
    let isOpen = false;
    for (const { runId } of plan.scenario.sheets) if (!(await queue(runId))) isOpen = true;
    if (isOpen && calmJobs <= MAX_CALM_JOBS * plan.scenario.sheets.length) {
      timeline.add(OVERSEE_MS, undefined, () => void look());
      return;
    }
    if (isOpen) oracle.break("I14", "the runs do not come to an end");
    end.isHere = true;
    for (const { stop } of world.machines) stop.abort();
  };
  timeline.add(0, undefined, () => void look());
}

/** At the end, one more start must reconcile what it can, and send nothing again. */
async function reconcileAgain(world: MachinesWorld, home: Observed): Promise<void> {
  const { plan, market, oracle, calm } = world;
  calm.isHere = true;
  const before = market.writes;
  const held = await readHeld(world, home);
  // A command that ended after its plan has sent no stock of the rows whose price is held.
  const mayGo = held.filter(
    (row) => sendsStock(row) || row.issues.some(({ code }) => code === "E_REFUSED_OPEN"),
  );
  const { sheets } = plan.scenario;
  for (const { runId } of [...sheets, ...sheets]) await sendCalmly(world, runId);
  if (plan.scenario.policy === "hold" && market.writes > before + mayGo.length) {
    oracle.break("I11", "a run that was over sent something again");
  }
}

const BUSY = 75;
const BUSY_AGAIN_MS = 20_000;
const MAX_TRIES = 10;

/** Sends what is open of a run; the lease of a dead process must pass on first. */
async function sendCalmly(world: MachinesWorld, runId: string): Promise<void> {
  const { timeline, plan, machines, oracle } = world;
  const sheet = plan.scenario.sheets.find((each) => each.runId === runId);
  const [machine] = machines;
  if (sheet === undefined || machine === undefined) return;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const stop = new AbortController().signal;
    const [{ exit }] = await Promise.all([
      runCommand(world, { machine, sheet, stop }),
      timeline.play(),
    ]);
    if (exit !== BUSY) return;
    timeline.add(BUSY_AGAIN_MS, undefined, () => undefined);
    await timeline.play();
  }
  oracle.break("I14", "the lease of the store does not pass on");
}

async function readHeld({ plan }: MachinesWorld, home: Observed): Promise<readonly RowRecord[]> {
  const held = await Promise.all(
    plan.scenario.sheets.map(({ runId }) =>
      home.journal.readRows(runId, { states: ["held"], limit: 100 }),
    ),
  );
  return held.flat();
}
