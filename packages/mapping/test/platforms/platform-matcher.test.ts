import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { FIELDS } from "../../src/fields/fields.ts";
import {
  findPlatform,
  PLATFORM_NAMES,
  PLATFORMS,
  recognisePlatform,
} from "../../src/platforms/platform-matcher.ts";
import { HEADER_SETS } from "../helpers/header-sets.ts";
import {
  FEED_HEADER_SETS,
  mapPlatformFile,
  PLATFORM_HEADER_SETS,
} from "../helpers/platform-header-sets.ts";

const recognise = (header: string): string | undefined =>
  recognisePlatform(header.split("|"))?.name;

describe("recognising the platform of a file", () => {
  it("needs three headers that few other programs write", () => {
    expect(recognise("Handle|Title|Variant SKU|Price|Stock")).toBeUndefined();
    expect(recognise("Handle|Title|Variant SKU|Variant Price|Stock")).toBe("shopify");
  });

  it("needs one that no other shop writes", () => {
    expect(recognise("Option1 Name|Option1 Value|Compare-at price|SKU")).toBeUndefined();
    expect(recognise("Handle|Option1 Name|Option1 Value|Compare-at price|SKU")).toBe("shopify");
  });

  it("ignores case, order and punctuation of the headers", () => {
    expect(recognise("VARIANT PRICE|Stok|variant_sku|Image-Src")).toBe("shopify");
  });

  it("counts a header that occurs twice once", () => {
    expect(recognise("Handle|Variant SKU|Variant SKU|Fiyat")).toBeUndefined();
  });

  it("finds none where two platforms have equally many marks", () => {
    const shopify = "Handle|Variant SKU|Variant Price";
    const ticimax = "URUNKARTIID|URUNID|ONYAZI";

    expect(recognise(`${shopify}|${ticimax}`)).toBeUndefined();
    expect(recognise(`${shopify}|Image Src|${ticimax}`)).toBe("shopify");
  });

  it.each(["tr", "en"] as const)("finds none in a template of this program in %s", (lang) => {
    expect(recognisePlatform(FIELDS.map((field) => field.writtenHeader[lang]))).toBeUndefined();
  });

  it("finds none in a file of machine keys", () => {
    expect(recognisePlatform(FIELDS.map(({ key }) => key))).toBeUndefined();
  });

  it("finds none in a workbook with a row of machine keys, whatever its headers are", () => {
    const header = ["Handle", "Variant SKU", "Variant Price", "Image Src"];
    const below = ["title", "product_code", "price", "image_1"];

    expect(mapColumns({ sheet: "S", headerRow: 1, header, below }).platform).toBeUndefined();
  });

  it("finds the same platform in a result file, which has further columns", () => {
    const header = "Handle|Variant SKU|Variant Price|Sonuç|Ürün ID|Hata Kodu|Hata|Öneri";

    expect(recognise(header)).toBe("shopify");
  });

  it("keeps the headers of integrators and of listings without a platform", () => {
    const names = HEADER_SETS.map(({ name, header }) => [name, recognisePlatform(header)?.name]);

    expect(Object.fromEntries(names)).toMatchObject({
      "our own in tr": undefined,
      "our own in en": undefined,
      "an integrator's file": undefined,
      "a listing with two codes": undefined,
    });
  });
});

describe("the names of platforms", () => {
  it("are one for each profile, and one for no platform", () => {
    expect(PLATFORM_NAMES).toEqual([...PLATFORMS.map(({ name }) => name), "none"]);
    expect(new Set(PLATFORM_NAMES).size).toBe(PLATFORM_NAMES.length);
  });

  it("find their profile", () => {
    expect(PLATFORMS.map(({ name }) => findPlatform(name))).toEqual(PLATFORMS);
    expect(findPlatform("none")).toBeUndefined();
    expect(() => findPlatform("gittigidiyor")).toThrow(RangeError);
  });
});

it("keeps a list of headers short enough for the ranks of its platform", () => {
  const longest = PLATFORMS.flatMap(({ fields }) => Object.values(fields)).map(
    (headers) => headers.length,
  );

  expect(Math.max(...longest)).toBeLessThan(100);
});

const toColumn = ({ column }: ReturnType<typeof mapPlatformFile>["issues"][number]): string =>
  column;

describe("the files of other platforms", () => {
  it.each([...PLATFORM_HEADER_SETS, ...FEED_HEADER_SETS])("are read right: $name", (set) => {
    const mapping = mapPlatformFile(set);

    const used = mapping.columns.flatMap(({ header, target }) =>
      target.kind === "field" ? [`${header}=${target.field}`] : [],
    );
    expect(mapping.platform?.name ?? "none").toBe(set.platform);
    expect(used.toSorted()).toEqual(set.fields.toSorted());
    const currencies = mapping.issues.filter(({ code }) => code === "E_HEADER_CURRENCY");
    const asked = [...mapping.questions.map(({ header }) => header), ...currencies.map(toColumn)];
    expect(asked).toEqual(set.asked);
    expect(mapping.issues.filter(({ code }) => !code.startsWith("E_COLUMN_"))).toEqual(currencies);
  });

  it("have at least 97 % of their columns right and none wrong", () => {
    const columns = PLATFORM_HEADER_SETS.flatMap(({ header }) => header).length;
    const missed = PLATFORM_HEADER_SETS.flatMap((set) => set.missed).length;

    expect([PLATFORM_HEADER_SETS.length, columns, missed]).toEqual([35, 844, 7]);
    expect(1 - missed / columns).toBeGreaterThan(0.97);
  });

  it.each([
    ["logo", { "Birim Fiyat": "price", "Fiili Stok": "stock", "Gerçek Stok": "-" }, "Döviz Türü"],
    ["mikro", { "SATIŞ FİYATI 1": "price" }, "DÖVİZ CİNSİ"],
    ["parasut", { "Satış Fiyatı": "price" }, "Satış Döviz"],
  ])("are read whole once a person has answered: %s", (platform, answers, currency) => {
    const { header = [] } = PLATFORM_HEADER_SETS.find((set) => set.platform === platform) ?? {};
    const overrides = new Map<string, string>(Object.entries(answers));

    const { columns, questions } = mapColumns({ sheet: "S", headerRow: 1, header, overrides });

    expect(questions).toEqual([]);
    expect(columns.find((column) => column.header === currency)?.target).toMatchObject({
      field: "currency",
    });
  });

  it.each(PLATFORM_HEADER_SETS)("are known from a source: $name", ({ sources }) => {
    expect(sources).not.toEqual([]);
  });

  it.each(FEED_HEADER_SETS)("have records, and a source: $name", ({ platform }) => {
    const { nested, sources } = findPlatform(platform) ?? {};

    expect(nested?.records).not.toEqual([]);
    expect(sources).not.toEqual([]);
  });
});
