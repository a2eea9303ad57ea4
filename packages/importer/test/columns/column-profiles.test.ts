import { type Toolkit } from "@catalog/connection";
import { createWorkplace } from "@catalog/connection/testing";
import { mapColumns } from "@catalog/mapping";
import { type ColumnReading } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import {
  type ColumnWishes,
  headerKey,
  recallColumns,
  rememberColumns,
  toColumnReading,
} from "../../src/columns/column-profiles.ts";

const HEADER = ["Kod No", "Ücret", "Adet", "İndirim Oranı", "Boş"];
const CHOSEN = new Map([
  ["Kod No", "product_code"],
  ["Ücret", "price"],
  ["Boş", "-"],
]);

const wishes = (rest: Partial<ColumnWishes> = {}): ColumnWishes => ({
  columns: new Map(),
  constants: new Map(),
  ...rest,
});

/** Plans and accepts a file with these headers. */
async function accept({ memory: { profiles } }: Toolkit, given: ColumnWishes, header = HEADER) {
  const recalled = await recallColumns(profiles, header, given);
  const { columns: overrides, constants } = recalled;
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header, overrides, constants });
  const columns = toColumnReading(mapping, recalled, given.profile);
  const note = await rememberColumns(profiles, toRun(columns, header));
  return { recalled, mapping, note };
}

function toRun(columns: ColumnReading, header: readonly string[]) {
  const file = { path: "", name: "erp.csv", sha256: "", kind: "csv", sheet: "S" } as const;
  const planned = { add: 0, update: 0, unchanged: 0, invalid: 0, duplicate: 0, held: 0 };
  return {
    file: { ...file, headerRow: 1, header },
    facts: {
      readBy: "listing",
      priceUnit: "minor",
      planned: { ...planned, requests: 0, seconds: 0 },
      reading: { notes: [], openNames: [], columns },
    },
  } as const;
}

describe("headers that were accepted once", () => {
  it("are recognized without a name, in any order, with a note", async () => {
    const { toolkit } = await createWorkplace();
    await accept(toolkit, wishes({ columns: CHOSEN, constants: new Map([["stock", "5"]]) }));

    const again = await recallColumns(toolkit.memory.profiles, HEADER.toReversed(), wishes());

    expect(again.columns).toEqual(CHOSEN);
    expect(again.notes[0]?.tr).toContain("erp.csv");
    // Constants of an unnamed profile are not used.
    expect(again.constants).toEqual(new Map());
  });

  it("are not stored where they mapped by themselves", async () => {
    const { toolkit } = await createWorkplace();
    await accept(toolkit, wishes(), ["Ürün Kodu", "Fiyat"]);

    const again = await recallColumns(toolkit.memory.profiles, ["Ürün Kodu", "Fiyat"], wishes());

    expect(again.notes).toEqual([]);
  });

  it("are not recognized with one header more", async () => {
    const { toolkit } = await createWorkplace();
    await accept(toolkit, wishes({ columns: CHOSEN }));

    const other = await recallColumns(toolkit.memory.profiles, [...HEADER, "Yeni"], wishes());

    expect(other.columns).toEqual(new Map());
  });
});

describe("a profile", () => {
  const named = wishes({ columns: CHOSEN, constants: new Map([["stock", "5"]]), profile: "erp" });

  it("is saved once the plan is accepted, and used with its constants by its name", async () => {
    const { toolkit } = await createWorkplace();

    const first = await accept(toolkit, { ...named, decimal: "comma" });
    const second = await accept(toolkit, wishes({ profile: "erp" }));

    expect(first.recalled.notes[0]?.en).toContain("no profile “erp”");
    expect(first.note?.tr).toContain("“erp” profiline kaydedildi");
    expect(second.recalled).toMatchObject({
      constants: new Map([["stock", "5"]]),
      decimal: "comma",
    });
    expect(second.recalled.notes[0]?.tr).toContain("“erp” profili kullanıldı");
    expect(second.note).toBeUndefined();
    expect(second.mapping.columns.map(({ target }) => target)).toEqual(
      first.mapping.columns.map(({ target }) => target),
    );
  });

  it("keeps the kind of discount that a header states", async () => {
    const { toolkit } = await createWorkplace();
    await accept(toolkit, named);

    const { mapping } = await accept(toolkit, wishes({ profile: "erp" }));

    expect(mapping.columns[3]?.target).toMatchObject({ field: "discount_value", discountType: 2 });
  });

  it("gives its columns but no constants where it is not named", async () => {
    const { toolkit } = await createWorkplace();
    await accept(toolkit, { ...named, decimal: "comma" });

    const unnamed = await recallColumns(toolkit.memory.profiles, HEADER, wishes());

    expect(unnamed.columns.get("Ücret")).toBe("price");
    expect(unnamed).toMatchObject({ constants: new Map(), decimal: undefined });
    expect(unnamed.notes[0]?.tr).toContain("tanındı (erp)");
  });

  it("is overridden by what is said now", async () => {
    const { toolkit } = await createWorkplace();
    await accept(toolkit, named);
    const now = {
      columns: new Map([["ücret", "list_price"]]),
      constants: new Map([["stock", "9"]]),
    };

    const { recalled } = await accept(toolkit, wishes({ ...now, profile: "erp" }));

    expect(recalled.columns.get("ücret")).toBe("list_price");
    expect(recalled.columns.has("Ücret")).toBe(false);
    expect(recalled.constants.get("stock")).toBe("9");
  });

  it("applies to other headers only once they were accepted too", async () => {
    const { toolkit } = await createWorkplace();
    await accept(toolkit, named);

    const { recalled } = await accept(toolkit, wishes({ profile: "erp" }), ["Ürün Kodu", "Stok"]);

    expect(recalled.notes[0]?.tr).toContain("henüz yok");
    expect(await toolkit.memory.profiles.list()).toHaveLength(2);
  });
});

