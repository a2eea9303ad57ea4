import { priceMinor, idSchemas } from "@catalog/contract";
import { openMemoryJournal } from "@catalog/database/testing";
import { codeKey } from "@catalog/mapping";
import {
  type CandidateRow,
  type DecidedRun,
  planRun,
  type PlanRunOptions,
  type RowRecord,
} from "@catalog/runs";
import { createFakeMarketplace } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

const RUN = "r-1";

/** A row that changes the price of its product. */
function toRow({ row, code }: Pick<RowRecord, "row" | "code">): CandidateRow {
  const location = { sheet: "S", row, column: "Kod", cell: `A${row}`, value: code ?? "" };
  return {
    row,
    code,
    codeKey: codeKey(code ?? ""),
    productId: null,
    action: "auto",
    changes: { price: priceMinor.parse(1_000 + row) },
    categoryName: undefined,
    issues: [],
    completeAdd: () => ({ ok: false, issues: [] }),
    codeLocation: location,
    locationOf: () => location,
  };
}

/** A run of rows whose products are listed at 10.02, 10.03 and so on. */
async function openFixture(count: number) {
  const codes = Array.from({ length: count }, (_, n) => `K-${n + 2}`);
  const journal = await openMemoryJournal();
  await journal.appendRows(
    RUN,
    codes.map((code, n) => ({ row: n + 2, cells: [code], code, codeKey: codeKey(code) })),
  );
  const products = codes.map((code, n) => ({
    placement: "approved" as const,
    product: {
      id: idSchemas.product.parse(`p-${n + 2}`),
      product_code: code,
      price: 10.02 + n / 100,
    },
  }));
  const marketplace = createFakeMarketplace({ products });
  const read: number[] = [];
  const reader = {
    toCandidates: async (rows: readonly RowRecord[]) => {
      read.push(...rows.map(({ row }) => row));
      return rows.map(toRow);
    },
    toDraft: toRow,
  };
  const plan = (more: Partial<PlanRunOptions> = {}): Promise<DecidedRun> =>
    planRun({
      runId: RUN,
      journal,
      marketplace,
      codeKey,
      reader,
      verificationLog: journal,
      ...more,
    });
  return { journal, plan, read };
}

const countsOf = async ({ journal }: Awaited<ReturnType<typeof openFixture>>) =>
  (await journal.countRows(RUN)).map(({ state, rows }) => `${state} ${rows}`).toSorted();

describe("planRun", () => {
  it("decides rows in batches, and reports progress", async () => {
    const fixture = await openFixture(450);
    const progress: number[] = [];

    const facts = await fixture.plan({
      knownPriceUnit: { set: "major" },
      onProgress: (done) => progress.push(done),
    });

    expect(progress).toEqual([100, 200, 300, 400, 450]);
    expect(await countsOf(fixture)).toEqual(["unchanged 450"]);
    expect(facts).toEqual({
      readBy: "listing",
      priceUnit: "major",
      priceUnitBy: "set",
      unsendable: { rows: 0, partly: 0, fields: [] },
    });
  });

  it("tells each decision with the product that the store shows", async () => {
    const fixture = await openFixture(3);
    const told: unknown[] = [];

    await fixture.plan({
      knownPriceUnit: { set: "major" },
      onDecided: ({ row }, listed) => told.push([row, listed]),
    });

    expect(told).toMatchObject([
      [2, { product_code: "K-2" }],
      [3, { product_code: "K-3" }],
      [4, { product_code: "K-4" }],
    ]);
  });

  it("continues a plan that was interrupted, and reads no row twice", async () => {
    const fixture = await openFixture(250);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error("stop"));
    const stopping = fixture.plan({ signal: controller.signal, onProgress });
    await expect(stopping).rejects.toThrow("stop");

    expect(await countsOf(fixture)).toEqual(["held 100", "parsed 150"]);
    await fixture.plan();

    expect(await countsOf(fixture)).toEqual(["held 250"]);
    expect(fixture.read).toEqual(Array.from({ length: 250 }, (_, n) => n + 2));
  });

  it("rejects with the reason of a signal that aborts while the last rows are decided", async () => {
    const fixture = await openFixture(3);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error("stop"));

    const stopping = fixture.plan({ signal: controller.signal, onProgress });

    await expect(stopping).rejects.toThrow("stop");
  });

  it("stores the values that updates will overwrite before it stores the updates", async () => {
    const fixture = await openFixture(1);
    const { journal } = fixture;
    const states: string[] = [];
    const verificationLog = {
      saveBefore: async (...saved: Parameters<typeof journal.saveBefore>) => {
        states.push(...(await countsOf(fixture)));
        await journal.saveBefore(...saved);
      },
    };

    await fixture.plan({ knownPriceUnit: { set: "minor" }, verificationLog });

    expect(states).toEqual(["parsed 1"]);
    expect(await journal.readBefore(RUN, [2])).toEqual(
      new Map([[2, expect.objectContaining({ id: "p-2", price: 10.02 })]]),
    );
  });

  it("asks for the unit of prices with at most 2,000 rows of the file, when it is unknown", async () => {
    const fixture = await openFixture(2_100);
    const asked: unknown[] = [];

    const { priceUnit, priceUnitBy } = await fixture.plan({
      askPriceUnit: async ({ examples, suggestion }) => {
        asked.push(examples.length, suggestion);
        return "major";
      },
    });

    expect(asked).toEqual([3, { unit: "major", pairs: 2_000 }]);
    expect([priceUnit, priceUnitBy]).toEqual(["major", "asked"]);
    expect(await countsOf(fixture)).toEqual(["unchanged 2100"]);
  });
});
