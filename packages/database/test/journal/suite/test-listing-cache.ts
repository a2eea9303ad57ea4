import { toProductId, toSeenProduct } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { CreateJournal } from "./journal-under-test.ts";

/** Contract tests of the listing cache. */
export function testListingCache(create: CreateJournal): void {
  describe("the listing cache", () => {
    it("finds products by code and by id, with everything that the listing showed", async () => {
      const { journal } = await create();
      const cup = toSeenProduct("p-1", {
        price: 19.9,
        title: "Fincan",
        properties: [{ option: "Mavi" }],
      });
      const plate = { ...toSeenProduct("p-2"), status: "veto" };

      await journal.saveSeen([cup, { ...plate, suspectKey: "c0de" }]);

      expect(await journal.readSeenByCode([cup.codeKey])).toEqual([cup]);
      expect(await journal.readSeenById([toProductId("p-2")])).toEqual([plate]);
      expect(await journal.readSeenByCode(["p-1"])).toEqual([]);
      expect(await journal.readSeenById([])).toEqual([]);
    });

    it("keeps several products with the same code", async () => {
      const { journal } = await create();
      const twins = ["p-1", "p-2"].map((id) => toSeenProduct(id, { product_code: "twin" }));
      await journal.saveSeen(twins);

      const found = await journal.readSeenByCode(["twin"]);

      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining(twins));
    });

    it("replaces a product that is listed again", async () => {
      const { journal } = await create();
      const before = toSeenProduct("p-1", { product_code: "old", price: 1 });
      const after = { ...toSeenProduct("p-1", { product_code: "new" }), status: "passive" };

      await journal.saveSeen([before]);
      await journal.saveSeen([before, after]);

      expect(await journal.readSeenById([toProductId("p-1")])).toEqual([after]);
      expect(await journal.readSeenByCode(["old"])).toEqual([]);
    });

    it("says which codes have a product", async () => {
      const { journal } = await create();
      await journal.saveSeen([toSeenProduct("p-1", { product_code: "A" }), toSeenProduct("p-2")]);

      expect(await journal.readSeenCodes(["A", "B"])).toEqual(new Set(["A"]));
      expect(await journal.readSeenCodes([])).toEqual(new Set());
    });

    it("reads titles with what the listing says of each, in its order", async () => {
      const { journal } = await create();
      const cup = toSeenProduct("p-9", { title: "Fincan", category_name: "Kupalar" });
      await journal.saveSeen([
        { ...cup, product: Object.assign(cup.product, { brand_id: "b-1" }) },
        toSeenProduct("p-1", { title: null }),
        toSeenProduct("p-2", { title: "Tabak" }),
      ]);

      const none = { categoryId: null, categoryName: null, brandId: null, model: null };
      expect(await journal.readSeenTitles(9)).toEqual([
        { ...none, title: "Fincan", categoryName: "Kupalar", brandId: "b-1" },
        { ...none, title: "" },
        { ...none, title: "Tabak" },
      ]);
      expect(await journal.readSeenTitles(1)).toMatchObject([{ title: "Fincan" }]);
    });

    it("deletes all products together", async () => {
      const { journal } = await create();
      await journal.saveSeen([toSeenProduct("p-1"), toSeenProduct("p-2")]);

      await journal.clearSeen();

      expect(await journal.readSeenById(["p-1", "p-2"].map(toProductId))).toEqual([]);
    });
  });
}
