import { type Toolkit } from "@catalog/connection";
import {
  createWorkplace,
  CUP,
  elapse,
  RUN_ID,
  type StoredRow,
  storeRun,
  type Workplace,
} from "@catalog/connection/testing";
import { endpoints, type ProductAdd, productId, type StoreProduct } from "@catalog/contract";
import { type Marketplace, type RunRecord } from "@catalog/runs";
import {
  createFakeMarketplace,
  failing,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
  lost,
  refused,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import {
  type Applied,
  applyPlan,
  type ApplyPlannedOptions,
  readRun,
} from "../../src/apply/apply-plan.ts";

const P1 = productId.parse("p-1");

const bodyOf = (number: number): ProductAdd =>
  endpoints.product.add.input.parse({ ...CUP, product_code: `KOD-${number}` });

/** Rows 2, 3 and so on add KOD-1, KOD-2 and so on. */
const adds = (count: number): readonly StoredRow[] =>
  Array.from({ length: count }, (_, index) => ({
    cells: [`KOD-${index + 1}`],
    action: "add",
    payload: bodyOf(index + 1),
  }));

interface Scene {
  readonly marketplace: FakeMarketplace;
  readonly toolkit: Toolkit;
  readonly apply: (more?: Partial<ApplyPlannedOptions>) => Promise<Applied>;
}

interface SceneOptions extends FakeMarketplaceOptions {
  readonly rows?: readonly StoredRow[];
  /** What the store makes of a product before it lists it. */
  readonly shows?: (product: StoreProduct) => StoreProduct;
}

/** A planned run of five adds, of which two go first. */
async function openScene({ rows = adds(5), shows, ...store }: SceneOptions = {}): Promise<Scene> {
  const place: Workplace = await createWorkplace({ concurrency: 1 });
  const { clock } = place;
  await storeRun(place.toolkit, { header: ["Ürün Kodu"], rows });
  await place.toolkit.runLog.update(RUN_ID, { state: "planned", settings: { canary: 2 } });
  const marketplace = createFakeMarketplace({ serverTimeMs: () => clock.now(), ...store });
  const toolkit = { ...place.toolkit, marketplace: showing(marketplace, shows) };
  return {
    marketplace,
    toolkit,
    apply: async (more = {}) => await elapse(clock, applyPlan(toolkit, { runId: RUN_ID, ...more })),
  };
}

function showing(marketplace: FakeMarketplace, shows: SceneOptions["shows"]): Marketplace {
  if (shows === undefined) return marketplace;
  return {
    ...marketplace,
    async *listProducts(query) {
      for await (const product of marketplace.listProducts(query)) yield shows(product);
    },
  };
}

const stored = async ({ toolkit }: Scene): Promise<RunRecord> => await readRun(toolkit, RUN_ID);

async function statesOf({ toolkit: { journal } }: Scene): Promise<string> {
  const rows = await journal.readRows(RUN_ID, { limit: 100 });
  return rows.map(({ state }) => state).join(" ");
}

const writesOf = ({ marketplace }: Scene): readonly string[] =>
  marketplace.log.filter((request) => !/^(?:LIST|COUNT)/u.test(request));

const warningsOf = async (scene: Scene): Promise<readonly string[]> =>
  (await stored(scene)).warnings.map(({ code, message }) => `${code} ${message.en}`);

describe("a canary", () => {
  it("is read back before the other rows leave", async () => {
    const scene = await openScene();
    const said: string[] = [];

    const { end } = await scene.apply({ onCanary: ({ en }) => said.push(en) });

    const { log } = scene.marketplace;
    const readBack = log.indexOf("LIST approved new-1,new-2");
    expect(end).toBe("finished");
    expect(log.slice(0, readBack).filter((request) => request.startsWith("ADD"))).toEqual([
      "ADD KOD-1",
      "ADD KOD-2",
    ]);
    expect(writesOf(scene)).toHaveLength(5);
    expect(said).toEqual(["Canary: 2 rows were sent, 2 shown as sent."]);
    expect((await stored(scene)).progress.canaryVerdict).toBe("passed");
  });

  it("lets no other row go while nothing of it could leave", async () => {
    const script = { "ADD KOD-1": Array.from({ length: 12 }, () => lost("none")) };
    const scene = await openScene({ script: { ...script, "ADD KOD-2": script["ADD KOD-1"] } });

    const { end } = await scene.apply();

    expect(end).toBe("breaker");
    expect(await statesOf(scene)).toBe("ready ready ready ready ready");
    expect((await stored(scene)).progress.canaryVerdict).toBeUndefined();
  });

  it("takes adds and updates as they come", async () => {
    const update: StoredRow = {
      cells: ["KOD-9"],
      payload: { product_id: P1, stock_count: 7 },
      changes: [{ field: "stock_count", old: 1, new: 7 }],
    };
    const products = [
      { placement: "approved", product: { id: P1, product_code: "KOD-9", stock: 1 } },
    ] as const;
    const scene = await openScene({
      rows: [...adds(1), update, ...adds(2).slice(1)],
      products,
      shows: (product) => (product.id === P1 ? { ...product, stock: 1 } : product),
    });

    const { end } = await scene.apply();

    expect(end).toBe("canary");
    expect(writesOf(scene)).toEqual(["ADD KOD-1", "UPDATE p-1"]);
    expect(await scene.toolkit.readBack.readCapabilities()).toContainEqual({
      action: "update",
      field: "stock_count",
      state: "refused",
    });
  });

  it("that is shown otherwise keeps the other rows ready, until somebody goes on", async () => {
    const scene = await openScene({ shows: (product) => ({ ...product, stock: 1 }) });

    const first = await scene.apply();
    const states = await statesOf(scene);
    const second = await scene.apply();

    expect([first.end, first.run.state, states]).toEqual([
      "canary",
      "stopped",
      "done done ready ready ready",
    ]);
    expect(await warningsOf(scene)).toEqual([
      expect.stringMatching(
        /^W_CANARY Canary: 2 rows were sent, 2 of them show something else in the store\. KOD-1: Stock \(stock_count\): \d+ was sent, the store shows 1\./u,
      ),
    ]);
    expect([second.end, second.run.state]).toEqual(["finished", "finished"]);
    expect(new Set(writesOf(scene)).size).toBe(5);
    expect(writesOf(scene)).toHaveLength(5);
  });

  it("with a price that is the same in no unit is shown otherwise", async () => {
    const scene = await openScene({
      shows: (product) => ({ ...product, price: (product.price ?? 0) * 100 }),
    });

    const { end } = await scene.apply();

    expect(end).toBe("canary");
    expect((await warningsOf(scene)).join("\n")).toContain("which is the same in no unit");
  });

  it("teaches the unit of prices and the fields that are taken", async () => {
    const scene = await openScene({ priceNotation: "major" });

    const { end } = await scene.apply();

    expect(end).toBe("finished");
    expect(await scene.toolkit.journal.readPriceEvidence(1)).toEqual([
      { sent: CUP.price, seen: CUP.price / 100 },
    ]);
    expect(await scene.toolkit.readBack.readCapabilities()).toContainEqual({
      action: "add",
      field: "price",
      state: "proven",
    });
  });

  it.each([
    ["that nobody sees", { placement: "hidden" }, "unseen"],
    [
      "of which every row is refused",
      { script: { "ADD KOD-1": [refused(400)], "ADD KOD-2": [refused(400)] } },
      "refused",
    ],
    ["of which an answer is lost", { script: { "ADD KOD-2": [lost("started")] } }, "unknown"],
  ] as const)("%s stops the run as well", async (_name, store, verdict) => {
    const scene = await openScene(store);

    const { end } = await scene.apply();

    expect(end).toBe("canary");
    expect(writesOf(scene)).toEqual(["ADD KOD-1", "ADD KOD-2"]);
    expect((await stored(scene)).progress.canaryVerdict).toBe(verdict);
  });

  it("of which one row is refused and the other seen lets the rest follow", async () => {
    const scene = await openScene({ script: { "ADD KOD-1": [refused(400)] } });

    const { end } = await scene.apply();

    expect(end).toBe("finished");
    expect(await statesOf(scene)).toBe("rejected done done done done");
  });

  it("that is cut off is finished by the next process, and read back then", async () => {
    const error = new TypeError("the process is dying");
    const scene = await openScene({ script: { "ADD KOD-2": [failing(error)] } });

    await expect(scene.apply()).rejects.toBe(error);
    const seen = scene.marketplace.log.length;
    const { end } = await scene.apply();

    const later = scene.marketplace.log.slice(seen);
    // The body that never left has taken a number, too.
    const readBack = later.indexOf("LIST approved new-1,new-3");
    expect(end).toBe("finished");
    expect(later.slice(0, readBack).filter((request) => request.startsWith("ADD"))).toEqual([
      "ADD KOD-2",
    ]);
    expect(writesOf(scene)).toHaveLength(5);
  });

  it("that holds the whole file ends like any run", async () => {
    const scene = await openScene({ rows: adds(2), placement: "hidden" });

    const { end, run } = await scene.apply();

    expect([end, run.state, run.warnings]).toEqual(["finished", "finished", []]);
  });

  it("counts what it refused against the limit of the others", async () => {
    const scene = await openScene({
      script: { "ADD KOD-1": [refused(400)], "ADD KOD-3": [refused(400)] },
    });

    const { end } = await scene.apply({ settings: { maxErrors: "1" } });

    expect(end).toBe("too-many-rejected");
    expect(await statesOf(scene)).toBe("rejected done rejected ready ready");
  });
});
