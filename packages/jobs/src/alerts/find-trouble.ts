/**
 * Finds what is wrong with the schedules, the runs and the clocks of a store, by what is stored. So
 * every process finds the same, also what happened while none was running.
 */

import type { Connection } from "@catalog/connection";
import { hasDriftedClock, listClocks, listRunPeriods } from "@catalog/connection";
import { nameOfFeed } from "@catalog/importer/feed-name";
import { toCounts } from "@catalog/runs";

import type { ScheduleRecord, ScheduleResult } from "../queue.ts";
import { needsPerson } from "../run-work.ts";
import { isShadow, readScheduleHealth } from "../schedule-health.ts";
import { BUSY, KILLED } from "../start-command.ts";
import { openTimetable } from "../timetable.ts";
import type { AlertFacts, Finding, Trouble } from "./alert-state.ts";

/** The members of a connection by which alerts are found, kept and told. */
export interface AlertTools
  extends
    Pick<Connection, "baseUrl" | "storeId" | "storeName" | "clock">,
    ReturnType<Connection["readsOf"]> {
  readonly memory: Pick<Connection["memory"], "schedules" | "alerts" | "notes" | "periods">;
}

/** Finds how every subject of the store fares. */
export async function findTroubles(tools: AlertTools): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const schedule of await tools.memory.schedules.list()) {
    findings.push(await judgeSchedule(tools, schedule));
  }
  findings.push(
    ...(await judgeRuns(tools)),
    ...(await judgePeriods(tools)),
    await judgeClocks(tools),
  );
  return findings;
}

async function judgeSchedule(tools: AlertTools, schedule: ScheduleRecord): Promise<Finding> {
  const subject = `schedule ${schedule.id}`;
  if (schedule.state === "paused") return { subject, troubles: [] };
  const nowMs = tools.clock.now();
  const facts = toFacts(tools, schedule);
  const broken = findBroken(schedule, facts, nowMs);
  const held = await findHeld(tools, schedule, facts);
  const troubles = [broken, held, findOwnerless(schedule, facts)].filter(
    (trouble) => trouble !== undefined,
  );
  const isWell = schedule.result !== undefined && broken === undefined;
  const recovery = { ...facts, cause: "recovered", sinceMs: nowMs } as const;
  return { subject, troubles, ...(isWell && { recovery }) };
}

function findBroken(
  schedule: ScheduleRecord,
  facts: ScheduleFacts,
  nowMs: number,
): Trouble | undefined {
  const { result, createdAtMs, succeededAtMs } = schedule;
  const { isHealthy, failuresInRow } = readScheduleHealth(schedule, { nowMs });
  if (result !== undefined && failuresInRow > 0) return toFailure(schedule, facts, result, nowMs);
  if (isHealthy) return undefined;
  const sinceMs = succeededAtMs ?? createdAtMs;
  const code = result?.exit === BUSY ? "E_STORE_BUSY" : undefined;
  return { ...facts, cause: "stale", sinceMs, code, needsPerson: true };
}

/** It goes on, but nobody answers for it. */
function findOwnerless({ owner }: ScheduleRecord, facts: ScheduleFacts): Trouble | undefined {
  if (owner?.goneSinceMs === undefined) return undefined;
  const { name, goneSinceMs: sinceMs } = owner;
  return { ...facts, cause: "owner", owner: name, sinceMs, needsPerson: true };
}

async function findHeld(
  { feedJournal, runs }: AlertTools,
  schedule: ScheduleRecord,
  facts: ScheduleFacts,
): Promise<Trouble | undefined> {
  const { result } = schedule;
  const run = result?.latestRun ?? result?.run ?? undefined;
  // In shadow nothing waits, as nothing would be sent.
  if (result === undefined || run === undefined || isShadow(schedule)) return undefined;
  if ((await runs.read(run))?.state === "planned") return undefined;
  const rows = toCounts(await feedJournal.countRows(run)).held;
  if (rows === 0) return undefined;
  return { ...facts, cause: "held", sinceMs: result.endedAtMs, run, rows, needsPerson: true };
}

type ScheduleFacts = Omit<AlertFacts, "cause" | "sinceMs">;

const toFacts = (
  { baseUrl, storeId }: AlertTools,
  { id, feed, timeZone, result, succeededAtMs, owner }: ScheduleRecord,
): ScheduleFacts => ({
  baseUrl,
  storeId,
  schedule: id,
  feed: toFeedTitle(feed),
  fields: result?.fields,
  timeZone,
  succeededAtMs,
  owner: owner?.goneSinceMs === undefined ? owner?.name : undefined,
});

/** A name of a file; a long run of letters and digits may be a key. */
const PLAIN_NAME =
  /^(?!.*[\p{L}\d]{20})[\p{L}\d][\p{L}\d ._()-]{0,59}\.[a-z]{2,5}(?:\.(?:gz|zip))?$/iu;

/**
 * What a message calls a feed: the name of its file, and of an address the server, as a path may hold
 * a key too.
 */
