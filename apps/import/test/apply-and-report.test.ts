import type { Connection } from "@catalog/connection";
import { createTestConnection } from "@catalog/connection/testing";
import {
  type ApplyEnd,
  type Counts,
  NO_UNSENDABLE_FIELDS,
  type UnsendableFields,
} from "@catalog/runs";
import { describe, expect, it } from "vitest";

import {
  applyExit,
  createLaterSeconds,
  planExit,
  type RunEnd,
  storedExit,
} from "../src/apply-and-report.ts";
import { createCounts, createRun } from "./helpers/run-parts.ts";

/** Facts of a run whose file can be sent completely. */
const NO_FACTS = { facts: null };

/** The end of a run with differences that cannot be sent. */
const withUnsendable = (unsendable: Partial<UnsendableFields>): RunEnd => {
  const { facts } = createRun();
  if (facts === null) throw new Error("the run has no plan");
  return { facts: { ...facts, unsendable: { ...NO_UNSENDABLE_FIELDS, ...unsendable } } };
};

const COUNTS = {
  nothing: {},
  "only good rows": { added: 3, updated: 2, unchanged: 1, skipped: 1 },
  "only cancelled rows": { cancelled: 2 },
  "only invalid rows": { invalid: 3 },
  "only duplicates": { duplicate: 2, invalid: 1 },
  "some invalid rows": { added: 1, invalid: 1 },
  "invalid and unchanged rows": { unchanged: 1, invalid: 1 },
  "a rejected row": { rejected: 1 },
  "a held row": { held: 1 },
  "an unknown row": { added: 5, unknown: 1 },
  "a row that is left": { added: 5, pending: 1 },
  "invalid rows and one that is left": { invalid: 5, pending: 1 },
} as const satisfies Record<string, Partial<Counts>>;

type Name = keyof typeof COUNTS;

const FINISHED: readonly (readonly [Name, number])[] = [
  ["nothing", 0],
  ["only good rows", 0],
  ["only cancelled rows", 0],
  ["only invalid rows", 3],
  ["only duplicates", 3],
  ["some invalid rows", 5],
  ["invalid and unchanged rows", 5],
  ["a rejected row", 5],
  ["a held row", 5],
  ["an unknown row", 6],
  ["a row that is left", 6],
  ["invalid rows and one that is left", 6],
];

const CUT_OFF: readonly (readonly [Exclude<ApplyEnd, "finished">, number])[] = [
  ["stopped", 130],
  ["breaker", 6],
  ["too-many-rejected", 6],
  ["login", 4],
  ["permission", 4],
];

describe("applyExit", () => {
  it.each(FINISHED)("of a run that came to its end with %s is %d", (name, expected) => {
    expect(applyExit("finished", createCounts(COUNTS[name]), NO_FACTS)).toBe(expected);
  });

  it("has a line in the table for every class of rows", () => {
    expect(FINISHED.map(([name]) => name)).toEqual(Object.keys(COUNTS));
  });

  it.each(CUT_OFF)("of a run that ended with %s is %d while rows are left", (end, expected) => {
    const left = Object.values(COUNTS).map((counts) => createCounts({ ...counts, pending: 1 }));
    const exits = left.map((counts) => applyExit(end, counts, NO_FACTS));

    expect(new Set(exits)).toEqual(new Set([expected]));
  });

  it.each(["breaker", "too-many-rejected"] as const)(
    "depends on the rows of a run that ended with %s at its last row",
    (end) => {
      expect(applyExit(end, createCounts({ added: 2, held: 1 }), NO_FACTS)).toBe(5);
    },
  );
});

describe("planExit", () => {
  it.each([
    [{ pending: 3 }, 0],
    [{ unchanged: 3, skipped: 1 }, 0],
    [{ pending: 3, invalid: 1 }, 3],
    [{ pending: 3, duplicate: 1 }, 3],
    [{ pending: 3, held: 1 }, 3],
  ])("of %j is %d", (counts, expected) => {
    expect(planExit(NO_FACTS, createCounts(counts))).toBe(expected);
  });
});

describe("a run with differences that cannot be sent", () => {
  it.each([{ rows: 60 }, { partly: 1 }])("ends with 5 and not with 0: %j", (unsendable) => {
    const run = withUnsendable(unsendable);
    const counts = createCounts({ updated: 1, skipped: 60 });

    expect([
      planExit(run, createCounts({ pending: 1, skipped: 60 })),
      applyExit("finished", counts, run),
      storedExit({ ...run, state: "finished" }, counts),
    ]).toEqual([5, 5, 5]);
  });

  it("keeps the exit code of a more serious end", () => {
    const run = withUnsendable({ rows: 60 });
    const counts = createCounts({ skipped: 60, invalid: 1 });

    expect(planExit(run, counts)).toBe(3);
    expect(applyExit("stopped", createCounts({ skipped: 60, pending: 1 }), run)).toBe(130);
  });
});

const SEND = { phase: "send", total: 1_000 } as const;

/** A connection whose calls take so long. */
async function openSlow(waitMs: () => Promise<number>): Promise<Connection> {
  const { connection } = await createTestConnection();
  const pacing = { ...connection.meters.pacing, waitMs };
  return { ...connection, meters: { ...connection.meters, pacing } };
}

const refuse = (): Promise<number> => Promise.reject(new Error("the database is gone"));

const settled = (): Promise<void> => new Promise(setImmediate);

it("gives the last estimate of reading back the sent rows", async () => {
  let waitMs = 20_000;
  const later = createLaterSeconds(await openSlow(async () => waitMs), { settings: {} });
  const first = later.of(SEND);
  await settled();
  waitMs = 90_000;
  const second = later.of(SEND);
  await settled();

  expect([first, second, later.of(SEND)]).toEqual([undefined, 20, 90]);
});

it("says nothing of other phases, and 0 while rows are read back", async () => {
  const later = createLaterSeconds(await openSlow(async () => 20_000), { settings: {} });

  expect([later.of({ phase: "plan" }), later.of({ phase: "verify" })]).toEqual([undefined, 0]);
});

it("gives no estimate where none can be made", async () => {
  const later = createLaterSeconds(await openSlow(refuse), { settings: {} });
  later.of(SEND);
  await settled();

  expect(later.of(SEND)).toBeUndefined();
  await settled();
});
