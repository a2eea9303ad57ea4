import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import {
  createTestConnection,
  startMarketplaceServer,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { mapColumns, platforms } from "@catalog/mapping";
import type { ColumnReading, ReadingSettings, RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import {
  type ColumnOverrides,
  headerKey,
  readRememberedColumns,
  rememberColumns,
  toColumnReading,
} from "../../src/columns/column-profiles.ts";
import { parsePlatform } from "../../src/columns/resolve-columns.ts";
import { describePlatform } from "../../src/file/describe-file.ts";
import { planFile, planRetry } from "../../src/plan/plan-file.ts";

const HEADER = ["Kod No", "Ücret", "Adet", "İndirim Oranı", "Boş"];
const CHOSEN = new Map([
  ["Kod No", "product_code"],
  ["Ücret", "price"],
  ["Boş", "-"],
]);

const overrides = (rest: Partial<ColumnOverrides> = {}): ColumnOverrides => ({
  columns: new Map(),
  constants: new Map(),
  ...rest,
});

/** Plans and accepts a file with these headers. */
async function accept(
  { memory: { profiles } }: Connection,
  given: ColumnOverrides,
  header = HEADER,
) {
  const recalled = await readRememberedColumns(profiles, header, given);
  const { columns: overridden, constants } = recalled;
  const mapping = mapColumns({
    sheet: "S",
    headerRow: 1,
    header,
    overrides: overridden,
    constants,
  });
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
    progress: {},
  } as const;
}

describe("headers that were accepted once", () => {
  it("are recognized without a name, in any order, with a note", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, overrides({ columns: CHOSEN, constants: new Map([["stock", "5"]]) }));

    const again = await readRememberedColumns(
      connection.memory.profiles,
      HEADER.toReversed(),
      overrides(),
    );

    expect(again.columns).toEqual(CHOSEN);
    expect(again.notes[0]?.tr).toContain("erp.csv");
    // Constants of an unnamed profile are not used.
    expect(again.constants).toEqual(new Map());
  });

  it("are not stored where they mapped by themselves", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, overrides(), ["Ürün Kodu", "Fiyat"]);

    const again = await readRememberedColumns(
      connection.memory.profiles,
      ["Ürün Kodu", "Fiyat"],
      overrides(),
    );

    expect(again.notes).toEqual([]);
  });

  it("are not recognized with one header more", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, overrides({ columns: CHOSEN }));

    const other = await readRememberedColumns(
      connection.memory.profiles,
      [...HEADER, "Yeni"],
      overrides(),
    );

    expect(other.columns).toEqual(new Map());
  });
});

describe("a profile", () => {
  const named = overrides({
    columns: CHOSEN,
    constants: new Map([["stock", "5"]]),
    profile: "erp",
  });

  it("is saved once the plan is accepted, and used with its constants by its name", async () => {
    const { connection } = await createTestConnection();

    const first = await accept(connection, { ...named, decimal: "comma" });
    const second = await accept(connection, overrides({ profile: "erp" }));

    expect(first.recalled.notes[0]?.en).toContain("no profile “erp”");
    expect(first.note?.tr).toContain("“erp” profiline kaydedildi");
    expect(second.recalled).toMatchObject({
      constants: new Map([["stock", "5"]]),
      decimal: "comma",
    });
    expect(second.recalled.notes.map(({ tr }) => tr)).toEqual([
      expect.stringContaining("“erp” profili kullanıldı"),
      "Ondalık ayırıcı “erp” profilinden alındı: virgül. Bu dosyada nokta ise --decimal point ekleyin.",
    ]);
    expect(second.note).toBeUndefined();
    expect(second.mapping.columns.map(({ target }) => target)).toEqual(
      first.mapping.columns.map(({ target }) => target),
    );
  });

  it("says nothing of the saved decimal sign where another one is given", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, { ...named, decimal: "comma" });

    const given = overrides({ profile: "erp", decimal: "point" });
    const { recalled } = await accept(connection, given);

    expect(recalled.decimal).toBe("point");
    expect(recalled.notes).toHaveLength(1);
  });

  it("keeps the kind of discount that a header states", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, named);

    const { mapping } = await accept(connection, overrides({ profile: "erp" }));

    expect(mapping.columns[3]?.target).toMatchObject({ field: "discount_value", discountType: 2 });
  });

  it("gives its columns but no constants where it is not named", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, { ...named, decimal: "comma" });

    const unnamed = await readRememberedColumns(connection.memory.profiles, HEADER, overrides());

    expect(unnamed.columns.get("Ücret")).toBe("price");
    expect(unnamed).toMatchObject({ constants: new Map(), decimal: undefined });
    expect(unnamed.notes[0]?.tr).toContain("tanındı (erp)");
  });

  it("is overridden by the mapping that is given now", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, named);
    const now = {
      columns: new Map([["ücret", "list_price"]]),
      constants: new Map([["stock", "9"]]),
    };

    const { recalled } = await accept(connection, overrides({ ...now, profile: "erp" }));

    expect(recalled.columns.get("ücret")).toBe("list_price");
    expect(recalled.columns.has("Ücret")).toBe(false);
    expect(recalled.constants.get("stock")).toBe("9");
  });

  it("applies to other headers only once they were accepted too", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, named);

    const { recalled } = await accept(connection, overrides({ profile: "erp" }), [
      "Ürün Kodu",
      "Stok",
    ]);

    expect(recalled.notes[0]?.tr).toContain("henüz yok");
    expect(await connection.memory.profiles.list()).toHaveLength(2);
  });
});

