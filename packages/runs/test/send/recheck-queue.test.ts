import { expect, it } from "vitest";

import type { StoreProduct } from "../../src/ports/product.ts";
import type { RowOutcome, RowRecord } from "../../src/row/row-record.ts";
import { judgeRecheck, type RecheckInput } from "../../src/send/judge-recheck.ts";
import { holdChangedRow } from "../../src/send/recheck-queue.ts";
import { toProductId, price, RUN, SHEET, updateBody } from "../../src/testing/rows.ts";

const NOW: StoreProduct = { id: toProductId("p1"), product_code: "B1", title: "Bowl" };

const RECORD: RowRecord = {
  row: 2,
  cells: [],
  code: "B1",
  codeKey: "b1",
  state: "ready",
  action: "update",
  productId: toProductId("p1"),
  payload: updateBody("p1", { price: price(7_000) }),
  changes: [],
  issues: [],
  attempts: 0,
  note: null,
  updatedAtMs: 0,
};

it("stores the listing for a held row only once the row is held", async () => {
  const log: string[] = [];
  const before = {
    readBefore: async () => new Map<number, StoreProduct>(),
    saveBefore: async () => void log.push("kept"),
  };
  const journal = { recordOutcome: async () => void log.push("held") };

  await holdChangedRow(
    { runId: RUN, journal, recheck: { before, priceUnit: "minor" }, sheet: SHEET },
    { record: RECORD, verdict: { kind: "overtaken", fields: [], before: NOW } },
  );

  expect(log).toEqual(["held", "kept"]);
});

/** Judges a row whose plan did not show the product, to which "Mug" was sent last. */
function judge(record: RowRecord, title: string): ReturnType<typeof judgeRecheck> {
  const now = { ...NOW, title };
  const lastSent: RecheckInput["lastSent"] = { title: "Mug" };
  const known = { planned: undefined, now, lastSent, priceUnit: "minor", wasSent: true } as const;
  return judgeRecheck({ record, ...known });
}

it("lets a released row go that was sent before and whose product its plan did not show", async () => {
  const payload = updateBody("p1", { title: "Cup" });
  const record = { ...RECORD, payload, attempts: 1, changes: [{ field: "title", new: "Cup" }] };
  const verdict = judge(record, "Bowl");
  if (verdict.kind !== "overtaken") throw new Error(`the row is ${verdict.kind}`);
  const outcomes: RowOutcome[] = [];
  const journal = {
    recordOutcome: async (_key: unknown, outcome: RowOutcome) => void outcomes.push(outcome),
  };
  const before = { readBefore: async () => new Map(), saveBefore: async () => undefined };

  const recheck = { before, priceUnit: "minor" } as const;
  await holdChangedRow({ runId: RUN, journal, recheck, sheet: SHEET }, { record, verdict });

  const released = { ...record, changes: outcomes[0]?.changes ?? [] };
  expect(released.changes).toEqual([{ field: "title", old: "Bowl", new: "Cup" }]);
  expect(judge(released, "Bowl").kind).toBe("same");
  expect(judge(released, "Plate").kind).toBe("overtaken");
});
