import { expect, it } from "vitest";

import { createSampleProduct, openTestClient, type TestClient } from "../helpers/test-client.ts";

const PAGES = 25;
const MEASURES = 3;
/** 32 times the products may cost twice as much; reading them all costs four times as much. */
const MAX_RATIO = 2;
const SIZES = { few: 1000, many: 32_000 } as const;

type Call = (client: TestClient, index: number) => Promise<unknown>;

const CALLS: Readonly<Record<string, Call>> = {
  "a page of a status": ({ list }, index) => list({ limit: "5", page: `${1 + (index % 15)}` }),
  "the oldest page": ({ list }) => list({ limit: "5", sort_by_date: "ascending" }),
  "a page of a period": ({ list }) =>
    list({ limit: "5", start_date: "1", end_date: "4000000000", page: "2" }),
  "products by id": async ({ list, sandbox }, index) => {
    const ids = ID_PLACES.map((place) => KNOWN_IDS.get(sandbox)?.[index + place] ?? "");
    return list({ ids: ids.join(","), limit: "5" });
  },
  "a product by code": ({ list }, index) =>
    list({ product_code: `SBX-${String(index + 1).padStart(6, "0")}` }),
  "a page of a search by title": ({ list }, index) =>
    list({ limit: "5", title: "a", page: `${1 + (index % 8)}` }),
  "a page after an add": async ({ list, post, sandbox }, index) => {
    const product = { ...SAMPLE, product_code: `YENİ-${index}` };
    await post(`/v1.1/product/add/store/${sandbox.storeId}`, product);
    return list({ limit: "5" });
  },
  "a page after an update": async ({ list, post, sandbox }, index) => {
    const product_id = KNOWN_IDS.get(sandbox)?.[index];
    const path = `/v1.1/product/update/store/${sandbox.storeId}`;
    await post(path, { product_id, product_code: `KOD-${index}-${performance.now()}` });
    return list({ limit: "5", page: "2" });
  },
};

const SAMPLE = createSampleProduct();
const ID_PLACES = [0, 100, 200, 300];
const KNOWN_IDS = new Map<unknown, readonly string[]>();

/** CPU time of the calls in milliseconds, that of the client included. */
async function costOf(client: TestClient, call: Call): Promise<number> {
  const begun = process.threadCpuUsage();
  for (let index = 0; index < PAGES; index += 1) await call(client, index);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

async function minCost(client: TestClient, call: Call): Promise<number> {
  let min = Infinity;
  for (let n = 0; n < MEASURES; n += 1) min = Math.min(min, await costOf(client, call));
  return min;
}

it("costs no more with 32 times the products, whatever is asked", { timeout: 60_000 }, async () => {
  const few = await openTestClient({ products: SIZES.few });
  const many = await openTestClient({ products: SIZES.many });
  for (const { sandbox } of [few, many]) {
    KNOWN_IDS.set(
      sandbox,
      sandbox
        .products()
        .slice(0, 400)
        .map(({ id }) => id),
    );
  }
  const slow: string[] = [];

  for (const [name, call] of Object.entries(CALLS)) {
    const [small, large] = [await minCost(few, call), await minCost(many, call)];
    if (large > small * MAX_RATIO) slow.push(`${name}: ${small} ms, ${large} ms`);
  }

  expect(slow).toEqual([]);
});
