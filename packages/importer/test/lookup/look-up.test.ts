import { createNameLists } from "@catalog/connection";
import {
  createTestConnection,
  startMarketplaceServer,
  storeNames,
} from "@catalog/connection/testing";
import { InputError } from "@catalog/i18n";
import { createNameIndexes } from "@catalog/mapping";
import { describe, expect, it } from "vitest";

import {
  createCityIndex,
  createScope,
  findByName,
  type LookupQuery,
  type Scope,
} from "../../src/lookup/look-up.ts";
import { isLookupKind } from "../../src/lookup/lookup-kinds.ts";

/** Results, each as `match id`. */
async function found(query: Omit<LookupQuery, "limit"> & { readonly limit?: number }) {
  const { connection } = await createTestConnection();
  await storeNames(connection);
  const { results, total } = await findByName(connection, { limit: 10, ...query });
  return { total, results: results.map(({ match, id }) => `${match} ${id}`) };
}

describe("findByName", () => {
  it("lists everything by name in Turkish order where no text is given", async () => {
    expect(await found({ kind: "brands", category: "fincan" })).toEqual({
      total: 3,
      results: ["listed b-1", "listed b-3", "listed b-2"],
    });
  });

  it("lists exact names before similar ones", async () => {
    const { results } = await found({ kind: "brands", category: "c-1", text: "BOSCH" });

    expect(results).toEqual(["exact b-1", "similar b-3"]);
  });

  it("does not report a similar name as exact", async () => {
    const { results } = await found({ kind: "brands", category: "c-1", text: "bosh" });

    expect(results).toEqual(["similar b-1", "similar b-3"]);
  });

  it("finds an entry by its id", async () => {
    const { results } = await found({ kind: "brands", category: "c-1", text: "b-2" });

    expect(results[0]).toBe("exact b-2");
  });

  it("returns at most as many results as the limit, and the total", async () => {
    expect(await found({ kind: "brands", category: "c-1", limit: 1 })).toEqual({
      total: 3,
      results: ["listed b-1"],
    });
  });

  it("returns categories with their paths", async () => {
    const { connection } = await createTestConnection();
    await storeNames(connection);

    const { results } = await findByName(connection, {
      kind: "categories",
      text: "fincan",
      limit: 1,
    });

    expect(results).toEqual([{ id: "c-1", name: "Fincan", path: "Ev > Fincan", match: "exact" }]);
  });

  it("returns properties with their values", async () => {
    const { connection } = await createTestConnection();
    await storeNames(connection);

    const { results } = await findByName(connection, {
      kind: "properties",
      category: "c-1",
      limit: 1,
    });

    const options = [{ id: "o-1", name: "Mavi" }];
    expect(results).toEqual([{ id: "p-1", name: "Renk", options, match: "listed" }]);
  });

  it("finds models within a category and a brand, by their names", async () => {
    expect(
      await found({ kind: "models", category: "Ev > Fincan", brand: "bosch", text: "seri 4" }),
    ).toEqual({ total: 1, results: ["exact m-1"] });
  });

  it("lists the cities, and finds a text among their districts too", async () => {
    expect(await found({ kind: "cities" })).toEqual({
      total: 3,
      results: ["listed 1", "listed ", "listed 34"],
    });
    expect(await found({ kind: "cities", text: "kadikoy" })).toMatchObject({
      results: ["exact 3401"],
    });
    expect(await found({ kind: "cities", text: "ISTANBUL" })).toMatchObject({
      results: ["exact 34"],
    });
  });

  it("fetches the cities once", async () => {
    const { baseUrl, log } = await startMarketplaceServer();
    const { connection } = await createTestConnection({ baseUrl });

    const first = await findByName(connection, { kind: "cities", text: "izmir", limit: 1 });
    const second = await findByName(connection, { kind: "cities", text: "izmir", limit: 1 });

    expect(second).toEqual(first);
    expect(first.results).toMatchObject([{ id: "35", path: "İzmir", match: "exact" }]);
    expect(log.filter((path) => path === "/city/")).toHaveLength(1);
  });

  it("fetches the store's templates", async () => {
    const { baseUrl } = await startMarketplaceServer();
    const { connection } = await createTestConnection({ baseUrl });

    const { results } = await findByName(connection, {
      kind: "templates",
      text: "standart",
      limit: 5,
    });

    expect(results).toEqual([{ id: "t-1", name: "Standart", match: "exact" }]);
  });

  it("rejects with the reason of the signal", async () => {
    const { baseUrl } = await startMarketplaceServer();
    const { connection } = await createTestConnection({ baseUrl });
    const signal = AbortSignal.abort(new Error("stop"));

    await expect(findByName(connection, { kind: "templates", limit: 5, signal })).rejects.toThrow(
      "stop",
    );
  });
});

