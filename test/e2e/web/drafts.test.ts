import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import type { DraftView, EditResult, RowView, RulesView, RunView } from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeWorkbook } from "../../helpers/product-sheet.ts";
import { planDraft, sendRun, uploadDraft, waitForDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, listRunRows, postBody } from "../../helpers/web/runs.ts";

const POLL = { timeout: 60_000, interval: 50 };

const readDraft = async (session: WebSession, id: string): Promise<DraftView> =>
  JSON.parse((await session.call("GET", `/drafts/${id}`)).text);

/** Uploads a table and waits until its rows are checked. */
async function upload(session: WebSession, text: string): Promise<DraftView> {
  const { text: answer } = await session.upload("liste.csv", Buffer.from(text));
  const { id }: DraftView = JSON.parse(answer);
  await expect.poll(async () => (await readDraft(session, id)).state, POLL).toBe("ready");
  return await readDraft(session, id);
}

describe.skipIf(process.platform !== "linux")("catalog web --open", () => {
  it("gives the link to the program that opens addresses", async () => {
    const { folder, env } = await openTestStore();
    const [opener, opened] = [join(folder, "xdg-open"), join(folder, "opened.txt")];
    writeFileSync(
      opener,
      `#!/bin/sh\nprintf '%s' "$1" > "${opened}.part"\nmv "${opened}.part" "${opened}"\n`,
    );
    chmodSync(opener, 0o755);
    const path = `${folder}${delimiter}${process.env["PATH"] ?? ""}`;

    const web = await openWeb({ folder, env: { ...env, PATH: path } }, "--open");
    await expect.poll(() => existsSync(opened), POLL).toBe(true);

    expect(readFileSync(opened, "utf8")).toBe(web.url);
  });
});

