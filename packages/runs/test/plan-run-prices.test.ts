import { describe, expect, it } from "vitest";

import { openScene } from "./helpers/plan-scene.ts";
import { onShelf, price } from "./helpers/products.ts";
import { addBefore, readStates } from "./helpers/rows.ts";

describe("planRun, of prices", () => {
  const rows = { 2: { changes: { price: price(500) } } };

  it("sends a price while the unit of the listing is not known", async () => {
    const { journal, planAll } = await openScene(
      ["B0"],
      [onShelf("p0", "B0", { price: 500 })],
      rows,
    );

    const { priceUnit } = await planAll();

    expect(priceUnit).toBe("unknown");
    expect(await readStates(journal)).toEqual(["2: ready"]);
  });

  for (const [unit, shown] of [
    ["minor", 1],
    ["major", 0.01],
  ] as const) {
    it(`compares prices in ${unit} units once what we sent has told the unit`, async () => {
      const { journal, planAll } = await openScene(
        ["B0"],
        [onShelf("p0", "B0", { price: 500 * shown }), onShelf("p7", "A7", { price: 1990 * shown })],
        rows,
      );
      await addBefore(journal, "A7", "p7");

      const { priceUnit } = await planAll();

      expect(priceUnit).toBe(unit);
      expect(await readStates(journal)).toEqual(["2: unchanged"]);
    });
  }
});
