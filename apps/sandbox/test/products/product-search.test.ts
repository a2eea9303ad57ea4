import { createFakeClock } from "@catalog/clock/testing";
import { endpoints, type InputOf } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { containsName, pickFrom, pickNumber } from "../../src/catalog/names.ts";
import { BEHAVIOR_SETTINGS, createSandboxCatalog } from "../../src/index.ts";
import {
  createProductSelection,
  type FilterBehavior,
  toStoreProduct,
} from "../../src/products/product-search.ts";
import {
  createProductState,
  type InitialProduct,
  type ProductState,
  type SandboxProduct,
} from "../../src/products/product-state.ts";
import { createSampleProduct } from "../helpers/test-client.ts";

const catalog = createSandboxCatalog();
const sample = createSampleProduct();

function fillStore(...products: readonly Partial<InitialProduct>[]) {
  const clock = createFakeClock(60_000);
  const fill = (): readonly InitialProduct[] =>
    products.map(({ product = sample, status = "approved", addedAtMs = 0 }) => ({
      product,
      status,
      addedAtMs,
    }));
  return { clock, store: createProductState({ catalog, clock, fill }) };
}

describe("createProductSelection", () => {
  const { store } = fillStore(
    { addedAtMs: 10_999, product: { ...sample, product_code: "A", title: "İNCİ küpe" } },
    { addedAtMs: 20_000, product: { ...sample, product_code: "AB", title: "Işıldak" } },
    { addedAtMs: 30_000, product: { ...sample, product_code: "a" } },
    { addedAtMs: 40_000, status: "passive" },
    { addedAtMs: 50_000, status: "veto" },
  );
  const products = store.products();

  it.each<readonly [InputOf<"product.list">, readonly number[]]>([
    [{}, [2, 1, 0]],
    [{ sort_by_date: "ascending" }, [0, 1, 2]],
    [{ status: "passive" }, [3]],
    [{ status: "veto" }, [4]],
    [{ product_code: "A" }, [0]],
    [{ title: "inci" }, [0]],
    [{ title: "IŞIL" }, [1]],
    [{ start_date: 20 }, [2, 1]],
    [{ end_date: 10 }, [0]],
    [{ start_date: 11, end_date: 29 }, [1]],
    [{ ids: products.map(({ id }) => id).slice(2) }, [2]],
    [{ ids: [] }, []],
  ])("finds for %o the products %o", (query, places) => {
    const { result } = createProductSelection().page(store.listed(), query);

    expect(result.map((product) => products.indexOf(product))).toEqual(places);
  });

  it("cuts pages of both orders out of the whole listing", () => {
    const { store: long } = fillStore(...Array.from({ length: 45 }, () => ({})));
    const selection = createProductSelection();
    const sidsOf = (query: InputOf<"product.list">): readonly number[] =>
      selection.page(long.listed(), query).result.map(({ sid }) => sid - 1_000_001);

    expect(sidsOf({ page: 3 })).toEqual([4, 3, 2, 1, 0]);
    expect(sidsOf({ page: 2, limit: 2, sort_by_date: "ascending" })).toEqual([2, 3]);
    expect(sidsOf({ page: 4 })).toEqual([]);
    expect(selection.page(long.listed(), { page: 9 })).toEqual({ total: 45, result: [] });
  });
});

const FILTERS: readonly FilterBehavior[] = Object.keys(BEHAVIOR_SETTINGS["code-filter"].values)
  .flatMap((code) =>
    Object.keys(BEHAVIOR_SETTINGS["ids-filter"].values).flatMap((ids) =>
      Object.keys(BEHAVIOR_SETTINGS["date-filter"].values).map((date) => [code, ids, date]),
    ),
  )
  .map(([code, ids, date]) =>
    JSON.parse(JSON.stringify({ "code-filter": code, "ids-filter": ids, "date-filter": date })),
  );

const CODES = ["A", "a", "AB", "ab", "ABC", "B"];
const STATUSES = ["approved", "passive", "veto"] as const;

