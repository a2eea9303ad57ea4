import type { Connection } from "@catalog/connection";
import {
  createIssue,
  createTestConnection,
  RUN_ID,
  storeRun,
  type StoredRow,
} from "@catalog/connection/testing";
import type { RowRecord, RunRecord } from "@catalog/runs";
import { createFakeMarketplace } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { acceptRows, releaseRows, toSending } from "../../../src/apply/release/release-rows.ts";

const ROW: StoredRow = { cells: ["KOD-2"] };

interface HeldRun {
  readonly connection: Connection;
  readonly run: RunRecord;
  readonly records: readonly RowRecord[];
}

/** A run whose first rows are held, and whose last row is ready if `hasReady`. */
async function openHeld(
  held: number,
  { hasReady = false, command = "import" } = {},
): Promise<HeldRun> {
  const test = await createTestConnection();
  const connection = { ...test.connection, marketplace: createFakeMarketplace() };
  const rows = Array.from({ length: held + (hasReady ? 1 : 0) }, () => ROW);
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows, command });
  for (let row = 2; row < held + 2; row += 1) {
    const outcome = { to: "held", cause: "not-found" } as const;
    await connection.journal.recordOutcome({ runId: RUN_ID, row, from: "ready" }, outcome);
  }
  const records = await connection.journal.readRows(RUN_ID, { states: ["held"], limit: 9 });
  return { connection, run, records };
}

describe("releaseRows", () => {
  it.each([
    { command: "import", hasReady: false, sentBy: "apply" },
    { command: "import", hasReady: true, sentBy: "resume" },
    { command: "sync", hasReady: true, sentBy: "sync" },
  ])(
    "has released rows of $command sent by $sentBy (other rows ready: $hasReady)",
    async (given) => {
      const { connection, run, records } = await openHeld(1, given);
      const decided = records.map((record) => ({ record, release: { kind: "approve" } as const }));

      const { released, sentBy } = await releaseRows(connection, { run, decided, by: "ayşe" });

      expect({ released, sentBy }).toEqual({
        released: [{ row: 2, to: "ready" }],
        sentBy: given.sentBy,
      });
    },
  );

  it("has nothing to send where rows are cancelled, and reports each in order", async () => {
    const { connection, run, records } = await openHeld(2);
    const decided = records.map((record) => ({ record, release: { kind: "cancel" } as const }));
    const reported: number[] = [];
    const onReleased = ({ row }: { readonly row: number }): number => reported.push(row);

    const { sentBy } = await releaseRows(connection, { run, decided, by: "ayşe", onReleased });

    expect({ sentBy, reported }).toEqual({ sentBy: "nothing", reported: [2, 3] });
  });

  it("records no more decisions once it is stopped", async () => {
    const { connection, run, records } = await openHeld(2);
    const decided = records.map((record) => ({ record, release: { kind: "cancel" } as const }));
    const stop = new AbortController();
    const onReleased = (): void => stop.abort(new Error("interrupted"));
    const { signal } = stop;

    const released = releaseRows(connection, { run, decided, by: "ayşe", signal, onReleased });

    await expect(released).rejects.toThrow("interrupted");
    const rows = await connection.journal.readRows(RUN_ID, { limit: 9 });
    expect(rows.map(({ state }) => state)).toEqual(["cancelled", "held"]);
  });
});

describe("toSending", () => {
  const guarded = [createIssue({ code: "E_GUARD_PRICE_DROP" })];

  it.each([
    { action: "update", issues: guarded, kind: "approve" },
    { action: "update", issues: [], kind: "resend" },
    { action: "add", issues: guarded, kind: "resend" },
  ] as const)("sends a held $action with $issues.length guard by $kind", ({ kind, ...held }) => {
    expect(toSending(held)).toEqual({ kind });
  });
});

describe("acceptRows", () => {
  it("approves checked prices, resends adds that may be hidden, and changes no other decision", async () => {
    const { records } = await openHeld(3);
    const decided = records.map((record) => ({ record, release: { kind: "resend" } as const }));

    const accepted = acceptRows(decided, { unproven: new Set([2, 3]), uncompared: new Set([3]) });

    expect(accepted.map(({ release }) => release)).toEqual([
      { kind: "resend", isUnprovenAccepted: true },
      { kind: "approve" },
      { kind: "resend" },
    ]);
  });
});
