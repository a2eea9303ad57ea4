import { createFakeClock, elapse } from "@catalog/clock/testing";
import { LISTING_STATUSES, type ProductId, type StoreProduct, idSchemas } from "@catalog/contract";
import { openMemoryJournal } from "@catalog/database/testing";
import { applyRun, type Marketplace } from "@catalog/runs";
import {
  addBody,
  candidate,
  codeKey,
  createFakeMarketplace,
  parsedRow,
  readStates,
  RUN,
  SHEET,
  updateBody,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { recheckOf } from "./helpers/apply-fixture.ts";
import { createPlainShop } from "./helpers/plain-shop.ts";
import { planAll } from "./helpers/plan-all.ts";

const listAll = async (
  marketplace: Marketplace,
  query: Omit<Parameters<Marketplace["listProducts"]>[0], "status"> = {},
): Promise<readonly StoreProduct[]> => {
  const found: StoreProduct[] = [];
  for (const status of LISTING_STATUSES) {
    found.push(...(await Array.fromAsync(marketplace.listProducts({ ...query, status }))));
  }
  return found;
};
const codesOf = (products: readonly StoreProduct[]): readonly string[] =>
  products.map((product) => product.product_code ?? "").toSorted();

/** What each marketplace port must do; the engine knows a marketplace by these five methods alone. */
function testMarketplace(create: () => Marketplace): void {
  const leave = { beforeSend: (): void => undefined };
  const open = async (...codes: readonly string[]) => {
    const marketplace = create();
    const ids: ProductId[] = [];
    for (const code of codes) {
      const answer = await marketplace.addProduct(addBody(code), leave);
      if (answer.kind !== "answered") throw new Error("the product was not added");
      ids.push(idSchemas.product.parse(Reflect.get(Object(answer.data), "product_id")));
    }
    return { marketplace, ids };
  };
  it("lists each product once, in the statuses whose counts add up to them", async () => {
    const { marketplace } = await open("A1", "A2", "A3", "A4", "A5");
    const counts = [];
    for (const status of LISTING_STATUSES) counts.push(await marketplace.countProducts(status));

    expect(codesOf(await listAll(marketplace))).toEqual(["A1", "A2", "A3", "A4", "A5"]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  });

  it("tells its pages in order, and that the listing stood still", async () => {
    const { marketplace } = await open("A1", "A2", "A3", "A4");
    const pages: number[] = [];
    const ends: boolean[] = [];

    await listAll(marketplace, {
      onPage: ({ page, pages: all }) => {
        expect(all).toBeGreaterThanOrEqual(page);
        pages.push(page);
      },
      onEnd: ({ isStill }) => void ends.push(isStill),
    });

    expect(pages).toEqual(pages.toSorted((a, b) => a - b));
    expect(ends).toEqual(LISTING_STATUSES.map(() => true));
  });

  it("finds products by id and by code", async () => {
    const { marketplace, ids } = await open("A1", "B2");

    expect(codesOf(await listAll(marketplace, { ids: ids.slice(1) }))).toEqual(["B2"]);
    expect(codesOf(await listAll(marketplace, { code: "A1" }))).toEqual(["A1"]);
    expect(await listAll(marketplace, { code: "C3" })).toEqual([]);
  });

  it("calls back before the first byte of a write, first to prepare it and once to send it", async () => {
    const { marketplace, ids } = await open("A1");
    const calls: string[] = [];
    const hooks = {
      prepare: async () => void calls.push("prepare"),
      beforeSend: () => void calls.push("send"),
    };

    await marketplace.updateProduct(updateBody(ids[0] ?? "", { title: "Mug" }), hooks);
    await marketplace.addProduct(addBody("A2"), hooks);

    expect(calls).toEqual(["prepare", "send", "prepare", "send"]);
  });

  it.each([
    ["its preparation fails", { prepare: () => Promise.reject(new Error("stop")), ...leave }],
    [
      "it may not be sent",
      {
        beforeSend() {
          throw new Error("stop");
        },
      },
    ],
    ["it was aborted before", { ...leave, signal: AbortSignal.abort(new Error("stop")) }],
  ])("sends nothing of a write where %s", async (_why, options) => {
    const { marketplace } = await open("A1");

    await expect(marketplace.addProduct(addBody("A2"), options)).rejects.toThrow("stop");

    expect(codesOf(await listAll(marketplace))).toEqual(["A1"]);
  });

  it("changes the fields that an update names, and no others", async () => {
    const { marketplace, ids } = await open("A1");
    const [before] = await listAll(marketplace);

    await marketplace.updateProduct(updateBody(ids[0] ?? "", { title: "Mug" }), leave);

    expect(await listAll(marketplace)).toEqual([{ ...before, title: "Mug" }]);
  });

  it("answers an update of a product that it does not have with a refusal", async () => {
    const answer = await create().updateProduct(updateBody("none", { title: "Mug" }), leave);

    expect(answer.kind).toBe("refused");
  });

  it("gets from a run what its rows say, and nothing a second time", async () => {
    const { marketplace, ids } = await open("A1", "A2");
    const journal = await openMemoryJournal();
    const codes = ["A1", "A2", "A3", "A4"];
    await journal.appendRows(
      RUN,
      codes.map((code, at) => parsedRow(at + 2, code)),
    );
    const toCandidate = ({ row }: { readonly row: number }) =>
      candidate(row, codes[row - 2] ?? null, { changes: { title: `Mug ${row}` } });
    const shared = { runId: RUN, journal, marketplace, codeKey, sheet: SHEET };
    const clock = createFakeClock();

    await planAll({ ...shared, toCandidate, before: journal });
    const { end } = await elapse(
      clock,
      applyRun({ ...shared, clock, recheck: recheckOf(journal) }),
    );

    expect(end).toBe("finished");
    expect(await readStates(journal)).toEqual(["2: done", "3: done", "4: done", "5: done"]);
    const products = await listAll(marketplace);
    expect(codesOf(products)).toEqual(codes);
    expect(products.find(({ id }) => id === ids[0])?.title).toBe("Mug 2");
  });
}

describe("the fake marketplace", () => testMarketplace(() => createFakeMarketplace()));

describe("a marketplace with other manners", () => testMarketplace(createPlainShop));
