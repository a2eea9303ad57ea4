import type { SyncResult } from "@catalog/importer";
import { NO_UNSENDABLE_FIELDS, type StateCount, toCounts } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { toOutcome } from "../../../src/commands/sync/outcome.ts";

const synced = (states: readonly StateCount[], unknownCodes: number): SyncResult => ({
  run: undefined,
  end: "finished",
  reason: undefined,
  counts: toCounts(states),
  platform: undefined,
  fields: undefined,
  unused: [],
  notes: [],
  unsendable: NO_UNSENDABLE_FIELDS,
  unguarded: 0,
  stockSent: 0,
  unknownCodes,
  draft: null,
  absent: undefined,
  released: 0,
  reconciled: undefined,
  storeReadAtMs: null,
  warnings: [],
  isQuestioned: false,
});

const SENT = { state: "done", action: "update", rows: 3 } as const;
const BAD = { state: "invalid", action: null, rows: 2 } as const;

describe("the exit code of a sync with codes that the store does not have", () => {
  it("is 5", () => {
    expect(toOutcome(synced([SENT, BAD], 2))).toMatchObject({ exit: 5, unknownCodes: 2 });
  });

  it("is 0 where they are accepted", () => {
    expect(toOutcome(synced([SENT, BAD], 2), { ignoresUnknownCodes: true })).toMatchObject({
      exit: 0,
      unknownCodes: 2,
    });
  });

  it("stays 5 where another row is wrong", () => {
    expect(toOutcome(synced([SENT, BAD], 1), { ignoresUnknownCodes: true }).exit).toBe(5);
  });

  it("stays 3 where the store has none of the codes, as that is probably the wrong feed", () => {
    expect(toOutcome(synced([BAD], 2), { ignoresUnknownCodes: true }).exit).toBe(3);
  });
});
