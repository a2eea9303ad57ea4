/**
 * Two lists of actions on few subjects, in a small store of its own: planned, sent, killed, resumed,
 * settled by a person, while somebody else works there, too. The engine and the journal are real.
 */

import {
  type ActionPort,
  applyRun,
  type Marketplace,
  planActions,
  reconcileOpen,
  type RowDecision,
} from "@catalog/runs";
import { codeKey } from "@catalog/runs/testing";

import { createTimeline } from "../timeline.ts";
import { createActionMarket } from "./action-market.ts";
import { judge, toKey, toTag, UNKNOWN, type World } from "./action-oracle.ts";
import { settle } from "./action-person.ts";
import { drawActions, RUNS, SHEET } from "./action-scenario.ts";
import { createPort } from "./action-wire.ts";
import { createDisk } from "./disk.ts";
import { createJournalPort, type FullJournal } from "./journal-port.ts";
import { ReadFailed } from "./marketplace-port.ts";
import { afterImmediates } from "./pruning.ts";
import type { Random } from "./random.ts";
import { createSimProcess, type Death, type SimProcess, START_MS } from "./sim-process.ts";

/** Share of the worlds that have such lists. */
const PLAYED_SHARE = 0.5;

/** Returns what has gone wrong. */
export async function playActions(
  random: Random,
  onEvent?: (text: string) => void,
): Promise<readonly string[]> {
  if (!random.chance(PLAYED_SHARE)) return [];
  const scenario = drawActions(random.fork("scenario"));
  const timeline = createTimeline({
    random: random.fork("schedule"),
    onEvent: undefined,
    drain: afterImmediates,
  });
  const lags = random.fork("lags");
  const { lagMs, restoring } = scenario;
  const disk = await createDisk({
    isDurable: true,
    losesPower: false,
    isPruned: false,
    clock: { now: () => START_MS + timeline.nowMs },
    restoring: restoring && { copiedAtMs: 0, atMs: 0, isMarked: true },
    runIds: RUNS,
  });
  const world: World = {
    random,
    scenario,
    timeline,
    disk,
    market: createActionMarket({
      nowMs: () => timeline.nowMs,
      lagMs: () => lagMs * (0.25 + 0.75 * lags.next()),
      hidden: scenario.hidden,
    }),
    broken: [],
    open: new Map(),
    unknown: new Map(),
    begun: new Set(),
    basis: new Map(),
    onEvent,
    isCalm: false,
    starts: 0,
  };
  for (const [runId, list] of scenario.lists) {
    const rows = list.map(({ row, subject, codeKey: key }) => ({
      row,
      cells: [subject],
      code: subject,
      codeKey: key,
    }));
    await disk.journal.appendRows(runId, rows);
  }
  let isOver = false;
  const operated = (async () => {
    await operate(world);
    isOver = true;
  })();
  await timeline.play();
  await afterImmediates();
  if (isOver) await Promise.all([operated, judge(world)]);
  else world.broken.push("I14: the lists do not come to an end");
  disk.close?.();
  return world.broken;
}

const rest = ({ timeline }: World, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timeline.add(ms, undefined, resolve);
  });

const CALM_STARTS = 3;
const SETTLED_MS = 20 * 60_000;

async function operate(world: World): Promise<void> {
  const { scenario, random } = world;
  for (const [at, { runId, waitMs, death }] of scenario.starts.entries()) {
    await copyOrRestore(world, at);
    for (let times = 0; times < 2; times += 1) interfere(world);
    await startProgram(world, runId, death);
    await rest(world, waitMs);
    // A person settles what nobody can be busy with any more.
    if (waitMs > SETTLED_MS / 2 && random.chance(0.5)) await settle(world);
  }
  world.isCalm = true;
  await rest(world, SETTLED_MS);
  for (let round = 0; round < CALM_STARTS; round += 1) {
    for (const runId of RUNS) await startProgram(world, runId, undefined);
    await rest(world, SETTLED_MS);
    if (round === 0) await settle(world);
  }
}

/** Copies are made and restored while no process runs. */
async function copyOrRestore({ scenario, disk, onEvent }: World, at: number): Promise<void> {
  const { copied = Infinity, restored } = scenario.restoring ?? {};
  if (copied === at) disk.copy();
  if (restored !== at || copied >= at) return;
  onEvent?.("a copy is restored");
  await disk.restore();
}

const OTHERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  q1: { answer: "by another person" },
  q2: { answer: "by another person" },
  p1: { status: 7 },
  p2: { shipping_code: "OTHER" },
  t1: { shipping_note: "by another person" },
};

