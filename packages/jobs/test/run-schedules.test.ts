import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import type { ScheduleProgress } from "../src/queue.ts";
import { type RunnableSchedule, runSchedules, type StartedEnd } from "../src/run-schedules.ts";
import { createTimetable } from "../src/timetable.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 21, 6, 7);

/** State that outlives a process, and a log of what processes have done. */
interface World {
  readonly clock: FakeClock;
  readonly schedules: Map<string, RunnableSchedule>;
  /** The process that leads. */
  leader: symbol | undefined;
  readonly started: [id: string, dueMs: number][];
  readonly done: [id: string, dueMs: number][];
  /** How the syncs that follow end. @default they end well */
  readonly ends: StartedEnd[];
  underWay: number;
  maxUnderWay: number;
}

interface Process {
  readonly leads: boolean[];
  /** Ends the process; what it has not stored is lost. */
  kill(): Promise<void>;
}

function startProcess(world: World, runMs: number): Process {
  const { clock, schedules } = world;
  const stop = new AbortController();
  const name = Symbol("process");
  const leads: boolean[] = [];
  const ended = runSchedules({
    clock,
    stop: stop.signal,
    schedules: {
      list: async () => [...schedules.values()],
      async saveProgress(id, progress) {
        const found = schedules.get(id);
        if (stop.signal.aborted || found === undefined) return;
        schedules.set(id, { ...found, progress });
      },
    },
    async lock() {
      if (world.leader !== undefined) return undefined;
      world.leader = name;
      return {
        async [Symbol.asyncDispose]() {
          world.leader = undefined;
        },
      };
    },
    onLead: (now) => leads.push(now),
    async start({ id }, dueMs) {
      world.started.push([id, dueMs]);
      world.underWay += 1;
      world.maxUnderWay = Math.max(world.maxUnderWay, world.underWay);
      await clock.sleep(runMs, stop.signal).catch(() => undefined);
      world.underWay -= 1;
      if (stop.signal.aborted) return "ended";
      const end = world.ends.shift() ?? "ended";
      if (end === "ended") world.done.push([id, dueMs]);
      return end;
    },
  });
  return {
    leads,
    async kill() {
      stop.abort(new Error("killed"));
      await ended;
    },
  };
}

interface Given {
  readonly id?: string;
  readonly progress?: ScheduleProgress;
  readonly delayMs?: number;
  readonly rank?: number;
}

const toSchedule = (cron: string, { id = "a", ...given }: Given = {}): RunnableSchedule => ({
  id,
  cron,
  timeZone: "Europe/Istanbul",
  state: "active",
  progress: undefined,
  ...given,
});

const newWorld = (...schedules: readonly RunnableSchedule[]): World => ({
  clock: createFakeClock(START_MS),
  schedules: new Map(schedules.map((one) => [one.id, one])),
  leader: undefined,
  started: [],
  done: [],
  ends: [],
  underWay: 0,
  maxUnderWay: 0,
});

async function pass({ clock }: World, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) await clock.advance(60_000);
}

const timesOf = (list: World["done"], id = "a"): number[] =>
  list.filter(([of]) => of === id).map(([, dueMs]) => dueMs);

const done = (dueMs: number): ScheduleProgress => ({ dueMs, state: "done" });

it("runs each time once over 72 hours in which its process dies again and again", async () => {
  const world = newWorld(toSchedule("*/15 * * * *"));
  let process = startProcess(world, 3 * 60_000);

  for (let minutes = 0; minutes < 72 * 60;) {
    // Not a multiple of the schedule's interval, so that it dies while waiting as well as while
    // working.
    const aliveMinutes = 7 + ((minutes * 31) % 97);
    await pass(world, aliveMinutes);
    minutes += aliveMinutes;
    await process.kill();
    process = startProcess(world, 3 * 60_000);
  }
  await pass(world, 30);
  await process.kill();

  const expected = createTimetable("*/15 * * * *", "Europe/Istanbul").list(START_MS, 72 * 4);
  const times = timesOf(world.done);
  expect(times.slice(0, expected.length)).toEqual(expected);
  expect(new Set(times).size).toBe(times.length);
});

it("runs once for all the times that a suspended machine has missed", async () => {
  const world = newWorld(toSchedule("0 * * * *"));
  const first = startProcess(world, 1000);
  await world.clock.advance(60_000);
  await first.kill();
  await world.clock.advance(9 * HOUR_MS);

  const second = startProcess(world, 1000);
  await pass(world, 55);
  await second.kill();

  const dayMs = Date.UTC(2026, 10, 21);
  expect(timesOf(world.done)).toEqual([dayMs + 15 * HOUR_MS, dayMs + 16 * HOUR_MS]);
});

it("starts an interrupted time again", async () => {
  const progress = { dueMs: START_MS - 1000, state: "begun" } as const;
  const world = newWorld(toSchedule("0 3 * * *", { progress }));

  const process = startProcess(world, 1000);
  await world.clock.advance(2000);
  await process.kill();

  expect(timesOf(world.done)).toEqual([START_MS - 1000]);
  expect(world.schedules.get("a")?.progress).toEqual(done(START_MS - 1000));
});

