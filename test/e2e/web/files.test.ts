import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createSandboxCatalog } from "@catalog/sandbox";
import { writeXlsx } from "@catalog/sheets";
import type {
  DraftView,
  EditResult,
  LookupView,
  NamesView,
  NameView,
  RowView,
  RunView,
  SearchedNames,
} from "@catalog/web";
import Excel from "exceljs";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { correctedRows, EXPECTED_ISSUES, mistakenRows } from "../../helpers/mistakes.ts";
import {
  addressOf,
  goodRow,
  HEADERS,
  writeSheets,
  writeWorkbook,
} from "../../helpers/product-sheet.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

/** The letters of windows-1254 that differ from Latin 1. */
const TURKISH: Readonly<Record<string, number>> = {
  ğ: 0xf0,
  ı: 0xfd,
  ş: 0xfe,
  Ğ: 0xd0,
  İ: 0xdd,
  Ş: 0xde,
};

const toWindows1254 = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => TURKISH[letter] ?? letter.charCodeAt(0));

const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../files/file-kinds/fixtures/${name}`, import.meta.url));

const FIXTURE = "cells";

const TABLE = "Ürün Kodu;Başlık;Stok\nA-1;Işıltılı şamdan;5\nA-2;Ağaç kaşık;7\n";

async function readFirstRow(session: WebSession, { id }: DraftView): Promise<readonly string[]> {
  const [row] = await getBody<readonly { readonly cells: readonly string[] }[]>(
    session,
    `/drafts/${id}/rows?n=2`,
  );
  return row?.cells ?? [];
}

const toSheet = (name: string, row: Readonly<Record<string, unknown>>) => ({
  name,
  columns: Object.keys(row).map((header) => ({ header })),
  rows: [Object.values(row).map(String)],
});

const POLL = { timeout: 30_000, interval: 25 };

describe("a file on the page", () => {
  it("may be of any kind, in the encoding of old programs, with a title above its headers", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();
    const upload = (name: string, bytes: Uint8Array): Promise<DraftView> =>
      uploadDraft(session, name, bytes);

    const old = await upload("eski.csv", toWindows1254(TABLE));
    const titled = await upload(
      "rapor.csv",
      new TextEncoder().encode(`Rapor: Ürün listesi;;\n;;\n${TABLE}`),
    );
    const kinds: string[] = [];
    for (const ending of ["xls", "ods"]) {
      const { state, reading, counts } = await upload(
        `a.${ending}`,
        fixture(`${FIXTURE}.${ending}`),
      );
      kinds.push(`${reading.kind} ${state === "reading"} ${(counts?.rows ?? 1) > 0}`);
    }

    expect(await readFirstRow(session, old)).toEqual(["A-1", "Işıltılı şamdan", "5"]);
    expect(old.reading.encoding).toMatchObject({ value: "windows-1254", isGuessed: true });
    expect(titled.reading.headerRow).toMatchObject({ value: 3, isGuessed: true });
    expect(titled.counts).toMatchObject({ rows: 2 });
    expect(kinds).toEqual(["xls false true", "ods false true"]);
  });

  it("asks for the sheet where there are several", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();
    const file = await writeSheets(shop.folder, "a.xlsx", {
      Kış: [goodRow(1)],
      Yaz: [goodRow(2), goodRow(3)],
    });
    const { status, text } = await session.upload("a.xlsx", readFileSync(file));
    const { id }: DraftView = JSON.parse(text);
    const view = (): Promise<DraftView> => getBody<DraftView>(session, `/drafts/${id}`);
    await expect.poll(async () => (await view()).reading.sheets.length, POLL).toBe(2);
    const { version, reading } = await view();

    const chosen = await session.call("PATCH", `/drafts/${id}/reading`, { version, sheet: "Yaz" });
    await expect.poll(async () => (await view()).state, POLL).toBe("ready");

    expect([status, chosen.status, reading.sheet]).toEqual([201, 200, null]);
    expect((await view()).counts).toMatchObject({ rows: 2, errors: 0 });
  });

  it("reads any of its sheets together, and others after those", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();
    const file = join(shop.folder, "a.xlsx");
    const sheets = [
      toSheet("Yaz", goodRow(1)),
      toSheet("Kış", goodRow(2, { "Stok *": "beş" })),
      toSheet("Notlar", { Sorumlu: "Ayşe", Telefon: "5" }),
      toSheet("Güz, 2026", goodRow(4)),
    ];
    await writeXlsx({ path: file, sheets });
    const { text } = await session.upload("a.xlsx", readFileSync(file));
    const { id }: DraftView = JSON.parse(text);
    const read = async (sheet: readonly string[]): Promise<DraftView> => {
      const { version } = await getBody<DraftView>(session, `/drafts/${id}`);
      await session.call("PATCH", `/drafts/${id}/reading`, { version, sheet });
      const settled = (view: DraftView): boolean =>
        view.version > version && (view.state === "ready" || view.reading.problem !== null);
      await expect
        .poll(async () => settled(await getBody<DraftView>(session, `/drafts/${id}`)), POLL)
        .toBe(true);
      return await getBody<DraftView>(session, `/drafts/${id}`);
    };
    await expect
      .poll(async () => (await getBody<DraftView>(session, `/drafts/${id}`)).reading.sheets, POLL)
      .toHaveLength(4);

    const two = await read(["Kış", "Güz, 2026"]);
    const rows = await getBody<readonly RowView[]>(session, `/drafts/${id}/rows?n=2,2002`);
    const different = await read(["Yaz", "Notlar"]);
    const one = await read(["Güz, 2026"]);

    expect(two.reading).toMatchObject({
      sheet: { value: ["Kış", "Güz, 2026"], isGuessed: false },
      sheets: [
        { name: "Yaz", rows: 2, hasProducts: true },
        { name: "Kış", rows: 2, hasProducts: true },
        { name: "Notlar", rows: 2, hasProducts: false },
        { name: "Güz, 2026", rows: 2, hasProducts: true },
      ],
    });
    expect(two.counts).toMatchObject({ rows: 2, errors: 1 });
    expect(rows.map(({ name }) => name)).toEqual(["Kış!2", "'Güz, 2026'!2"]);
    expect(different.reading).toMatchObject({
      problem: { code: "E_SHEETS_DIFFER" },
      isUnusable: false,
      sheet: { value: ["Yaz", "Notlar"] },
    });
    expect(different.reading.sheets).toHaveLength(4);
    expect(one.counts).toMatchObject({ rows: 1, errors: 0 });
  });

  it("sends its sound rows, and hands out the others to be corrected", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();
    const rows = Array.from({ length: 100 }, (_, index) =>
      goodRow(index + 1, index % 10 === 4 ? { "Fiyat *": "on iki" } : {}),
    );
    const file = await writeWorkbook(shop.folder, "a.xlsx", rows);

    const draft = await uploadDraft(session, "a.xlsx", readFileSync(file));
    const end = await sendRun(session, await planDraft(session, draft));
    const failed = await fetch(
      `${session.headers["origin"]}/api/runs/${end.id}/files/failed.xlsx`,
      {
        headers: session.headers,
      },
    );
    const bytes = new Uint8Array(await failed.arrayBuffer());
    const again = await uploadDraft(session, "failed.xlsx", bytes);

    expect(draft.counts).toMatchObject({ rows: 100, errors: 10 });
    expect(end.counts).toMatchObject({ added: 90, invalid: 10 });
    expect(shop.sandbox.products()).toHaveLength(90);
    expect(again.counts).toMatchObject({ rows: 10, errors: 10 });
  });
});

const CODE = "Ürün Kodu *";
const PRICE = "Fiyat *";
const TITLE = "Başlık *";

async function download({ headers }: WebSession, path: string): Promise<Uint8Array> {
  const answer = await fetch(`${headers["origin"]}/api${path}`, { headers });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

type Corrections = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** Changes cells as a person does in a spreadsheet program, and keeps everything else. */
async function correct(bytes: Uint8Array, corrections: Corrections): Promise<Uint8Array> {
  const workbook = new Excel.Workbook();
  await workbook.xlsx.load(Uint8Array.from(bytes).buffer);
  const [sheet] = workbook.worksheets;
  if (sheet === undefined) throw new Error("the workbook has no sheet");
  const columns = new Map<string, number>();
  sheet.getRow(1).eachCell((cell, at) => void columns.set(cell.text, at));
  const columnOf = (header: string): number => columns.get(header) ?? 0;
  sheet.eachRow((row) => {
    const changes = corrections[row.getCell(columnOf(CODE)).text] ?? {};
    for (const [header, value] of Object.entries(changes))
      row.getCell(columnOf(header)).value = value;
  });
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

const BAD = [
  goodRow(1),
  goodRow(2, { [PRICE]: "on iki" }),
  goodRow(3),
  goodRow(4, { [TITLE]: null }),
];

const CORRECTIONS: Corrections = {
  "TST-00002": { [PRICE]: 12.5 },
  "TST-00004": { [TITLE]: "Dördüncü" },
};

describe("a file of failed rows that is corrected outside the page", () => {
  it("maps itself without an answer and is sent, whether of a draft or of a run", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();
    const file = await writeWorkbook(shop.folder, "urunler.xlsx", BAD);
    const draft = await uploadDraft(session, "urunler.xlsx", readFileSync(file));

    const ofDraft = await correct(
      await download(session, `/drafts/${draft.id}/files/hatalar.xlsx`),
      CORRECTIONS,
    );
    const first = await sendRun(session, await planDraft(session, draft));
    const ofRun = await correct(
      await download(session, `/runs/${first.id}/files/failed.xlsx`),
      CORRECTIONS,
    );
    const corrected = await uploadDraft(session, "hatalar.xlsx", ofDraft);
    const second = await sendRun(session, await planDraft(session, corrected));
    const again = await uploadDraft(session, "failed.xlsx", ofRun);
    const third = await planDraft(session, again);

    expect(first.counts).toMatchObject({ rows: 4, added: 2, invalid: 2 });
    for (const { state, counts, columns } of [corrected, again]) {
      expect(state).toBe("ready");
      expect(counts).toMatchObject({ rows: 2, errors: 0 });
      expect(columns?.problems).toEqual([]);
      expect(columns?.columns.some(({ isChosen }) => isChosen)).toBe(false);
    }
    expect(second.counts).toMatchObject({ rows: 2, added: 2 });
    expect(third.plan).toMatchObject({ adds: 0, unchanged: 2 });
    const titles = shop.sandbox.products().map(({ title, price }) => `${title} ${price}`);
    expect(titles).toHaveLength(4);
    expect(titles).toEqual(expect.arrayContaining(["Deneme ürünü 2 1250", "Dördüncü 2399"]));
  });
});

/** Rows 2 to 41, of which every second one is bad. */
async function readRows(session: WebSession, { id }: DraftView): Promise<readonly RowView[]> {
  const numbers = Array.from({ length: 40 }, (_, index) => index + 2);
  return await getBody(session, `/drafts/${id}/rows?n=${numbers.join(",")}`);
}

const errorsOf = (rows: readonly RowView[]): readonly string[] =>
  rows
    .flatMap(({ row, issues }) =>
      issues
        .filter(({ severity }) => severity === "error")
        .map(({ column, code }) => `${addressOf(HEADERS[column ?? 0] ?? HEADERS[0], row)} ${code}`),
    )
    .toSorted();

/** A number as a person types it. */
const toText = (number: number): string =>
  Number.isInteger(number) ? String(number) : number.toFixed(2).replace(".", ",");

/** The corrected texts of every cell that differs from the file. */
function cellsToCorrect(): readonly object[] {
  const [bad, good] = [mistakenRows(), correctedRows()];
  return good.flatMap((cells, index) =>
    HEADERS.flatMap((header, column) => {
      const [was, is] = [bad[index]?.[header], cells[header]];
      const value = typeof is === "number" ? toText(is) : (is ?? "");
      return was === is ? [] : [{ row: index + 2, column, value }];
    }),
  );
}

/** What the marketplace keeps of each product, but for the ids and times that it gives. */
const kept = ({ sandbox }: TestStore): readonly unknown[] =>
  sandbox
    .products()
    .map(({ id: _id, ...product }) =>
      JSON.stringify(product, (key, value) =>
        /^(?:addedAtMs|sid)$/u.test(key) ? undefined : value,
      ),
    )
    .toSorted();

describe("a file with 37 mistakes on the page", () => {
  it("shows each at its cell, and sends what an import of the corrected file sends", async () => {
    const [page, terminal] = [await openTestStore(), await openTestStore()];
    const session = await (await openWeb(page)).openSession();
    const file = await writeWorkbook(page.folder, "hatali.xlsx", mistakenRows());
    const right = await writeWorkbook(terminal.folder, "dogru.xlsx", correctedRows());

    const draft = await uploadDraft(session, "hatalı.xlsx", readFileSync(file));
    const shown = errorsOf(await readRows(session, draft));
    const edited = await postBody<EditResult>(session, `/drafts/${draft.id}/edits`, {
      version: draft.version,
      edits: cellsToCorrect(),
    });
    const left = errorsOf(await readRows(session, draft));
    const planned = await planDraft(session, { ...draft, version: edited.version });
    const end = await sendRun(session, planned);
    const imported = await terminal.json("import", right, "--yes");

    expect(shown).toEqual(EXPECTED_ISSUES);
    expect(draft.counts).toMatchObject({ rows: 40, errors: 20 });
    expect([left, edited.counts]).toMatchObject([[], { errors: 0, sound: 40, edited: 20 }]);
    expect(end.counts).toMatchObject({ rows: 40, added: 40, invalid: 0 });
    expect(imported.exit, imported.err).toBe(0);
    expect(kept(page)).toEqual(kept(terminal));
  });

  it("sends no plan of a draft that was corrected after it", async () => {
    const shop = await openTestStore();
    const session = await (await openWeb(shop)).openSession();
    const file = await writeWorkbook(shop.folder, "hatali.xlsx", mistakenRows());
    const draft = await uploadDraft(session, "hatalı.xlsx", readFileSync(file));
    const { id: run, planHash } = await planDraft(session, draft);
    const edits = [{ row: 3, column: 1, value: "Yeni başlık" }];
    await postBody(session, `/drafts/${draft.id}/edits`, { version: draft.version, edits });

    const now = await getBody<RunView>(session, `/runs/${run}`);
    const sent = await session.call("POST", `/runs/${run}/send`, {
      planHash,
      release: [],
      hold: [],
    });
    const approval = { planHash: now.planHash, rows: now.left.rows };
    const resumed = await session.call("POST", `/runs/${run}/resume`, approval);

    expect(now.can.send).toBe(false);
    expect(now.problem).toMatchObject({ code: "E_PLAN_DRAFT" });
    expect([sent.body, resumed.body]).toMatchObject([
      { code: "E_PLAN_DRAFT" },
      { code: "E_PLAN_DRAFT" },
    ]);
    expect(shop.sandbox.stats().adds).toBe(0);
  });
});

const NAME = "Aksesuar";

/** A brand, a category of the name that has it, and one that has it not. */
function findBrand(): { readonly brand: string; readonly home: string; readonly other: string } {
  const catalog = createSandboxCatalog();
  const named = catalog.categories.filter(({ id, name }) => name === NAME && catalog.isLeaf(id));
  const brandsOf = named.map(({ id }) => new Set(catalog.brands(id).map(({ name }) => name)));
  // Behind the three categories that an issue names.
  const at = 5;
  for (const brand of brandsOf[at] ?? []) {
    if (brandsOf.some((brands, other) => other !== at && brands.has(brand))) continue;
    const [home, other] = [named[at]?.category_path ?? "", named[0]?.category_path ?? ""];
    return { brand, home, other };
  }
  throw new Error("no brand is in one of the categories alone");
}

const readNames = async (session: WebSession, id: string): Promise<readonly NameView[]> =>
  (await getBody<NamesView>(session, `/drafts/${id}/names`)).names;

describe("open names on the page", () => {
  it("lead from a wrong category of a brand back to the one that has it", async () => {
    const { brand, home, other } = findBrand();
    const session = await (await openWeb(await openTestStore())).openSession();
    const file = Buffer.from(`Ürün Kodu;Kategori;Marka;Stok\nA-1;${NAME};${brand};5\n`);
    const { id, version } = await uploadDraft(session, "liste.csv", file);
    const answer = (at: number, given: object): Promise<EditResult> =>
      postBody<EditResult>(session, `/drafts/${id}/names`, { version: at, answers: [given] });

    const [asked] = await readNames(session, id);
    const chosen = { field: "category", value: NAME, target: other, isRemembered: true };
    const wrong = await answer(version, chosen);
    const [unknown] = await readNames(session, id);
    const found = await getBody<readonly LookupView[]>(
      session,
      `/drafts/${id}/lookup?column=2&row=2&text=`,
    );
    const back = { field: "brand", value: brand, target: home };
    const category = { ...back, isRemembered: false, isCategory: true };
    const right = await answer(wrong.version, category);

    expect(asked).toMatchObject({ field: "category", category: null });
    expect(asked?.choices[0]).toMatchObject({
      target: home,
      hint: `“${brand}” markası burada var`,
    });
    expect(unknown).toMatchObject({
      field: "brand",
      category: { path: other, column: 1, isAnswered: true },
    });
    expect(unknown?.category?.choices[0]).toMatchObject({ target: home });
    expect(found.length).toBeGreaterThan(5);
    expect(right.openNames).toBe(0);
    const rows = await getBody(session, `/drafts/${id}/rows?n=2`);
    expect(rows).toMatchObject([{ cells: ["A-1", home, brand, "5"], edited: [1] }]);
  });

  const SEARCHED = [
    ["any-word", { made: 1, failure: null }, "Pazaryerindeki 3 benzer üründen 3 tanesi burada"],
    ["403", { made: 0, failure: expect.stringContaining("kullanılamadı") }, undefined],
  ] as const;
  it.each(SEARCHED)(
    "are searched for on a marketplace whose search is %s",
    async (search, result, hint) => {
      const leaves = createSandboxCatalog().categories.slice(-1);
      const store = await openTestStore({
        personality: { "product-search": search },
        offers: leaves.flatMap(({ id: categoryId }) =>
          ["Haki", "Mavi", "Gri"].map((colour) => ({ title: `${colour} Xqozu Wvb`, categoryId })),
        ),
      });
      const session = await (await openWeb(store)).openSession();
      const file = Buffer.from(`Ürün Kodu;Başlık;Kategori;Stok\nA-1;Bej Xqozu Wvb;Zqaxw;5\n`);
      const { id } = await uploadDraft(session, "liste.csv", file);

      const before = await getBody<NamesView>(session, `/drafts/${id}/names`);
      const searched = await postBody<SearchedNames>(session, `/drafts/${id}/names/search`, {});
      const after = await getBody<NamesView>(session, `/drafts/${id}/names`);

      expect(before).toMatchObject({ searches: 1, names: [{ value: "Zqaxw", choices: [] }] });
      expect(searched).toEqual(result);
      expect(after.names[0]?.choices[0]?.hint).toBe(hint);
      expect(store.sandbox.stats().byEndpoint["product.search"]).toBe(1);
    },
  );
});