/** What the listing finds when it reads every product. */
function scan(
  products: readonly SandboxProduct[],
  query: InputOf<"product.list">,
  filters: FilterBehavior,
): readonly SandboxProduct[] {
  const { status = "approved", ids, product_code: code, title = "" } = query;
  const { start_date: start, end_date: end } = query;
  const byCode = {
    exact: (own: string, asked: string) => own === asked,
    prefix: (own: string, asked: string) => own.startsWith(asked),
    "case-insensitive": (own: string, asked: string) => own.toLowerCase() === asked.toLowerCase(),
    ignored: () => true,
    useless: () => false,
  }[filters["code-filter"]];
  const byId = {
    all: (own: string) => ids?.some((id) => id === own) === true,
    first: (own: string) => own === ids?.[0],
    ignored: () => true,
    useless: () => false,
  }[filters["ids-filter"]];
  const byDate = {
    obeyed: (seconds: number) => seconds >= (start ?? -Infinity) && seconds <= (end ?? Infinity),
    ignored: () => true,
    useless: () => start === undefined && end === undefined,
  }[filters["date-filter"]];
  const found = products.filter(
    (product) =>
      product.status === status &&
      (ids === undefined || byId(product.id)) &&
      (code === undefined || byCode(product.product_code, code)) &&
      containsName(product.title, title) &&
      byDate(Math.floor(product.addedAtMs / 1000)),
  );
  return query.sort_by_date === "ascending" ? found : found.toReversed();
}

/** One change of the store, which follows from the words. */
async function change(
  { store, clock }: ReturnType<typeof fillStore>,
  words: readonly string[],
): Promise<void> {
  const product_code = pickFrom(CODES, "code", ...words);
  const title = pickFrom(["Kaşık", "Çatal", "IŞIK"], "title", ...words);
  const hidden = pickFrom(
    [{}, { hiddenUntilMs: "approval" }, { hiddenUntilMs: clock.now() + 5000 }] as const,
    "hidden",
    ...words,
  );
  const steps = {
    add: () => store.add({ ...sample, product_code, title }, hidden),
    update: () => {
      const products = store.products();
      if (products.length === 0) return undefined;
      return store.update(pickFrom(products, "which", ...words).id, { product_code, title });
    },
    approve: () => store.approve(),
    wait: () => clock.advance(pickNumber(4000, "wait", ...words)),
    load: () =>
      store.load(
        store.products().map((product) =>
          Object.assign({}, product, {
            status: pickFrom(STATUSES, "status", product.id, ...words),
            addedAtMs: pickNumber(60_000, "added", product.id, ...words),
          }),
        ),
      ),
  };
  await steps[
    pickFrom(["add", "add", "add", "update", "wait", "approve", "load"] as const, "step", ...words)
  ]();
}

function createQuery(store: ProductState, words: readonly string[]): InputOf<"product.list"> {
  const products = store.products();
  const has = (field: string): boolean => pickNumber(3, "has", field, ...words) === 0;
  const second = (field: string): number => pickNumber(90, field, ...words);
  const ids = Array.from({ length: 3 }, (_, index) => products[second(`id ${index}`)]?.id);
  return {
    status: pickFrom(STATUSES, "asked", ...words),
    ...(has("ids") && { ids: ids.filter((id) => id !== undefined) }),
    ...(has("code") && { product_code: pickFrom(CODES, "asked", ...words) }),
    ...(has("title") && { title: pickFrom(["ka", "ışı", "ÇATAL"], "asked", ...words) }),
    ...(has("start") && { start_date: second("start") }),
    ...(has("end") && { end_date: second("end") }),
    ...(has("order") && { sort_by_date: "ascending" as const }),
    page: 1 + pickNumber(2, "page", ...words),
    limit: 5,
  };
}