/** Somebody else does something at a time at which the program may be sending. */
function interfere({ random, scenario, timeline, market, onEvent, isCalm }: World): void {
  if (isCalm || !random.chance(scenario.otherShare)) return;
  const [first = "", ...others] = Object.keys(OTHERS);
  const subject = random.pick([first, ...others]);
  timeline.add(random.below(random.pick([300, 3_000, 20_000])), undefined, () => {
    onEvent?.(`another person changes ${subject}`);
    market.act(subject, OTHERS[subject] ?? {});
  });
}

/** One process, from its start to its end or its death. */
async function startProgram(world: World, runId: string, death: Death | undefined): Promise<void> {
  world.starts += 1;
  const name = `a${world.starts}`;
  const random = world.random.fork(name);
  const { promise: died, resolve: onDeath } = Promise.withResolvers<void>();
  const process = createSimProcess({
    name,
    timeline: world.timeline,
    random,
    death,
    skewMs: () => 0,
    onDeath: () => {
      world.onEvent?.(`${name} dies`);
      onDeath();
    },
    onTrace: world.onEvent,
  });
  await readBasis(world);
  const ended = runProgram(world, { runId, process, random }).then(
    (end) => world.onEvent?.(`${name} ends: ${end}`),
    (error: unknown) => {
      world.onEvent?.(`${name} fails: ${String(error)}`);
      if (!(error instanceof ReadFailed)) world.broken.push(`bug: ${String(error)}`);
    },
  );
  await Promise.race([died, ended]);
  world.begun.clear();
}

/** What the rows of a restored copy begin from may differ from what was known last. */
async function readBasis({ disk, basis }: World): Promise<void> {
  for (const runId of RUNS) {
    for (const { row, changes, action } of await disk.journal.readRows(runId, { limit: 50 })) {
      if (action !== null) basis.set(`${runId}/${row}`, changes);
    }
  }
}

interface Sender {
  readonly runId: string;
  readonly process: SimProcess;
  readonly random: Random;
}

async function runProgram(world: World, sender: Sender): Promise<string> {
  const { scenario } = world;
  const { runId, process } = sender;
  const journal = watchJournal(world, process);
  const marketplace = createPort(world, sender);
  const { clock } = process;
  const [undecided] = await journal.readRows(runId, { states: ["parsed"], limit: 1 });
  if (undecided !== undefined) {
    await reconcileOpen({ journal, marketplace, clock, codeKey, sheet: SHEET });
    const list = scenario.lists.get(runId) ?? [];
    await planActions({
      runId,
      journal,
      clock,
      actions: actionsOf(marketplace),
      toCandidates: (rows) =>
        rows.flatMap(({ row }) => list.filter((candidate) => candidate.row === row)),
      nameRow: String,
    });
  }
  const { end } = await applyRun({
    runId,
    journal,
    marketplace,
    clock,
    codeKey,
    sheet: SHEET,
    recheck: { before: journal, priceUnit: "unknown", maxAgeMs: scenario.maxAgeMs },
    concurrency: scenario.concurrency,
    onUnknown: scenario.policy,
    sampleEvery: 0,
  });
  return end;
}

function actionsOf({ actions }: Pick<Marketplace, "actions">): ActionPort {
  if (actions === undefined) throw new Error("this marketplace takes no actions");
  return actions;
}

/** A journal that says which rows were written down before they leave. */
function watchJournal(world: World, process: SimProcess): FullJournal {
  const { disk, basis, begun } = world;
  const note = (runId: string, decisions: readonly RowDecision[]): void => {
    for (const { row, changes } of decisions) basis.set(`${runId}/${row}`, changes);
  };
  const watched: FullJournal = {
    ...disk.journal,
    beginSending(key, evidence) {
      const start = disk.journal.beginSending(key, evidence);
      if (start === "begun") begun.add(`${key.runId}/${key.row}`);
      return start;
    },
  };
  return createJournalPort({
    journal: watched,
    process,
    isTraced: world.onEvent !== undefined,
    onCall: () => undefined,
    onDecide: note,
    onOutcome: (key, { changes, to }) => {
      const tag = toTag(key);
      if (changes !== undefined) basis.set(tag, changes);
      if (to !== "held") world.unknown.delete(tag);
    },
    onHeld: (key, { issues = [] }) => {
      if (issues.some(({ code }) => UNKNOWN.has(code))) {
        world.unknown.set(toTag(key), toKey(world.scenario, key));
      }
    },
  });
}
