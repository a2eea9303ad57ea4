import { readFileSync } from "node:fs";
import { join } from "node:path";

import { writeXlsx } from "@catalog/sheets";
import type { DraftView, RowView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, writeSheets, writeWorkbook } from "../../helpers/product-sheet.ts";
import { planDraft, sendRun, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody } from "../../helpers/web/runs.ts";

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

describe("a file on the page", { timeout: 90_000 }, () => {
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
