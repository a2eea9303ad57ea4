import type { FakeClock } from "@catalog/clock/testing";
import type { ActionPort } from "@catalog/runs";
import { createFakeMarketplace, lost, readStates, refused, RUN } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { openFixture, questions } from "./helpers/actions-fixture.ts";
import { recheckOf } from "./helpers/apply-fixture.ts";

const HOUR_MS = 3_600_000;

/** Spreads calls evenly over the hour, each in its turn. */
function openSlots(
  clock: FakeClock,
  perHour: number,
): { readonly takenMs: readonly number[]; readonly take: () => Promise<void> } {
  const takenMs: number[] = [];
  let queue: Promise<void> = Promise.resolve();
  const take = async (): Promise<void> => {
    const freeMs = (takenMs.at(-1) ?? -HOUR_MS) + HOUR_MS / perHour;
    if (freeMs > clock.now()) await clock.sleep(freeMs - clock.now());
    takenMs.push(clock.now());
  };
  return {
    takenMs,
    take: () => {
      queue = queue.then(take);
      return queue;
    },
  };
}

describe("a list of 2,000 questions under 200 calls an hour", () => {
  const [ROWS, PER_HOUR, PAGE] = [2_000, 200, 50];

  it("is answered, each once, and at most a fourth of the calls reads", async () => {
    const { plan, apply, actions, clock, journal } = await openFixture({
      subjects: questions(ROWS),
    });
    await plan(Array.from({ length: ROWS }, (_, n) => ({ subject: `q${n}`, action: "reply" })));
    const { take, takenMs } = openSlots(clock, PER_HOUR);
    const readSubjects: ActionPort["readSubjects"] = async (kind, ids, signal) => {
      const pages = ROWS / PAGE;
      for (let page = 0; page < pages; page += 1) await take();
      return { ...(await actions.readSubjects(kind, ids, signal)), calls: pages };
    };

    await apply({
      marketplace: {
        ...createFakeMarketplace({ serverTimeMs: () => clock.now() }),
        actions: { ...actions, readSubjects },
        takeSlot: take,
      },
      recheck: { ...recheckOf(journal), callsPerHour: () => PER_HOUR },
    });

    expect(actions.effects.size).toBe(ROWS);
    expect([...actions.effects.values()].every((times) => times === 1)).toBe(true);
    expect(new Set((await readStates(journal, RUN)).map((text) => text.split(" ")[1]))).toEqual(
      new Set(["done"]),
    );
    const reads = takenMs.length - ROWS;
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThan(takenMs.length / 4);
  });
});

describe("a clock that is put back while a list is sent", () => {
  it.each([60_000, 30 * HOUR_MS])("by %i ms does nothing twice and ends", async (backMs) => {
    const { plan, apply, actions, clock, journal } = await openFixture({
      subjects: questions(6),
      script: { "reply q1": [lost("body", { effect: "now" })], "reply q4": [refused(429)] },
    });
    await plan(Array.from({ length: 6 }, (_, n) => ({ subject: `q${n}`, action: "reply" })));
    const shifted = { ...clock, now: () => clock.now() + (actions.effects.size < 3 ? backMs : 0) };

    await apply({ clock: shifted });
    await apply({ clock: shifted });

    expect([...actions.effects.values()]).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await readStates(journal, RUN)).toEqual([2, 3, 4, 5, 6, 7].map((row) => `${row}: done`));
  });
});
