import { describe, expect, it } from "vitest";

import type { RowDecision } from "../../src/row/row-record.ts";
import { claimRows } from "../../src/send/send-ready-rows.ts";
import { RUN, toAdd, toUpdate } from "../../src/testing.ts";
import { createRowStub } from "../helpers/row-stub.ts";

const stock = (row: number, product: string): RowDecision =>
  toUpdate(row, product, { stock_count: row });

/** Opens the claims of these rows, in batches of four. */
function openClaims(decisions: readonly RowDecision[]) {
  const journal = createRowStub(decisions);
  const gate = { isOpen: true };
  let onClaim: (() => unknown) | undefined;
  const looked = decisions
    .map(({ row }) => ({
      record: journal.row(row),
      verdict: { kind: "go" } as const,
      isFresh: () => true,
      renew: async () => undefined,
      close: () => undefined,
    }))
    .values();
  const claims = claimRows({
    runId: RUN,
    journal: {
      ...journal,
      async recordOutcome(...outcome) {
        await new Promise(setImmediate);
        await journal.recordOutcome(...outcome);
      },
      async claim(wanted) {
        const claimed = await journal.claim(wanted);
        onClaim?.();
        return claimed;
      },
    },
    marketplace: {},
    rows: { next: async () => looked.next().value },
    gate,
    batchRows: 4,
  });
  const duringClaim = (work: () => unknown): void => void (onClaim = work);
  const states = (): readonly string[] =>
    decisions.map(({ row }) => `${row}: ${journal.row(row).state}`);
  return { claims, journal, gate, duringClaim, states };
}

describe("claimRows", () => {
  it("hands out adds without a claim, and all rows in the order of the sheet", async () => {
    const { claims, states } = openClaims([toAdd(2, "A"), stock(3, "p3"), stock(4, "p4")]);

    expect(await claims.next()).toMatchObject({
      rechecked: { record: { row: 2 } },
      claim: undefined,
    });
    expect(states()).toEqual(["2: ready", "3: sending", "4: sending"]);
    expect(await claims.next()).toMatchObject({ claim: { runId: RUN, row: 3, attempt: 1 } });
    expect(await claims.next()).toMatchObject({ claim: { runId: RUN, row: 4, attempt: 1 } });
    expect(await claims.next()).toBeUndefined();
  });

  it("hands out a row that cannot be claimed, so that sending it reports why", async () => {
    const { claims } = openClaims([stock(2, "p2"), stock(3, "p2")]);

    expect(await claims.next()).toMatchObject({ claim: { row: 2 } });
    expect(await claims.next()).toMatchObject({
      rechecked: { record: { row: 3 } },
      claim: undefined,
    });
  });

  it("claims nothing while the gate is closed", async () => {
    const { claims, gate, states } = openClaims([stock(2, "p2")]);
    gate.isOpen = false;

    expect(await claims.next()).toMatchObject({
      rechecked: { record: { row: 2 } },
      claim: undefined,
    });
    expect(states()).toEqual(["2: ready"]);
  });

  it("releases at once what it has claimed while the gate closed", async () => {
    const { claims, journal, gate, duringClaim, states } = openClaims([stock(2, "p2")]);
    duringClaim(() => (gate.isOpen = false));

    expect(await claims.next()).toMatchObject({ claim: undefined });
    expect(states()).toEqual(["2: ready"]);
    expect(journal.moves.slice(1)).toEqual(["2: sending > ready (unsent)"]);
  });

  it("claims the next batch ahead once every row of the last one is taken", async () => {
    const rows = [2, 3, 4, 5, 6, 7].map((row) => stock(row, `p${row}`));
    const { claims, states } = openClaims(rows);
    for (const row of rows.slice(0, 3)) {
      expect(await claims.next()).toMatchObject({ claim: { row: row.row } });
    }
    claims.claimAhead();
    expect(states().slice(4)).toEqual(["6: ready", "7: ready"]);
    await claims.next();

    claims.claimAhead();
    expect(await claims.next()).toMatchObject({ claim: { row: 6 } });
    await claims.close();

    expect(states().slice(4)).toEqual(["6: sending", "7: ready"]);
  });

  it("rejects the next row where its batch could not be claimed ahead", async () => {
    const { claims, duringClaim } = openClaims([stock(2, "p2")]);
    duringClaim(() => {
      throw new Error("the disk is full");
    });

    claims.claimAhead();

    await expect(claims.next()).rejects.toThrow("the disk is full");
  });

  it("hands out a released row only once its claim was given back", async () => {
    const { claims, journal, gate } = openClaims([stock(2, "p2"), stock(3, "p3")]);
    await claims.next();
    gate.isOpen = false;

    const released = claims.release();
    await claims.next();

    expect(journal.moves.at(-1)).toBe("3: sending > ready (unsent)");
    await released;
  });

  it("claims released rows again", async () => {
    const { claims, states } = openClaims([stock(2, "p2"), stock(3, "p3")]);
    await claims.next();

    await claims.release();
    expect(states()).toEqual(["2: sending", "3: ready"]);

    expect(await claims.next()).toMatchObject({ claim: { row: 3, attempt: 2 } });
  });
});