it("continues when the clock was put back by a year", async () => {
  const world = newWorld(
    toSchedule("0 * * * *", { progress: done(START_MS + 365 * 24 * HOUR_MS) }),
  );

  const process = startProcess(world, 1000);
  await pass(world, 60);
  await process.kill();

  expect(timesOf(world.done)).toEqual([Date.UTC(2026, 10, 21, 7)]);
});

it("runs a missed time of a rare pattern, however long the machine was suspended", async () => {
  const progress = done(START_MS - 40 * 24 * HOUR_MS);
  const world = newWorld(toSchedule("0 3 1 * *", { progress }));

  const process = startProcess(world, 1000);
  await world.clock.advance(2000);
  await process.kill();

  expect(timesOf(world.done)).toEqual([Date.UTC(2026, 10, 1, 0)]);
});

it("waits while a schedule is paused, and goes on with its next time", async () => {
  const world = newWorld(toSchedule("*/15 * * * *"));
  const process = startProcess(world, 1000);
  await pass(world, 10);
  world.schedules.set("a", { ...toSchedule("*/15 * * * *"), state: "paused" });
  await pass(world, 60);
  const whilePaused = timesOf(world.done).length;

  world.schedules.set("a", toSchedule("*/15 * * * *", { progress: done(world.clock.now()) }));
  await pass(world, 15);
  await process.kill();

  expect([whilePaused, timesOf(world.done).length]).toEqual([1, 2]);
});

it("lets one of two processes lead, and the other one take over when it dies", async () => {
  const world = newWorld(toSchedule("*/15 * * * *"));
  const [first, second] = [startProcess(world, 1000), startProcess(world, 1000)];

  await pass(world, 40);
  const before = timesOf(world.done);
  await first.kill();
  await pass(world, 40);
  await second.kill();

  const expected = createTimetable("*/15 * * * *", "Europe/Istanbul").list(START_MS, 5);
  expect(before).toEqual(expected.slice(0, 3));
  expect(timesOf(world.started)).toEqual(expected);
  expect([first.leads, second.leads]).toEqual([[true], [false, true]]);
});

it("tries a time again while another process holds the store", async () => {
  const world = newWorld(toSchedule("*/15 * * * *"));
  world.ends.push("locked", "locked");

  const process = startProcess(world, 1000);
  await pass(world, 12);
  await process.kill();

  const dueMs = Date.UTC(2026, 10, 21, 6, 15);
  expect(timesOf(world.started)).toEqual([dueMs, dueMs, dueMs]);
  expect(timesOf(world.done)).toEqual([dueMs]);
});

it("gives a time up when its sync has died three times", async () => {
  const world = newWorld(toSchedule("*/15 * * * *"));
  world.ends.push("killed", "killed", "killed");

  const process = startProcess(world, 1000);
  await pass(world, 24);
  await process.kill();

  const dueMs = Date.UTC(2026, 10, 21, 6, 15);
  expect(timesOf(world.started)).toEqual([dueMs, dueMs, dueMs, dueMs + 15 * 60_000]);
});

it("runs one sync at a time, the one that was due first before the others", async () => {
  const world = newWorld(
    toSchedule("0 * * * *", { id: "late" }),
    toSchedule("55 * * * *", { id: "early" }),
  );

  const process = startProcess(world, 10 * 60_000);
  await pass(world, 75);
  await process.kill();

  expect(world.done.map(([id]) => id)).toEqual(["early", "late"]);
  expect(world.maxUnderWay).toBe(1);
});

it("starts the lower rank first of what is due at the same time", async () => {
  const world = newWorld(
    toSchedule("*/15 * * * *", { id: "price", rank: 1 }),
    toSchedule("*/15 * * * *", { id: "stock", rank: 0 }),
  );

  const process = startProcess(world, 1000);
  await pass(world, 24);
  await process.kill();

  expect(world.done.map(([id]) => id)).toEqual(["stock", "price", "stock", "price"]);
});

it("starts a schedule after its delay, and a pattern that cannot be read never", async () => {
  const world = newWorld(
    toSchedule("no pattern", { id: "bad" }),
    toSchedule("0 * * * *", { delayMs: 4 * 60_000 }),
  );

  const process = startProcess(world, 1000);
  await pass(world, 56);
  const early = world.started.length;
  await pass(world, 2);
  await process.kill();

  expect([early, timesOf(world.done)]).toEqual([0, [Date.UTC(2026, 10, 21, 7)]]);
});

it("keeps new times that were set while a sync was under way", async () => {
  const world = newWorld(toSchedule("*/15 * * * *"));
  const process = startProcess(world, 5 * 60_000);
  await pass(world, 10);

  const changed = toSchedule("0 3 * * *", { progress: done(world.clock.now()) });
  world.schedules.set("a", changed);
  await pass(world, 30);
  await process.kill();

  expect(world.schedules.get("a")).toEqual(changed);
});