describe("a profile that lacks something", () => {
  const header = ["Kod", "Adet", "Fiyat", "Fiyat (USD)"];
  const save = async (
    { memory: { profiles } }: Connection,
    columns: Readonly<Record<string, string>>,
  ) => {
    const rest = { headers: header, constants: {}, decimal: null, learntFrom: "erp.csv" };
    await profiles.save({ name: "erp", headerKey: headerKey(header), columns, ...rest });
  };

  it("does not claim that a person mapped a column, until one has", async () => {
    const { connection } = await createTestConnection();
    await save(connection, { Kod: "product_code", Adet: "stock" });
    const text = new Map([["Adet", "stock"]]);

    const before = await readRememberedColumns(
      connection.memory.profiles,
      header,
      overrides({ profile: "erp" }),
    );
    await accept(connection, overrides({ profile: "erp", columns: text }), header);
    const after = await readRememberedColumns(
      connection.memory.profiles,
      header,
      overrides({ profile: "erp" }),
    );

    expect([...before.unconfirmed]).toEqual(["Kod", "Adet"]);
    expect([...after.unconfirmed]).toEqual(["Kod"]);
    expect(after.columns.get("Adet")).toBe("stock");
  });

  it("is completed by later decisions of a person on its headers", async () => {
    const { connection } = await createTestConnection();
    await save(connection, { Kod: "product_code" });
    const text = new Map([["Fiyat (USD)", "-"]]);
    await accept(connection, overrides({ profile: "erp", columns: text }), header);

    const { columns } = await readRememberedColumns(
      connection.memory.profiles,
      header,
      overrides({ profile: "erp" }),
    );

    expect(columns.get("Fiyat (USD)")).toBe("-");
  });
});

it("the mapping of a header is not used for the same header with a sign", async () => {
  const { connection } = await createTestConnection();
  const text = new Map([
    ["Kod", "product_code"],
    ["Ücret", "price"],
  ]);
  await accept(connection, overrides({ columns: text }), ["Kod", "Ücret"]);

  const { columns, notes } = await readRememberedColumns(
    connection.memory.profiles,
    ["Kod", "Ücret $"],
    overrides(),
  );

  expect([...columns]).toEqual([["Kod", "product_code"]]);
  expect(notes[0]?.en).toContain("1 column is mapped as you accepted before: “Kod” → Product Code");
});

it("the note on known headers names fields and properties by their words", async () => {
  const { connection } = await createTestConnection();
  const columns = new Map([
    ["Kısa Açıklama", "sub_title"],
    ["Ton", "property:Renk"],
    ["Raf", "-"],
    ["Net", "Maliyet"],
    ["Desen", "Seçenek 1"],
  ]);
  const headers = [...columns.keys()];
  await accept(connection, overrides({ columns }), headers);

  const { notes, columns: kept } = await readRememberedColumns(
    connection.memory.profiles,
    headers,
    overrides(),
  );

  expect([kept.get("Net"), kept.get("Desen")]).toEqual(["cost", "option1"]);
  expect(notes[0]?.tr).toContain("“Net” → maliyet (gönderilmez");
  expect(notes[0]?.tr).toContain("“Desen” → Varyant seçeneği 1");
  expect(notes[0]?.tr).toContain("“Kısa Açıklama” → Alt Başlık");
  expect(notes[0]?.tr).toContain("“Ton” → Renk özelliği");
  expect(notes[0]?.tr).toContain("“Raf” → kullanılmaz");
  expect(notes[0]?.en).toContain("“Ton” → property Renk");
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

  it("do not share a stored mapping", async () => {
    const { connection } = await createTestConnection();
    await accept(connection, overrides({ columns: chosen }), DOLLAR);
    await accept(connection, overrides({ columns: chosen, profile: "erp" }), DOLLAR);

    const unnamed = await readRememberedColumns(connection.memory.profiles, EURO, overrides());
    const named = await readRememberedColumns(
      connection.memory.profiles,
      EURO,
      overrides({ profile: "erp" }),
    );

    const code = new Map([["Kod No", "product_code"]]);
    expect([unnamed.columns, named.columns]).toEqual([code, code]);
    expect(
      (await readRememberedColumns(connection.memory.profiles, DOLLAR, overrides())).columns,
    ).toEqual(chosen);
  });

  it("are told apart within one file", async () => {
    const { connection } = await createTestConnection();
    const both = ["Kod No", "Fiyat $", "Fiyat €"];
    await accept(connection, overrides({ columns: chosen }), both);

    const again = await readRememberedColumns(connection.memory.profiles, both, overrides());

    expect(again.columns).toEqual(chosen);
  });
});

