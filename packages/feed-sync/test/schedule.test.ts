import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { InputError } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { createTimetable, runOnSchedule, listNext, type ScheduleRecord } from "../src/schedule.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 21, 6, 7);

/** State that outlives a process, and a log of what processes have done. */
interface World {
  readonly clock: FakeClock;
  note: ScheduleRecord | undefined;
  readonly done: number[];
}

interface Process {
  /** Ends the process; what it has not stored is lost. */
  kill(): Promise<void>;
}

/** Starts a process that runs the schedule; each task takes `runMs`. */
function startProcess(world: World, pattern: string, runMs: number): Process {
  const { clock } = world;
  const stop = new AbortController();
  const ended = runOnSchedule({
    timetable: createTimetable(pattern, "Europe/Istanbul"),
    clock,
    stop: stop.signal,
    records: {
      read: () => world.note,
      save(note) {
        if (!stop.signal.aborted) world.note = note;
      },
    },
    async run(dueMs) {
      await clock.sleep(runMs, stop.signal).catch(() => undefined);
      if (!stop.signal.aborted) world.done.push(dueMs);
    },
  });
  return {
    async kill() {
      stop.abort(new Error("killed"));
      await ended;
    },
  };
}

const newWorld = (): World => ({ clock: createFakeClock(START_MS), note: undefined, done: [] });

describe("runOnSchedule", () => {
  it("runs each time once over 72 hours in which its process dies again and again", async () => {
    const world = newWorld();
    const { clock } = world;
    let process = startProcess(world, "*/15 * * * *", 3 * 60_000);

    for (let minutes = 0; minutes < 72 * 60;) {
      // Not a multiple of the schedule's interval, so that it dies while waiting as well as while
      // working.
      const aliveMinutes = 7 + ((minutes * 31) % 97);
      for (let minute = 0; minute < aliveMinutes; minute += 1) await clock.advance(60_000);
      minutes += aliveMinutes;
      await process.kill();
      process = startProcess(world, "*/15 * * * *", 3 * 60_000);
    }
    for (let minute = 0; minute < 30; minute += 1) await clock.advance(60_000);
    await process.kill();

    const expected = listNext(createTimetable("*/15 * * * *", "Europe/Istanbul"), START_MS, 72 * 4);
    expect(world.done.slice(0, expected.length)).toEqual(expected);
    expect(new Set(world.done).size).toBe(world.done.length);
  });

  it("runs once for all the times that a suspended machine has missed", async () => {
    const world = newWorld();
    const { clock } = world;
    const first = startProcess(world, "0 * * * *", 1000);
    await clock.advance(60_000);
    await first.kill();
    await clock.advance(9 * HOUR_MS);

    const second = startProcess(world, "0 * * * *", 1000);
    for (let minute = 0; minute < 55; minute += 1) await clock.advance(60_000);
    await second.kill();

    const dayMs = Date.UTC(2026, 10, 21);
    expect(world.done).toEqual([dayMs + 15 * HOUR_MS, dayMs + 16 * HOUR_MS]);
  });

  it("starts an interrupted time again", async () => {
    const world = newWorld();
    world.note = { dueMs: START_MS - 1000, state: "begun" };

    const process = startProcess(world, "0 3 * * *", 1000);
    await world.clock.advance(2000);
    await process.kill();

    expect(world.done).toEqual([START_MS - 1000]);
    expect(world.note).toEqual({ dueMs: START_MS - 1000, state: "done" });
  });

  it("continues when the clock was put back by a year", async () => {
    const world = newWorld();
    world.note = { dueMs: START_MS + 365 * 24 * HOUR_MS, state: "done" };

    const process = startProcess(world, "0 * * * *", 1000);
    for (let minute = 0; minute < 60; minute += 1) await world.clock.advance(60_000);
    await process.kill();

    expect(world.done).toEqual([Date.UTC(2026, 10, 21, 7)]);
  });

  it("runs a missed time of a rare pattern, however long the machine was suspended", async () => {
    const world = newWorld();
    world.note = { dueMs: START_MS - 40 * 24 * HOUR_MS, state: "done" };

    const process = startProcess(world, "0 3 1 * *", 1000);
    await world.clock.advance(2000);
    await process.kill();

    expect(world.done).toEqual([Date.UTC(2026, 10, 1, 0)]);
  });
});

describe("createTimetable", () => {
  it("reads times in the time zone", () => {
    const [next] = listNext(createTimetable("30 9 * * *", "Europe/Istanbul"), START_MS, 1);

    expect(next).toBe(Date.UTC(2026, 10, 21, 6, 30));
  });

  for (const [pattern, zone] of [
    ["every day", "Europe/Istanbul"],
    ["* * * * * *", "Europe/Istanbul"],
    ["2026-12-01T00:00:00", "Europe/Istanbul"],
    ["0 * * * *", "Europe/Constantinople2"],
    ["0 0 31 2 *", "Europe/Istanbul"],
  ] as const) {
    it(`refuses ${pattern} in ${zone}`, () => {
      expect(() => createTimetable(pattern, zone)).toThrow(InputError);
    });
  }
});
