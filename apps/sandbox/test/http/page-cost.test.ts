import { expect, it } from "vitest";

import { createSampleProduct, openTestClient, type TestClient } from "../helpers/test-client.ts";

const PAGES = 25;
/** Other processes only ever make a measure dearer, so the cheapest of several counts. */
const MAX_MEASURES = 15;
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

/** Measures both until the cheapest of each are within the ratio; `undefined` where they get there. */
async function compareCosts(
  few: TestClient,
  many: TestClient,
  call: Call,
): Promise<string | undefined> {
  let [small, large] = [Infinity, Infinity];
  for (let n = 0; n < MAX_MEASURES; n += 1) {
    small = Math.min(small, await costOf(few, call));
    large = Math.min(large, await costOf(many, call));
    if (large <= small * MAX_RATIO) return undefined;
  }
  return `${small} ms, ${large} ms`;
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
    const costs = await compareCosts(few, many, call);
    if (costs !== undefined) slow.push(`${name}: ${costs}`);
  }

  expect(slow).toEqual([]);
});