const VARIANTS = ["Variant SKU", "Variant Inventory Qty", "Handle", "Image Src"];

async function openFixture() {
  const { baseUrl } = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl });
  return {
    ...test,
    plan: (platform?: string) =>
      planFile(test.connection, {
        path: test.write("stok.csv", `${VARIANTS.join(";")}\nKOD-1;7;kod-1;\n`),
        command: "plan",
        lang: "tr",
        mode: "upsert",
        reportDir: join(test.folder, "{run}"),
        ...(platform === undefined ? {} : { platform }),
      }),
  };
}

const notesOf = (run: RunRecord): readonly string[] =>
  run.facts?.reading?.notes.map(({ tr }) => tr).filter((text) => text.startsWith("Platform")) ?? [];

describe("the platform of a file", () => {
  it("is recognised by the headers, told in one line and stored with the run", async () => {
    const { plan, connection } = await openFixture();

    const run = await plan();

    expect(notesOf(run)).toEqual([
      "Platform: Shopify (başlıklardan anlaşıldı). Değilse --platform none verin.",
    ]);
    expect(run.progress.reading?.platform).toBe("shopify");
    const [row] = await connection.journal.readRows(run.id, { limit: 1 });
    expect(row?.payload).toEqual({ product_id: "p-1", stock_count: 7 });
  });

  it("is told without a reason where a person named it", async () => {
    const { plan } = await openFixture();

    expect(notesOf(await plan("shopify"))).toEqual(["Platform: Shopify."]);
  });

  it("is not used where a person says that there is none", async () => {
    const { plan } = await openFixture();

    await expect(plan("none")).rejects.toMatchObject({ code: "E_FILE_COLUMNS" });
  });

  it("is told before a file is refused whose columns cannot be used", async () => {
    const { connection, folder, write } = await openFixture();
    const lines: string[] = [];

    const planned = planFile(connection, {
      path: write("stok.csv", "Handle;Image Src;Variant Price\nkod-1;;5\n"),
      command: "plan",
      lang: "tr",
      mode: "upsert",
      reportDir: folder,
      onReading: ({ tr }) => lines.push(tr),
    });

    await expect(planned).rejects.toMatchObject({ code: "E_FILE_COLUMNS" });
    expect(lines.at(-1)).toMatch(/^Dosya okunuşu.*\nPlatform: Shopify/u);
  });

  it("gives no line to a file of no platform", () => {
    expect(describePlatform(undefined)).toEqual([]);
  });
});

/** Retries one refused row of a run that was read in this way. */
async function retry(reading: ReadingSettings): Promise<RunRecord> {
  const { connection, folder } = await openFixture();
  const refused: StoredRow = {
    cells: ["KOD-1", 7, "kod-1", ""],
    payload: { product_id: idSchemas.product.parse("p-1"), stock_count: 7 },
    outcome: { to: "rejected", cause: "answer" },
  };
  const run = await storeRun(connection, { header: VARIANTS, rows: [refused] });
  const stored = { ...run, progress: { ...run.progress, reading } };
  const reportDir = join(folder, "{run}");
  return await planRetry(connection, { run: stored, command: "retry", lang: "tr", reportDir });
}

describe("a retry", () => {
  it("reads the rows with the platform of its run", async () => {
    const run = await retry({ platform: "shopify" });

    expect(run.facts?.planned).toMatchObject({ update: 1, invalid: 0 });
  });

  it("reads the rows of a run from before platforms were known without one", async () => {
    await expect(retry({})).rejects.toMatchObject({ code: "E_FILE_COLUMNS" });
  });
});

describe("the name of a platform that a person types", () => {
  it("is found in any case", () => {
    expect(parsePlatform("Shopify")).toBe("shopify");
    expect(parsePlatform("NONE")).toBe("none");
    expect(parsePlatform(undefined)).toBeUndefined();
  });

  it("is refused with the list of names where there is no such platform", () => {
    const list = platforms.names.join(", ");

    expect(() => parsePlatform("gittigidiyor")).toThrow(
      expect.objectContaining({
        code: "E_USAGE",
        localized: {
          tr: `“gittigidiyor” diye bir platform tanınmıyor; olanlar: ${list}.`,
          en: `No platform is known as “gittigidiyor”; there are: ${list}.`,
        },
      }),
    );
  });
});