describe("the indexes of the store", () => {
  it("find what reading every product finds, after any changes and with every filter", async () => {
    const filled = fillStore(...Array.from({ length: 8 }, (_, n) => ({ addedAtMs: n * 1000 })));
    const { store, clock } = filled;
    const selections = FILTERS.map(
      (filters) => [filters, createProductSelection(filters)] as const,
    );

    for (let step = 0; step < 150; step += 1) {
      await change(filled, [`${step}`]);
      const shown = store
        .products()
        .filter(
          ({ hiddenUntilMs: until }) =>
            until === undefined || (until !== "approval" && until <= clock.now()),
        );
      for (const [index, [filters, selection]] of selections.entries()) {
        const query = createQuery(store, [`${step}`, `${index}`]);
        const all = scan(shown, query, filters);
        const { page = 1, limit = 5 } = query;

        expect(selection.page(store.listed(), query), JSON.stringify({ query, filters })).toEqual({
          total: all.length,
          result: all.slice((page - 1) * limit, page * limit),
        });
      }
    }
  });

  it("find a product by its code, oldest first, and forget a code that it had", () => {
    const { store } = fillStore({}, {}, { product: { ...sample, product_code: "ksk-001" } });
    const [first, second] = store.products();
    if (first === undefined) throw new Error("the store is empty");

    expect(store.withCode(sample.product_code)).toEqual([first, second]);
    store.update(first.id, { product_code: "B" });

    expect(store.withCode(sample.product_code)).toEqual([second]);
    expect(store.withCode("B").map(({ id }) => id)).toEqual([first.id]);
  });
});

function fillListing(...products: readonly Partial<InitialProduct>[]) {
  const fill = (): readonly InitialProduct[] =>
    products.map(({ product = sample, status = "approved", addedAtMs = 0 }) => ({
      product,
      status,
      addedAtMs,
    }));
  return createProductState({ catalog, clock: createFakeClock(), fill }).products();
}

describe("toStoreProduct", () => {
  it("shows names, but neither the category's id nor the model", () => {
    const property = catalog.properties(sample.category_id)[0];
    const option = property?.property_options[0];
    const properties = [{ property_id: property?.id, option_id: option?.id }];
    const { properties: choices } = endpoints.product.update.input.parse({
      product_id: "p",
      properties,
    });
    const [product] = fillListing({ product: { ...sample, properties: choices } });
    if (product === undefined) throw new Error("the store is empty");

    expect(toStoreProduct(catalog, product)).toEqual({
      id: product.id,
      title: "Işık Çelik Yemek Kaşığı",
      subtitle: "6'lı set",
      product_code: "KSK-001",
      category_name: "Kaşık",
      brand_id: sample.brand_id,
      brand_name: "Işık",
      warranty: "İthalatçı Garantili",
      warranty_time: "24 Ay",
      warranty_type: 2,
      warranty_period: 24,
      stock: 12,
      sid: 1_000_001,
      description: "<p>Paslanmaz çelik.</p>",
      item_type: "product",
      properties: [{ ...properties[0], property: "Renk", option: "Siyah" }],
      variants: [],
      currency: "TL",
      url: "https://sandbox.example/isik-celik-yemek-kasigi-1000001",
      price: 129_990,
      has_discount: false,
      discount_type: null,
      discount_value: false,
      paid_price: 129_990,
      shipping_price: "7990",
      shipping_template_id: sample.shipping_template_id,
      images: ["https://ornek.example/kasik.jpg"],
    });
  });

  it.each([
    [{ discount_type: 1, discount_value: 29_990 }, 100_000],
    [{ discount_type: 2, discount_value: 15 }, 110_492],
    [{ discount_type: 3, discount_value: 99_990 }, 99_990],
  ] as const)("subtracts the discount %o from the price", (discount, paid) => {
    const [product] = fillListing({ product: { ...sample, has_discount: true, ...discount } });

    expect(product && toStoreProduct(catalog, product)).toMatchObject({
      price: 129_990,
      paid_price: paid,
      ...discount,
    });
  });

  it("has no shipping price for a free template", () => {
    const template = catalog.shippingTemplates.find(({ free_shipping }) => free_shipping === true);
    const shipping_template_id = template?.id ?? sample.shipping_template_id;
    const [product] = fillListing({ product: { ...sample, shipping_template_id } });

    expect(product && toStoreProduct(catalog, product).shipping_price).toBe("0");
  });
});
