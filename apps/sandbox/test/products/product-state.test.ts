import { createFakeClock } from "@catalog/clock/testing";
import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createSandboxCatalog } from "../../src/index.ts";
import { createProductState, type InitialProduct } from "../../src/products/product-state.ts";
import { createSampleProduct } from "../helpers/test-client.ts";

const catalog = createSandboxCatalog();
const sample = createSampleProduct();

const fill = (): readonly InitialProduct[] => [{ product: sample, status: "veto", addedAtMs: 1 }];

function openStore() {
  const clock = createFakeClock(1000);
  return { clock, store: createProductState({ catalog, clock, fill }) };
}

describe("createProductState", () => {
  it("adds products after those of the start", () => {
    const { store } = openStore();

    const added = store.add(sample);

    expect(added).toEqual({
      ...sample,
      id: expect.stringMatching(/^[0-9a-f]{24}$/u),
      sid: 1_000_002,
      status: "approved",
      addedAtMs: 1000,
    });
    expect(store.products()).toMatchObject([{ sid: 1_000_001, status: "veto" }, { id: added.id }]);
  });

  it("reports when an update changes nothing", () => {
    const { store } = openStore();
    const { id } = store.add(sample);

    expect(store.update(id, { title: sample.title, images: [...sample.images] })).toBe("unchanged");
    expect(store.update(id, { title: "Yeni", sub_title: undefined })).toBe("changed");
    expect(store.products()[1]).toMatchObject({ title: "Yeni", sub_title: sample.sub_title });
  });

  it("keeps the position of a product that is updated", () => {
    const { store } = openStore();
    const ids = [store.add(sample).id, store.add(sample).id];

    store.update(idSchemas.product.parse(ids[0]), { title: "Yeni" });

    expect(
      store
        .products()
        .map(({ id }) => id)
        .slice(1),
    ).toEqual(ids);
  });

  it("changes nothing when one field of an update is wrong", () => {
    const { store } = openStore();
    const before = store.add(sample);

    expect(() =>
      store.update(before.id, {
        title: "Yeni",
        shipping_template_id: undefined,
        brand_model: "a".repeat(24),
      }),
    ).toThrow("brand_model");
    expect(store.products()[1]).toEqual(before);
  });

  it("refuses an unknown product", () => {
    const { store } = openStore();

    expect(() => store.update(idSchemas.product.parse("p"), {})).toThrow("Product not found");
  });
});
