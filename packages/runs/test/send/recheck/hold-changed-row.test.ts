import type { StoreProduct } from "@catalog/contract";
import { expect, it } from "vitest";

import type { RowRecord } from "../../../src/row/row-record.ts";
import { holdChangedRow } from "../../../src/send/recheck/hold-changed-row.ts";
import { createMemoryJournal } from "../../../src/testing.ts";
import { id, price, RUN, SHEET, updateBody } from "../../helpers/products.ts";

const NOW: StoreProduct = { id: id("p1"), product_code: "B1", title: "Bowl" };

const RECORD: RowRecord = {
  row: 2,
  cells: [],
  code: "B1",
  codeKey: "b1",
  state: "ready",
  action: "update",
  productId: id("p1"),
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
  const journal = { ...createMemoryJournal(), recordOutcome: async () => void log.push("held") };

  await holdChangedRow(
    { runId: RUN, journal, recheck: { before, priceUnit: "minor" }, sheet: SHEET },
    { record: RECORD, verdict: { kind: "overtaken", fields: [], before: NOW } },
  );

  expect(log).toEqual(["held", "kept"]);
});
