import { openMemoryJournal } from "@catalog/database/testing";
import { type CandidateRow, type Marketplace, readAllRows } from "@catalog/runs";
import {
  addBefore,
  addBody,
  candidate,
  createFakeMarketplace,
  listed,
  parsedRow,
  plan,
  readStates,
  RUN,
  toAdd,
  toProductId,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { changing, listedProducts, openPlanFixture, readAll } from "./helpers/plan-fixture.ts";

const COUNTS = ["COUNT approved", "COUNT passive", "COUNT veto"];
/** Each status once, which an unchanged store needs. */
const STATUSES = ["approved", "passive", "veto"].map((status) => `LIST ${status}`);
/** Approved and passive twice, for products that change their status meanwhile. */
const LOOKUPS = ["approved", "passive", "veto", "approved", "passive"].map(
  (status) => `LIST ${status}`,
);

describe("planning a run", () => {
  it("decides every row, and estimates the calls of applying the plan", async () => {
    const { journal, planAll } = await openPlanFixture(
      ["A1", "A2", "B0", "B1", "A1", "A1", "A9"],
      listedProducts(2),
      {
        3: { issues: candidateIssue("A2") },
        4: { changes: { title: "Mug" } },
        5: { changes: { title: "Cup B1" } },
        8: { action: "skip" },
      },
    );

    const facts = await planAll();

    expect(await readStates(journal)).toEqual([
      "2: ready",
      "3: invalid",
      "4: ready",
      "5: unchanged",
      "6: duplicate",
      "7: duplicate",
      "8: skipped",
    ]);
    expect(facts).toEqual({
      readBy: "listing",
      unsendable: { rows: 0, partly: 0, fields: [] },
      priceUnit: "unknown",
      priceUnitBy: "nothing",
      planned: {
        add: 1,
        update: 1,
        unchanged: 1,
        invalid: 1,
        duplicate: 2,
        held: 0,
        requests: 3,
        seconds: 6,
      },
    });
  });

  it("reads each status once where it shows every product, and sends nothing", async () => {
    const { marketplace, planAll } = await openPlanFixture(["B1", "B0"], listedProducts(2));

    await planAll();

    expect(marketplace.log).toEqual([...COUNTS, ...STATUSES]);
  });

  it("reads a store once that stood still, whatever codes it does not show", async () => {
    const { marketplace, planAll } = await openPlanFixture(["A1", "B0"], listedProducts(2));

    await planAll();

    expect(marketplace.log).toEqual([...COUNTS, ...STATUSES, ...COUNTS]);
  });

  it("reads a small store again that changed meanwhile, for a code that no status has shown", async () => {
    const { marketplace, planAll } = await openPlanFixture(["A1", "B0"], listedProducts(2));

    await planAll({ marketplace: changing(marketplace) });

    expect(marketplace.log).toEqual([...COUNTS, ...STATUSES, ...STATUSES, ...COUNTS]);
  });

  it("looks up the codes that no status has shown where a large store changed meanwhile", async () => {
    const codes = ["A1", ...Array.from({ length: 400 }, (_, n) => `B${n}`)];
    const { journal, marketplace, planAll } = await openPlanFixture(codes, listedProducts(400));

    await planAll({ marketplace: changing(marketplace) });

    const lookups = LOOKUPS.map((listing) => `${listing} A1`);
    expect(marketplace.log).toEqual([...COUNTS, ...STATUSES, ...lookups]);
    expect((await readStates(journal))[0]).toBe("2: ready");
  });

  it("looks up every code that a listing has not shown which is cut off with its total", async () => {
    const codes = Array.from({ length: 2_600 }, (_, n) => `B${n}`);
    const { marketplace, planAll } = await openPlanFixture(codes, listedProducts(2_600));
    const cutOff: Marketplace = {
      ...marketplace,
      countProducts: async (status) => (status === "approved" ? 2_500 : 0),
      async *listProducts({ onEnd, ...query }) {
        const isWhole = query.code === undefined && query.ids === undefined;
        const found = await Array.fromAsync(marketplace.listProducts(query));
        yield* isWhole ? found.slice(0, 2_500) : found;
        onEnd?.({ isStill: true });
      },
    };

    const { planned } = await planAll({ marketplace: cutOff });

    expect(planned).toMatchObject({ unchanged: 2_600, add: 0 });
  });

  it("looks up a product that changes its status while the store is read", async () => {
    const marketplace = createFakeMarketplace({
      products: listedProducts(400),
      onRequest(request) {
        // It is approved before that listing is read, and passive when that one was read.
        if (request === "LIST approved") marketplace.put(toProductId("p3"), "veto");
        if (request === "LIST veto") marketplace.put(toProductId("p3"), "approved");
      },
    });
    const codes = Array.from({ length: 400 }, (_, n) => `B${n}`);
    const { journal, planAll } = await openPlanFixture(codes, listedProducts(400));

    const { planned } = await planAll({ marketplace });

    expect(planned).toMatchObject({ unchanged: 400, add: 0 });
    expect(await journal.readSeenById([toProductId("p3")])).toMatchObject([{ status: "approved" }]);
  });

  it("reads a store that changes meanwhile up to three times for a code that it does not show", async () => {
    const { marketplace, planAll } = await openPlanFixture(["A1", "B0"], listedProducts(2));

    await planAll({ marketplace: changing(marketplace, 9) });

    expect(marketplace.log).toEqual([...COUNTS, ...STATUSES, ...STATUSES, ...STATUSES]);
  });

  it("plans the first of identical rows with one code, and none of different rows", async () => {
    const journal = await openMemoryJournal();
    const cells: readonly (readonly [code: string, cell: string])[] = [
      ["A1", "same"],
      ["A1", "same"],
      ["A2", "one"],
      ["A2", "two"],
      ["A3", "one"],
      ["A3", "beside it, in a column that is not sent"],
      ["A4", "one body"],
      ["A4", "another body"],
    ];
    await journal.appendRows(
      RUN,
      cells.map(([code, cell], n) => parsedRow(n + 2, code, [code, cell])),
    );
    const { planAll } = await openPlanFixture([]);

    await planAll({
      journal,
      toCandidate: ({ row }) => {
        const [code = null, cell = ""] = cells[row - 2] ?? [];
        return candidate(row, code, {
          changes: code === "A2" ? { title: cell } : {},
          completeAdd: () => ({
            ok: true,
            body: addBody(code ?? "", code === "A4" ? { title: cell } : {}),
          }),
        });
      },
    });

    expect(await readStates(journal)).toEqual([
      "2: ready",
      "3: duplicate",
      "4: duplicate",
      "5: duplicate",
      "6: ready",
      "7: duplicate",
      "8: duplicate",
      "9: duplicate",
    ]);
  });

  it("plans only adds, or only updates, in such a mode", async () => {
    const rows = { 3: { changes: { title: "Mug" } } };
    const adding = await openPlanFixture(["A1", "B0"], listedProducts(1), rows);
    const updating = await openPlanFixture(["A1", "B0"], listedProducts(1), rows);

    await adding.planAll({ mode: "add" });
    await updating.planAll({ mode: "update" });

    expect(await readStates(adding.journal)).toEqual(["2: ready", "3: skipped"]);
    expect(await readStates(updating.journal)).toEqual(["2: invalid", "3: ready"]);
  });

  it("holds a code whose add in another run is still open", async () => {
    const { journal, planAll } = await openPlanFixture(["A1"]);
    await plan(journal, [toAdd(2, "A1")], "r-0");
    journal.beginSending({ runId: "r-0", row: 2 });

    const { planned } = await planAll();

    expect(await readStates(journal)).toEqual(["2: held"]);
    expect(planned).toMatchObject({ held: 1, requests: 0, seconds: 0 });
  });

  it("updates a product that we added before and no listing shows", async () => {
    const { journal, planAll } = await openPlanFixture(["A1"], [], {
      2: { changes: { title: "Cup A1", stock_count: 9 } },
    });
    await addBefore(journal, "A1", "p7");

    await planAll();

    const [row] = await readAll(journal);
    expect(row).toMatchObject({ action: "update", payload: { product_id: "p7", stock_count: 9 } });
    expect(row?.changes).toEqual([{ field: "stock_count", new: 9 }]);
  });

  it("stores a listing that is longer than a batch", async () => {
    const { journal, planAll } = await openPlanFixture(
      Array.from({ length: 250 }, (_, n) => `B${n}`),
      listedProducts(250),
    );

    const { planned } = await planAll();

    expect(planned).toMatchObject({ unchanged: 250, add: 0 });
    expect(await journal.readSeenById([toProductId("p0"), toProductId("p249")])).toHaveLength(2);
  });

  it("makes no call once it is aborted", async () => {
    const { marketplace, planAll } = await openPlanFixture(["A1"]);

    await expect(planAll({ signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");

    expect(marketplace.log).toEqual([]);
  });

  it("replaces what an earlier listing showed", async () => {
    const { journal, planAll } = await openPlanFixture(["B0"]);
    await journal.saveSeen([
      { codeKey: "b0", status: "approved", product: { id: toProductId("p0"), product_code: "B0" } },
    ]);

    const { planned } = await planAll();

    expect(planned.add).toBe(1);
  });
});

describe("reading the store for a plan", () => {
  it("lists the whole store when that takes no more calls than looking up each row", async () => {
    const { marketplace, planAll } = await openPlanFixture(["A1"], listedProducts(100));

    const { readBy } = await planAll();

    expect(readBy).toBe("listing");
    expect(marketplace.log).toEqual([...COUNTS, ...STATUSES, ...COUNTS]);
  });

  it("looks up each row in every status when the store is larger", async () => {
    const { journal, marketplace, planAll } = await openPlanFixture(["B7"], listedProducts(201));

    const { readBy } = await planAll();

    expect(readBy).toBe("lookups");
    expect(marketplace.log).toEqual([...COUNTS, ...LOOKUPS.map((listing) => `${listing} B7`)]);
    expect(await readStates(journal)).toEqual(["2: unchanged"]);
  });

  it("lists a larger store whose filter by code is not proven", async () => {
    const { journal, marketplace, planAll } = await openPlanFixture(["B7"], listedProducts(500));
    const unproven = { ...marketplace, trustsFilter: async () => false };

    const { readBy } = await planAll({ marketplace: unproven });

    expect(readBy).toBe("listing");
    expect(await readStates(journal)).toEqual(["2: unchanged"]);
  });

  it("counts the pages of each status separately", async () => {
    const products = [
      ...listedProducts(101),
      ...Array.from({ length: 51 }, (_, n) => listed(`v${n}`, `V${n}`, { placement: "veto" })),
    ];
    const { planAll } = await openPlanFixture(["A1"], products);

    expect(await planAll()).toMatchObject({ readBy: "lookups" });
  });

  it("looks up each code once, and no row without a code", async () => {
    const { marketplace, planAll } = await openPlanFixture(
      ["A1", null, " a1"],
      listedProducts(1_000),
    );

    await planAll();

    expect(marketplace.log.filter((request) => request.startsWith("LIST"))).toEqual(
      LOOKUPS.map((listing) => `${listing} A1`),
    );
  });

  it("ignores a found product whose code only contains the row's code", async () => {
    const { journal, planAll } = await openPlanFixture(["B1"], listedProducts(200).slice(10));

    await planAll();

    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  it("looks up rows that name their product only by its id", async () => {
    const rows = { 2: { productId: toProductId("p3"), changes: { title: "Mug" } } };
    const { journal, marketplace, planAll } = await openPlanFixture(
      [null],
      listedProducts(151),
      rows,
    );

    const { readBy } = await planAll();

    expect(readBy).toBe("lookups");
    expect(await readStates(journal)).toEqual(["2: ready"]);
    expect(marketplace.log).toEqual([...COUNTS, ...LOOKUPS.map((listing) => `${listing} p3`)]);
  });

  it("looks up the ids of a batch of rows together", async () => {
    const ids = Array.from({ length: 60 }, (_, n) => toProductId(`p${n}`));
    const rows = Object.fromEntries(ids.map((product, n) => [n + 2, { productId: product }]));
    const codes = ids.map(() => null);
    const { journal, marketplace, planAll } = await openPlanFixture(
      codes,
      listedProducts(16_000),
      rows,
    );

    await planAll();

    const asked = marketplace.log
      .filter((request) => request.startsWith("LIST approved"))
      .map((request) => request.split(",").length);
    expect(asked).toEqual([60, 60]);
    expect(await journal.countRows(RUN)).toEqual([{ state: "unchanged", action: null, rows: 60 }]);
  });

  it("makes a row invalid whose id and code belong to two products", async () => {
    const rows = { 2: { productId: toProductId("p1"), changes: { title: "Mug" } } };
    const { journal, planAll } = await openPlanFixture(["B0"], listedProducts(2), rows);

    await planAll();

    const [row] = await readAll(journal);
    expect(row).toMatchObject({
      state: "invalid",
      payload: null,
      issues: [{ code: "E_ID_CODE_MISMATCH" }],
    });
  });

  it("says of an id whose product has the row's code with zeros that they may be lost", async () => {
    const rows = { 2: { productId: toProductId("p1"), changes: { title: "Mug" } } };
    const { journal, planAll } = await openPlanFixture(["103"], [listed("p1", "000103")], rows);

    await planAll();

    const [issue] = (await readAll(journal))[0]?.issues ?? [];
    expect(issue?.message.tr).toBe(
      "Ürün ID, mağazada kodu “000103” olan ürünün; bu satırda kod “103”. Excel baştaki sıfırları silmiş olabilir.",
    );
    expect(issue?.suggestion?.tr).toContain("kodu “000103” olarak yazın");
  });

  it("refuses the second of two rows that update one product by its id", async () => {
    const rows = {
      2: { productId: toProductId("p0"), codeKey: null, changes: { title: "Mug" } },
      3: { productId: toProductId("p0"), codeKey: null, changes: { title: "Jug" } },
    };
    const { journal, planAll } = await openPlanFixture(["B0", "B1"], listedProducts(1), rows);

    await planAll();

    const [first, second] = await readAll(journal);
    expect(first).toMatchObject({ state: "ready", productId: "p0" });
    expect(second).toMatchObject({ state: "duplicate", issues: [{ code: "E_PRODUCT_TWICE" }] });
  });
});

function candidateIssue(code: string): CandidateRow["issues"] {
  const { codeLocation } = candidate(3, code);
  return [{ code: "E_NUMBER", ...codeLocation, message: { tr: "tr", en: "en" } }];
}

describe("the calls of a plan", () => {
  it("counts the calls that look for adds before they are sent, and those that read back the canary and the rest", async () => {
    const codes = Array.from({ length: 60 }, (_, n) => `A${n}`);
    // 60 adds take two minutes here: one recheck of five calls for every twenty-five of them.
    const cases = [
      [{}, 70],
      [{ isVerified: true }, 72],
      [{ isVerified: true, canary: 20 }, 72],
      [{ isVerified: true, canary: 5 }, 73],
      [{ canary: 5 }, 71],
      [{ canary: 100 }, 72],
    ] as const;

    for (const [more, requests] of cases) {
      const { planAll } = await openPlanFixture(codes);
      expect((await planAll(more)).planned.requests).toBe(requests);
    }
  });
});

const CODES = ["A2", "A3", "A4", "A5", "A6"];

describe("readAllRows", () => {
  it("yields every row of a run once, in batches and in the order of the sheet", async () => {
    const { journal } = await openPlanFixture(CODES);

    const batches = await Array.fromAsync(readAllRows(journal, RUN, {}, 2));

    expect(batches.map((rows) => rows.map(({ row }) => row))).toEqual([[2, 3], [4, 5], [6]]);
  });

  it("continues after rows that have changed state in the meantime", async () => {
    const { journal, planAll } = await openPlanFixture(CODES);
    const rows: number[] = [];

    for await (const batch of readAllRows(journal, RUN, { states: ["parsed"] }, 2)) {
      rows.push(...batch.map(({ row }) => row));
      if (rows.length === 2) await planAll();
    }

    expect(rows).toEqual([2, 3]);
  });

  it("yields nothing for a run without rows", async () => {
    const { journal } = await openPlanFixture([]);

    expect(await Array.fromAsync(readAllRows(journal, RUN))).toEqual([]);
  });
});
