import { describe, expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import { mapPlatformFile, PLATFORM_HEADER_SETS } from "../helpers/platform-header-sets.ts";

describe("the files of other platforms", () => {
  it.each(PLATFORM_HEADER_SETS)("are read right: $name", (set) => {
    const mapping = mapPlatformFile(set);

    const used = mapping.columns.flatMap(({ header, target }) =>
      target.kind === "field" ? [`${header}=${target.field}`] : [],
    );
    expect(mapping.platform?.name ?? "none").toBe(set.platform);
    expect(used.toSorted()).toEqual(set.fields.toSorted());
    expect(mapping.questions.map(({ header }) => header)).toEqual(set.asked);
    expect(mapping.issues.filter(({ code }) => !code.startsWith("E_COLUMN_"))).toEqual([]);
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
});
