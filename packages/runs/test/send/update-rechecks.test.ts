import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import { toGuardSettings } from "../../src/guards/guard-settings.ts";
import type { StoreProduct } from "../../src/ports/product.ts";
import { RECHECK_MAX_AGE_MS } from "../../src/send/recheck-limits.ts";
import {
  createRechecks,
  type RecheckedRow,
  type RecheckOptions,
} from "../../src/send/update-rechecks.ts";
import { createFakeMarketplace, type FakeMarketplace } from "../../src/testing.ts";
import { listed, price, RUN, SHEET, toUpdate, updateBody } from "../../src/testing/rows.ts";
import { createRowStub, type RowStub } from "../helpers/row-stub.ts";

interface Fixture {
  readonly clock: FakeClock;
  readonly journal: RowStub;
  readonly before: Map<number, StoreProduct>;
  readonly marketplace: FakeMarketplace;
  readonly open: (more?: Partial<RecheckOptions>) => Promise<readonly RecheckedRow[]>;
  /** Another program changes the title of a product. */
  readonly edit: (product: string, title: string) => Promise<void>;
}

/** Opens rows 2, 3 …, which update the titles of p2, p3 …, with the listing of their plan. */
function openFixture(rows: number): Fixture {
  const clock = createFakeClock();
  const numbers = Array.from({ length: rows }, (_, n) => n + 2);
  const products = numbers.map((n) => listed(`p${n}`, `B${n}`, { price: 6_500 }));
  const marketplace = createFakeMarketplace({ products });
  const journal = createRowStub(numbers.map((n) => toUpdate(n, `p${n}`, { title: "Mug" })));
  const before = new Map(products.map(({ product }, at) => [at + 2, product]));
  const edit = async (product: string, title: string): Promise<void> => {
    await marketplace.updateProduct(updateBody(product, { title }), {
      beforeSend: () => undefined,
    });
  };
  const open = async (more: Partial<RecheckOptions> = {}): Promise<readonly RecheckedRow[]> => {
    const recheck = { before: toLog(before), priceUnit: "minor", ...more } as const;
    return await openRechecks({ journal, marketplace, clock, recheck }).open(
      numbers.map((n) => journal.row(n)),
    );
  };
  return { clock, journal, before, marketplace, open, edit };
}

type Ports = Pick<Parameters<typeof createRechecks>[0], "clock" | "marketplace" | "recheck"> & {
  readonly journal: RowStub;
};

const openRechecks = ({ journal, ...ports }: Ports): ReturnType<typeof createRechecks> =>
  createRechecks({ ...ports, runId: RUN, journal: { ...journal, readSeenById: async () => [] } });

/** The log of overwritten values over a map. */
const toLog = (before: Map<number, StoreProduct>): RecheckOptions["before"] => ({
  readBefore: async () => before,
  saveBefore: async (_, values) => values.forEach(({ row, product }) => before.set(row, product)),
});

const listsOf = ({ log }: FakeMarketplace): readonly string[] =>
  log.filter((request) => request.startsWith("LIST"));

describe("a recheck", () => {
  it("takes one call for many rows, and stores what they overwrite", async () => {
    const { before, marketplace, open, edit } = openFixture(3);
    await edit("p3", "Mug");

    const rows = await open();

    expect(listsOf(marketplace)).toEqual(["LIST approved p2,p3,p4"]);
    expect(rows.map(({ verdict }) => verdict.kind)).toEqual(["go", "go", "go"]);
    expect(before.get(3)).toMatchObject({ title: "Mug" });
  });

  it("holds the rows whose product has changed, and keeps the listing of their plan", async () => {
    const { before, open, edit } = openFixture(2);
    await edit("p3", "Theirs");

    const rows = await open();

    expect(rows.map(({ verdict }) => verdict.kind)).toEqual(["go", "overtaken"]);
    expect(before.get(3)).toMatchObject({ title: "Cup B3" });
  });

  it("expires after a minute, and when the clock was put back", async () => {
    const { clock, open } = openFixture(1);
    await clock.advance(1_000);
    const [row] = await open();

    const young = row?.isFresh();
    await clock.advance(RECHECK_MAX_AGE_MS);
    const last = row?.isFresh();
    await clock.advance(1);

    expect([young, last, row?.isFresh()]).toEqual([true, true, false]);
  });

  it("renews all open rows in one call", async () => {
    const { clock, marketplace, open, edit } = openFixture(4);
    const rows = await open();
    rows[1]?.close();
    await clock.advance(RECHECK_MAX_AGE_MS + 1);
    await edit("p5", "Theirs");

    await Promise.all(rows.filter((_, at) => at !== 1).map((row) => row.renew()));

    expect(listsOf(marketplace).slice(1)).toEqual(["LIST approved p2,p4,p5"]);
    expect(rows.map(({ verdict }) => verdict.kind)).toEqual(["go", "go", "go", "overtaken"]);
    expect(rows.map((row) => row.isFresh())).toEqual([true, false, true, true]);
  });

  it("uses the plan's listing when this process has read it, and reads again otherwise", async () => {
    const { clock, marketplace, open } = openFixture(1);
    await clock.advance(RECHECK_MAX_AGE_MS);

    const [row] = await open({ keptAtMs: 1 });
    const none = listsOf(marketplace).length;
    await open();

    expect([row?.isFresh(), none, listsOf(marketplace).length]).toEqual([true, 0, 1]);
  });

  it("runs the price guards on the listed values", async () => {
    const { clock, journal, before, marketplace } = openFixture(1);
    const location = { sheet: SHEET, row: 2, column: "Fiyat", cell: "B2", value: "10" };
    const guards = { settings: toGuardSettings(), locationOf: () => location };
    const recheck = { before: toLog(before), priceUnit: "minor", guards } as const;
    const payload = updateBody("p2", { price: price(1_000) });
    const record = { ...journal.row(2), payload };

    const rechecks = openRechecks({ journal, marketplace, clock, recheck });
    const [row] = await rechecks.open([record]);

    expect(row?.verdict).toMatchObject({
      kind: "guarded",
      issues: [{ code: "E_GUARD_PRICE_DROP", cell: "B2" }],
    });
  });
});