const CITIES = [
  { id: "34", name: "İstanbul", districts: [{ id: "34", name: "Kadıköy" }, "Merkez"] },
  { id: "01", name: "Adana", districts: [{ id: 101, name: "Merkez" }, { id: 102 }, "", 7, null] },
  { id: "02", name: " " },
  { id: "03" },
];

const search = (text: string, limit = 10): readonly string[] =>
  createCityIndex(CITIES)
    .search(text, limit)
    .map(({ item, match }) => `${match} ${item.id} ${item.path}`);

describe("createCityIndex", () => {
  it("lists cities with the districts that have a name, and leaves out entries without one", () => {
    expect(createCityIndex(CITIES).items).toEqual([
      {
        id: "34",
        name: "İstanbul",
        path: "İstanbul",
        options: [
          { id: "34", name: "Kadıköy" },
          { id: "", name: "Merkez" },
        ],
      },
      { id: "01", name: "Adana", path: "Adana", options: [{ id: "101", name: "Merkez" }] },
    ]);
  });

  it.each([
    ["istanbul", ["exact 34 İstanbul"]],
    ["KADIKÖY", ["exact 34 İstanbul > Kadıköy"]],
    ["kadikoi", ["similar 34 İstanbul > Kadıköy"]],
    ["merkez", ["exact  İstanbul > Merkez", "exact 101 Adana > Merkez"]],
    ["34", ["exact 34 İstanbul", "exact 34 İstanbul > Kadıköy"]],
    ["zzzzzz", []],
  ])("finds %s among both", (text, expected) => {
    expect(search(text)).toEqual(expected);
  });

  it("returns at most as many results as the limit", () => {
    expect(search("merkez", 1)).toEqual(["exact  İstanbul > Merkez"]);
  });
});

async function scopeOf(category?: string, brand?: string): Promise<Scope> {
  const { connection } = await createTestConnection();
  await storeNames(connection);
  const {
    client,
    memory: { names: cache },
    baseUrl,
  } = connection;
  const indexes = createNameIndexes(createNameLists({ client, cache, baseUrl }));
  return createScope(indexes, { kind: "models", category, brand });
}

/** The error, whose texts are checked in both languages. */
async function complaint(asking: Promise<unknown>): Promise<InputError["localized"]> {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof InputError) return error.localized;
  throw new Error("there was no complaint");
}

describe("createScope", () => {
  it.each(["c-1", "Fincan", "ev > fincan"])("accepts %s for the category", async (text) => {
    expect(await (await scopeOf(text)).category()).toBe("c-1");
  });

  it("accepts a brand of the category by its name", async () => {
    expect(await (await scopeOf("c-1", "ışık")).brand()).toBe("b-2");
  });

  it("requests what is missing, by its flag", async () => {
    const scope = await scopeOf();

    expect(await complaint(scope.category())).toEqual({
      tr: 'Modeller kategoriye göre listelenir. Hangi kategoride aranacağını adıyla ya da kimliğiyle yazın: --category "…"\nAramak için: catalog lookup categories bardak',
      en: 'Models are listed by category. Give the name or id of the category to search in: --category "…"\nTo find it: catalog lookup categories bardak',
    });
    const { tr } = await complaint((await scopeOf("c-1")).brand());
    expect(tr).toContain("--brand");
  });

  it("names both of two matching categories, and uses neither", async () => {
    const { tr, en } = await complaint((await scopeOf("kılıf")).category());

    const lines = "\n  c-2  Elektronik > Kılıf\n  c-3  Ev > Kılıf";
    expect(tr).toBe(`--category "kılıf" birden çok kategori olabilir. Kimliğini verin:${lines}`);
    expect(en).toBe(`--category "kılıf" may be more than one category. Give its id:${lines}`);
  });

  it("names the subcategories of a category that takes no products", async () => {
    const { tr, en } = await complaint((await scopeOf("Elektronik")).category());

    expect(tr).toBe(
      '--category "Elektronik" bir üst kategori. Altındakilerden birini verin:\n  c-2  Elektronik > Kılıf',
    );
    expect(en).toContain("other categories below it");
  });

  it("names similar brands when the brand is unknown", async () => {
    const { tr, en } = await complaint((await scopeOf("c-1", "bosh")).brand());

    expect(tr).toBe(
      '--brand "bosh" adında bir marka yok. Benzerleri:\n  b-1  Bosch\n  b-3  Bosco\nAramak için: catalog lookup brands --category "…"',
    );
    expect(en).toBe(
      'There is no brand called "bosh" (--brand). Similar ones:\n  b-1  Bosch\n  b-3  Bosco\nTo search: catalog lookup brands --category "…"',
    );
  });

  it("reports an unknown brand without suggestions when none is similar", async () => {
    const { tr } = await complaint((await scopeOf("xyzzyx")).category());

    expect(tr).toBe(
      '--category "xyzzyx" adında bir kategori yok. Aramak için: catalog lookup categories bardak',
    );
  });
});

it.each(["", "brand", "toString"])("isLookupKind refuses %j", (text) => {
  expect(isLookupKind(text)).toBe(false);
});