describe("a profile that lacks something", () => {
  const header = ["Kod", "Adet", "Fiyat", "Fiyat (USD)"];
  const save = async (
    { memory: { profiles } }: Toolkit,
    columns: Readonly<Record<string, string>>,
  ) => {
    const rest = { headers: header, constants: {}, decimal: null, learntFrom: "erp.csv" };
    await profiles.save({ name: "erp", headerKey: headerKey(header), columns, ...rest });
  };

  it("does not claim that a person mapped a column, until one has (F2, F10)", async () => {
    const { toolkit } = await createWorkplace();
    await save(toolkit, { Kod: "product_code", Adet: "stock" });
    const said = new Map([["Adet", "stock"]]);

    const before = await recallColumns(toolkit.memory.profiles, header, wishes({ profile: "erp" }));
    await accept(toolkit, wishes({ profile: "erp", columns: said }), header);
    const after = await recallColumns(toolkit.memory.profiles, header, wishes({ profile: "erp" }));

    expect([...before.unconfirmed]).toEqual(["Kod", "Adet"]);
    expect([...after.unconfirmed]).toEqual(["Kod"]);
    expect(after.columns.get("Adet")).toBe("stock");
  });

  it("is completed by what a person said of its headers later", async () => {
    const { toolkit } = await createWorkplace();
    await save(toolkit, { Kod: "product_code" });
    const said = new Map([["Fiyat (USD)", "-"]]);
    await accept(toolkit, wishes({ profile: "erp", columns: said }), header);

    const { columns } = await recallColumns(
      toolkit.memory.profiles,
      header,
      wishes({ profile: "erp" }),
    );

    expect(columns.get("Fiyat (USD)")).toBe("-");
  });
});

it("the mapping of a header is not used for the same header with a sign (F2)", async () => {
  const { toolkit } = await createWorkplace();
  const said = new Map([
    ["Kod", "product_code"],
    ["Ücret", "price"],
  ]);
  await accept(toolkit, wishes({ columns: said }), ["Kod", "Ücret"]);

  const { columns, notes } = await recallColumns(
    toolkit.memory.profiles,
    ["Kod", "Ücret $"],
    wishes(),
  );

  expect([...columns]).toEqual([["Kod", "product_code"]]);
  expect(notes[0]?.en).toContain("1 columns are mapped as you accepted before: Kod=product_code");
});

it("headers have one key whatever their case, blanks and order", () => {
  expect(headerKey(["Ürün Kodu *", "", "FİYAT"])).toBe(headerKey(["fiyat", "ürün  kodu"]));
  expect(headerKey(["Fiyat"])).not.toBe(headerKey(["Fiyat", "Fiyat 2"]));
});

describe("headers that differ in one sign only", () => {
  const DOLLAR = ["Kod No", "Fiyat $"];
  const EURO = ["Kod No", "Fiyat €"];
  const chosen = new Map([
    ["Kod No", "product_code"],
    ["Fiyat $", "price"],
  ]);

  it("do not share a stored mapping (F2)", async () => {
    const { toolkit } = await createWorkplace();
    await accept(toolkit, wishes({ columns: chosen }), DOLLAR);
    await accept(toolkit, wishes({ columns: chosen, profile: "erp" }), DOLLAR);

    const unnamed = await recallColumns(toolkit.memory.profiles, EURO, wishes());
    const named = await recallColumns(toolkit.memory.profiles, EURO, wishes({ profile: "erp" }));

    const code = new Map([["Kod No", "product_code"]]);
    expect([unnamed.columns, named.columns]).toEqual([code, code]);
    expect((await recallColumns(toolkit.memory.profiles, DOLLAR, wishes())).columns).toEqual(
      chosen,
    );
  });

  it("are told apart within one file (F2)", async () => {
    const { toolkit } = await createWorkplace();
    const both = ["Kod No", "Fiyat $", "Fiyat €"];
    await accept(toolkit, wishes({ columns: chosen }), both);

    const again = await recallColumns(toolkit.memory.profiles, both, wishes());

    expect(again.columns).toEqual(chosen);
  });
});
