import { describe, expect, it } from "vitest";

import { auditRun } from "../../src/reconcile/audit-duplicates.ts";
import { lost } from "../../src/testing.ts";
import { adds, openScene, type Scene } from "../helpers/apply-fixture.ts";
import { codeKey, onShelf, RUN } from "../helpers/products.ts";

const audit = ({ journal, marketplace }: Scene): ReturnType<typeof auditRun> =>
  auditRun({ runId: RUN, journal, marketplace, codeKey });

describe("auditRun", () => {
  it("makes no call when every answer came", async () => {
    const scene = await openScene(adds(3));
    await scene.apply();
    const calls = scene.marketplace.log.length;

    expect(await audit(scene)).toEqual([]);

    expect(scene.marketplace.log).toHaveLength(calls);
  });

  it("finds no duplicate when a lost add is in the store once", async () => {
    const scene = await openScene(adds(3), {
      script: { "ADD A3": [lost("started", { effect: "now" })] },
    });
    await scene.apply();

    expect(await audit(scene)).toEqual([]);
  });

  it("names every product of a code that is in the store twice", async () => {
    const scene = await openScene(adds(3), {
      products: [onShelf("p9", "A3", { placement: "hidden" })],
      script: { "ADD A3": [lost("started", { effect: "now" })] },
    });
    await scene.apply();
    const [hidden] = scene.marketplace.products;
    if (hidden !== undefined) scene.marketplace.place(hidden.product.id, "veto");

    const found = await audit(scene);

    expect(found).toMatchObject([{ row: 3, code: "A3", ids: ["new-2", "p9"] }]);
    expect(found[0]?.message.tr).toContain("new-2, p9");
    expect(found[0]?.message.en).toContain('"A3" of row 3');
  });
});