export function toFeedTitle(feed: string): string {
  const parts = nameOfFeed(feed).split(/[/\\]/u);
  const last = parts.findLast((part) => part !== "") ?? "";
  const name = decodeName(last);
  if (!/^[a-z]+:$/iu.test(parts[0] ?? "") || parts[1] !== "") return last === "" ? feed : last;
  const host = parts[2] ?? "";
  return parts.length > 3 && PLAIN_NAME.test(name) ? `${host}, ${name}` : host;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Exit code of a command that can be gone on with. */
const STOPPED = 6;

/** What is often over at the next time by itself. */
const PASSING: ReadonlySet<string | null> = new Set([
  "E_FEED_ADDRESS",
  "E_FEED_CHANGING",
  "E_FEED_MISSING",
  "E_FILE_ACCESS",
]);

const HOUR_MS = 3_600_000;

function toFailure(
  schedule: ScheduleRecord,
  facts: ScheduleFacts,
  result: ScheduleResult,
  nowMs: number,
): Trouble {
  const { succeededAtMs, createdAtMs } = schedule;
  const { code, failures, failingSinceMs, dueMs, message, run } = result;
  return {
    ...facts,
    cause: "failed",
    sinceMs: failingSinceMs ?? (failures === 1 ? dueMs : (succeededAtMs ?? createdAtMs)),
    code: code ?? undefined,
    reason: message === null ? undefined : toReason(message),
    run: run ?? undefined,
    needsPerson: failures !== 1 || !isPassing(result) || !isTriedSoon(schedule, nowMs),
  };
}

/** Whether it may be over by the next time. */
const isPassing = ({ exit, code }: ScheduleResult): boolean =>
  PASSING.has(code) || exit === KILLED || (exit === STOPPED && !needsPerson(code));

function isTriedSoon({ cron, timeZone }: ScheduleRecord, nowMs: number): boolean {
  const nextMs = openTimetable(cron, timeZone)?.next(nowMs);
  return nextMs !== undefined && nextMs - nowMs <= HOUR_MS;
}

const MAX_REASON = 300;

/** A failure in words, without addresses, which may hold a key. */
function toReason(message: string): string | undefined {
  const text = message
    .replaceAll(/(?:https?|s?ftps?):\/\/[^\s”"'<>]+/giu, (address) => hostOf(address))
    .replaceAll(/\s+/gu, " ")
    .trim();
  if (text.length <= MAX_REASON) return text === "" ? undefined : text;
  return `${text.slice(0, MAX_REASON)}…`;
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : "…");

/** Runs that are looked at; one that has stopped earlier was told. */
const RUNS = 20;

/** Runs that stopped themselves so that a person decides, and that nobody at a terminal has seen. */
async function judgeRuns({ runs, baseUrl, storeId }: AlertTools): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const run of await runs.list(RUNS, { kind: "import" })) {
    const { id, progress, maker, state, file } = run;
    const { ended } = progress;
    const isUnseen = maker !== undefined && maker.origin !== "terminal";
    if (!isUnseen || ended === undefined) continue;
    const isWaiting = state !== "finished" && needsPerson(ended.stop ?? null);
    const facts = { baseUrl, storeId, run: id, feed: toFeedTitle(file.path), code: ended.stop };
    const trouble = { ...facts, cause: "failed", sinceMs: ended.atMs, needsPerson: true } as const;
    found.push({ subject: `run ${id}`, troubles: isWaiting ? [trouble] : [] });
  }
  return found;
}

/** Rows that others have changed are left on purpose; after this time nobody is told of them again. */
const KEPT_TOLD_MS = 7 * 24 * HOUR_MS;

/** Runs that were not sent or taken back at their times, or not all of whose rows were. */
async function judgePeriods(tools: AlertTools): Promise<readonly Finding[]> {
  const { runs, feedJournal: journal, clock, memory, baseUrl, storeId } = tools;
  const found: Finding[] = [];
  for (const one of await listRunPeriods({ runs, journal, clock, memory })) {
    const { run, period, state, isHealthy, late, kept, failed, text } = one;
    const { id } = run;
    const sinceMs = late?.sinceMs ?? period.end?.atMs ?? clock.now();
    const isOld = state === "left" && failed === 0 && clock.now() - sinceMs > KEPT_TOLD_MS;
    const isWell = isHealthy || isOld;
    const facts = { baseUrl, storeId, run: id, feed: toFeedTitle(run.file.name), period: text };
    const { timeZone } = period;
    const trouble = { ...facts, timeZone, cause: "period", sinceMs, needsPerson: true } as const;
    const rows = kept + failed;
    const told = rows === 0 ? trouble : { ...trouble, rows };
    found.push({ subject: `period ${id}`, troubles: isWell ? [] : [told] });
  }
  return found;
}

/** Clocks of machines that were last seen to differ from the marketplace's. */
async function judgeClocks(tools: AlertTools): Promise<Finding> {
  const { baseUrl, storeId } = tools;
  const drifted = (await listClocks(tools)).filter(hasDriftedClock);
  const [worst] = drifted.toSorted((a, b) => Math.abs(b.aheadMs) - Math.abs(a.aheadMs));
  if (worst === undefined) return { subject: "clock", troubles: [] };
  const { aheadMs, host, atMs: sinceMs } = worst;
  const facts = { baseUrl, storeId, aheadMs, host, sinceMs };
  return { subject: "clock", troubles: [{ ...facts, cause: "clock", needsPerson: true }] };
}
