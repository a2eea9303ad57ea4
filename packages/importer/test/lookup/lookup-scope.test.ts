import { createNameLists } from "@catalog/connection";
import { createTestConnection, storeNames } from "@catalog/connection/testing";
import { InputError } from "@catalog/i18n";
import { createNameIndexes } from "@catalog/mapping";
import { describe, expect, it } from "vitest";

import { createScope, type Scope } from "../../src/lookup/lookup-scope.ts";

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