describe("a draft of the page", () => {
  it.each([
    ["the unit of prices", "PUT", "/settings/price-unit", { unit: "minor" }],
    [
      "a limit",
      "PUT",
      "/settings/limits",
      { guards: { priceDropPercent: 90 }, callsPerHour: null },
    ],
    ["a rule", "POST", "/rules", { field: "Marka", value: "Boş", target: "Bosch" }],
  ] as const)("must be replanned before sending once %s has changed", async (...given) => {
    const [, method, path, body] = given;
    const store = await openTestStore({ products: 3 });
    const session = await (await openWeb(store)).openSession();
    await session.call("PUT", "/settings/price-unit", { unit: "major" });
    const [product] = store.sandbox.products();
    const { id } = await upload(session, `Ürün Kodu;Stok\n${product?.product_code};5\n`);
    const first = await planDraft(session, await readDraft(session, id));

    const changed = await session.call(method, path, body);
    const draft = await waitForDraft(session, id);
    const outdated = await getBody<RunView>(session, `/runs/${first.id}`);
    const second = await planDraft(session, draft);

    expect(changed.status, changed.text).toBe(200);
    expect(first.can.send).toBe(true);
    expect(draft.run).toMatchObject({ id: first.id, isCurrent: false });
    expect(outdated).toMatchObject({ can: { send: false }, problem: { code: "E_PLAN_SETTINGS" } });
    expect(second).toMatchObject({ can: { send: true }, problem: null });
    expect((await readDraft(session, id)).run).toMatchObject({ id: second.id, isCurrent: true });
  });

  it("is rechecked after a rule changes, keeping a person's edits", async () => {
    const store = await openTestStore({ products: 3 });
    const session = await (await openWeb(store)).openSession();
    const codes = store.sandbox.products().map(({ product_code }) => product_code);
    const text = ["Ürün Kodu;Stok", ...codes.map((code) => `${code};Var`), ""].join("\n");
    const { id, version, counts } = await upload(session, text);
    await session.call("POST", `/drafts/${id}/edits`, {
      version,
      edits: [{ row: 2, column: 1, value: "7" }],
    });

    await session.call("POST", "/rules", { field: "Stok", value: "Var", target: "10" });
    const errors = async (): Promise<number | undefined> =>
      (await readDraft(session, id)).counts?.errors;
    await expect.poll(errors, POLL).toBe(0);
    const rows = await getBody<readonly RowView[]>(session, `/drafts/${id}/rows?n=2`);

    expect(counts?.errors).toBe(3);
    expect(JSON.stringify(rows)).toContain('"7"');
  });

  it("is replanned in the mode that a person has chosen", async () => {
    const session = await (await openWeb(await openTestStore({ products: 3 }))).openSession();
    const { id, version } = await upload(session, "Ürün Kodu;Stok\nYENI-1;5\n");
    const plan = async (body: object): Promise<DraftView["run"]> => {
      const before = (await readDraft(session, id)).run?.id;
      await session.call("POST", `/drafts/${id}/plan`, { version, ...body });
      const isPlanned = async (): Promise<boolean> => {
        const { run, progress } = await readDraft(session, id);
        return progress === null && run !== null && run.id !== before;
      };
      await expect.poll(isPlanned, POLL).toBe(true);
      return (await readDraft(session, id)).run;
    };

    const first = await plan({ mode: "update" });
    const second = await plan({});

    expect([first?.mode, second?.mode]).toEqual(["update", "update"]);
    const found = await listRunRows(session, second?.id ?? "");
    expect(found.map(({ code, canSend }) => [code, canSend])).toEqual([["YENI-1", false]]);
  });

  it("reads numbers with the decimal sign confirmed for the previous file", async () => {
    const store = await openTestStore({ products: 2 });
    const session = await (await openWeb(store)).openSession();
    const codes = store.sandbox.products().map(({ product_code: code }) => code);
    const table = (stocks: readonly string[]): string =>
      ["Ürün Kodu;Stok", ...codes.map((code, at) => `${code};${stocks[at]}`)].join("\n");

    const first = await upload(session, table(["1.000", "2.000"]));
    const reading = { version: first.version, decimal: "comma" };
    await session.call("PATCH", `/drafts/${first.id}/reading`, reading);
    const answered = await waitForDraft(session, first.id);
    await sendRun(session, await planDraft(session, answered));
    const { files } = await getBody<RulesView>(session, "/rules");
    const later = await upload(session, table(["3.000", "4.000"]));
    await sendRun(session, await planDraft(session, later));
    const clear = await upload(session, table(["5.000", "6.5"]));

    expect([first.counts?.errors, answered.counts?.errors]).toEqual([2, 0]);
    expect(files).toMatchObject([
      { kind: "decimals", entries: [{ header: "Stok", text: "ondalık virgül" }] },
    ]);
    expect(later.counts).toMatchObject({ errors: 0 });
    expect(later.columns?.notes).toEqual([
      "“Stok” sütunundaki sayılar, daha önce onayladığınız dosyadaki gibi ondalık virgülle okundu.",
    ]);
    const stocks = store.sandbox.products().map(({ stock_count: stock }) => stock);
    expect(stocks).toEqual([3_000, 4_000]);
    // A cell that tells another sign is not overruled, and the others are asked about.
    expect(clear.counts).toMatchObject({ errors: 2 });
  });

  it("warns at each code whose leading zeros are missing", async () => {
    const store = await openTestStore();
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const rows = (toCode: (number: number) => string | number): readonly ProductRow[] =>
      numbers.map((number) => goodRow(number, { "Ürün Kodu *": toCode(number) }));
    const sent = await writeWorkbook(
      store.folder,
      "a.xlsx",
      rows((number) => `00010${number}`),
    );
    const broken = await writeWorkbook(
      store.folder,
      "b.xlsx",
      rows((number) => 100 + number),
    );
    expect((await store.run("import", sent, "--yes")).code).toBe(0);
    const session = await (await openWeb(store)).openSession();

    const draft = await uploadDraft(session, "b.xlsx", readFileSync(broken));
    const path = `/drafts/${draft.id}/rows?n=2,3,4,5,6,7,8,9`;
    const found = await getBody<readonly RowView[]>(session, path);
    const edits = found.map(({ row, issues }) => ({
      row,
      column: 0,
      value: issues[0]?.fixes[0] ?? "",
    }));
    const { held } = (await planDraft(session, draft)).plan;
    const edit = { version: draft.version, edits };
    const edited = await postBody<EditResult>(session, `/drafts/${draft.id}/edits`, edit);

    expect(held).toBe(8);
    expect(found.map(({ issues }) => issues)).toMatchObject(
      numbers.map((number) => [
        { code: "E_CODE_SUSPECT", severity: "warning", column: 0, fixes: [`00010${number}`] },
      ]),
    );
    expect(found[1]?.issues[0]?.message).toBe(
      "“102” kodu, kullanılan bir koda çok benziyor: “000102” daha önce gönderildi (başlık da aynı); Excel baştaki sıfırları silmiş olabilir.",
    );
    expect(edited.counts).toMatchObject({ errors: 0, warnings: 0 });
  });

  it("can be downloaded in whole or only its failed rows, without command-line advice", async () => {
    const session = await (await openWeb(await openTestStore())).openSession();
    const { id, counts } = await upload(
      session,
      "Ürün Kodu;Stok;Kategori\nA-1;5;Zqxwv\nA-2;7;\nA-3;beş;Zqxwv\n",
    );

    const again = async (name: string): Promise<DraftView> => {
      const headers = session.headers;
      const file = await fetch(`${headers["origin"] ?? ""}/api/drafts/${id}/files/${name}`, {
        headers,
      });
      expect(file.status).toBe(200);
      const { text } = await session.upload(name, new Uint8Array(await file.arrayBuffer()));
      const { id: own }: DraftView = JSON.parse(text);
      await expect.poll(async () => (await readDraft(session, own)).state, POLL).toBe("ready");
      return await readDraft(session, own);
    };
    const [all, errors] = [await again("taslak.xlsx"), await again("hatalar.xlsx")];

    expect([all.counts?.rows, errors.counts?.rows]).toEqual([3, counts?.errors]);
    const advice = errors.columns?.columns.find(({ header }) => header === "Öneri");
    expect(advice?.samples.length).toBeGreaterThan(0);
    expect(advice?.samples.join("\n")).not.toMatch(/--|catalog /u);
  });
});
