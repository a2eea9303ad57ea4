import type {
  CheckView,
  DraftView,
  ExportView,
  FeedView,
  LookupView,
  MadeFile,
  RulesView,
  SettingsView,
} from "@catalog/web";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { waitUntil } from "../../helpers/wait-until.ts";
import { uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { getBody, postBody } from "../../helpers/web/runs.ts";

interface Download {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface OpenPage {
  readonly session: WebSession;
  readonly download: (path: string) => Promise<Download>;
}

async function openPage(): Promise<OpenPage> {
  const breaks = { "unknown-path": "the check asks whether the address answers" };
  const page = await openWeb(await openTestStore({ products: 3, breaks }));
  const session = await page.openSession();
  return {
    session,
    download: async (path) => {
      const answer = await fetch(`${page.origin}/api${path}`, { headers: session.headers });
      expect(answer.status).toBe(200);
      const disposition = answer.headers.get("content-disposition") ?? "";
      const name = decodeURIComponent(disposition.split("UTF-8''")[1] ?? "");
      return { name, bytes: new Uint8Array(await answer.arrayBuffer()) };
    },
  };
}

const table = (category: string, brand: string): Uint8Array =>
  new TextEncoder().encode(
    `Ürün Kodu;Kategori;Marka;Model;Garanti Tipi;Para Birimi\nK-1;${category};${brand};;;\n`,
  );

const labelsOf = (found: readonly LookupView[]): readonly string[] =>
  found.map(({ label }) => label);

const isZip = ({ bytes }: Download): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

describe("the other work of the page", () => {
  it("exports products, and keeps the file until it is removed", async () => {
    const { session, download } = await openPage();
    const body = { kind: "products", format: "csv", filters: {}, columns: [] };

    const some = { ...body, columns: ["code", "stock"] };
    const { id: other, ...part } = await postBody<ExportView>(session, "/exports", some);
    await session.call("DELETE", `/exports/${other}`);
    const { id, state, ...whole } = await postBody<ExportView>(session, "/exports", body);
    let listed: readonly ExportView[] = [];
    await waitUntil(async () => {
      listed = await getBody<readonly ExportView[]>(session, "/exports");
      return listed[0]?.state !== "running";
    });
    const file = await download(`/exports/${id}/file`);
    const removed = await session.call("DELETE", `/exports/${id}`);
    const gone = await session.call("GET", `/exports/${id}/file`);

    expect(state).toBe("running");
    expect([whole.text, part.text]).toEqual(["Ürünler", "Ürünler · 2 sütun"]);
    expect(whole.name).toMatch(/^ürünler(?:-\d+){6}\D*\.csv$/u);
    expect(listed).toMatchObject([{ id, state: "done", rows: 3, problem: null }]);
    expect(new TextDecoder().decode(file.bytes).trim().split("\n")).toHaveLength(4);
    expect(file.name).toMatch(/\.csv$/u);
    expect([removed.status, gone.status]).toEqual([204, 404]);
  });

  it("keeps rules, hands them out as a file and takes them from one", async () => {
    const { session, download } = await openPage();
    const rule = { field: "brand", value: "Boş", target: "Bosch" };

    const added = await postBody<RulesView>(session, "/rules", rule);
    const file = await download("/rules/file");
    const { target: _, ...key } = rule;
    const removed = await postBody<RulesView>(session, "/rules/remove", key);
    const answer = await fetch(
      `${new URL(session.headers["origin"] ?? "").origin}/api/rules/file`,
      {
        method: "POST",
        headers: {
          ...session.headers,
          "content-type": "application/octet-stream",
          "x-file-name": "kurallar.xlsx",
        },
        body: Uint8Array.from(file.bytes),
      },
    );

    expect(added.names).toMatchObject([rule]);
    expect(file.name).toBe("kurallar.xlsx");
    expect(removed.names).toEqual([]);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ names: [rule] });
  });

  it("shares a rule with all stores, and takes it back", async () => {
    const { session } = await openPage();
    const rule = { field: "brand", value: "Boş", target: "Bosch" };
    await postBody<RulesView>(session, "/rules", rule);
    const what = { kind: "name", field: rule.field, value: rule.value };

    const shared = await postBody<RulesView>(session, "/rules/share", what);
    const again = await session.call("POST", "/rules/share", what);
    const own = await postBody<RulesView>(session, "/rules/unshare", what);

    expect(shared.names).toMatchObject([{ ...rule, isShared: true }]);
    expect(again.status).toBe(409);
    expect(own.names).toMatchObject([{ ...rule, isShared: false }]);
  });

  it("keeps price rules and costs from their sheets, and tries them on a file", async () => {
    const { session, download } = await openPage();
    const { origin } = new URL(session.headers["origin"] ?? "");
    const upload = async (path: string, text: string) => {
      const headers = { "content-type": "application/octet-stream", "x-file-name": "tablo.csv" };
      const answer = await fetch(`${origin}/api${path}`, {
        method: "POST",
        headers: { ...session.headers, ...headers },
        body: text,
      });
      return { status: answer.status, view: JSON.parse(await answer.text()) };
    };

    const { view: saved } = await upload(
      "/rules/prices/file",
      "No;Marka;Kâr ekle %;Yuvarlama\n1;Işıl;12;,90\n2;;10;tam\n",
    );
    const { status, view: refused } = await upload("/rules/prices/file", "No;Kâr ekle %\n1;x\n");
    const { view: costs } = await upload("/rules/costs/file", "Ürün Kodu;Maliyet\nA-1;200\n");
    const { view: tried } = await upload(
      "/rules/prices/try",
      "Ürün Kodu;Marka;Fiyat;Stok\nA-1;Işıl;112,40;5\n",
    );
    const file = await download("/rules/prices/file");
    const early = await session.call("POST", "/rules/prices/remove", { version: 0 });
    const removed = await postBody<RulesView>(session, "/rules/prices/remove", { version: 1 });
    await upload("/rules/prices/file", "No;Tedarikçi;Kaynak;Kâr ekle %\n1;tablo;Bayi;10\n");
    const ofSupplier = await upload("/rules/prices/try", "Ürün Kodu;Fiyat\nB-1;100\n");

    expect(saved.prices).toEqual({
      version: 1,
      isShared: false,
      costs: 0,
      rules: [
        { name: "R1", products: "marka Işıl", does: "+%12, ,90'a yuvarlanır" },
        { name: "R2", products: "her ürün", does: "+%10, tam sayıya yuvarlanır" },
      ],
    });
    expect([status, JSON.stringify(refused)]).toEqual([400, expect.stringContaining("B2 “x”")]);
    expect(costs.prices.costs).toBe(1);
    expect(tried).toMatchObject({ total: 1, ruled: 1, belowCost: 1 });
    expect(tried.rows).toMatchObject([
      {
        code: "A-1",
        before: "112,40 · stok 5",
        after: "125,90 · stok 5",
        rules: [
          "R1: +%12, ,90'a yuvarlandı: 112,40 → 125,90",
          expect.stringContaining("125,90 < maliyet 200,00"),
        ],
        isHeld: true,
      },
    ]);
    expect([file.name, isZip(file)]).toEqual(["fiyat-kurallari.xlsx", true]);
    expect(early).toMatchObject({ status: 409, body: { code: "E_RULES_CHANGED" } });
    expect(removed.prices).toMatchObject({ rules: [], version: 2 });
    expect(ofSupplier.view).toMatchObject({
      left: 1,
      notes: expect.arrayContaining([expect.stringContaining("R1 “Bayi” sütununu istiyor")]),
    });
  });

  it("makes a template, checks the installation, and lists settings and feeds", async () => {
    const { session, download } = await openPage();

    const { id, name } = await postBody<MadeFile>(session, "/templates", {
      kind: "stock-price",
      categories: [],
    });
    const template = await download(`/files/${id}/${name}`);
    const other = await session.call("GET", `/files/${id}/..%2Fpasswd`);
    const checks = await postBody<readonly CheckView[]>(session, "/settings/check", {});
    const settings = await getBody<SettingsView>(session, "/settings");
    const feeds = await getBody<readonly FeedView[]>(session, "/feeds");

    expect([name, isZip(template), other.status]).toEqual(["stok-fiyat.xlsx", true, 404]);
    expect(checks.length).toBeGreaterThan(3);
    expect(JSON.stringify(checks)).not.toMatch(/"fix":"[^"]*catalog /u);
    expect(settings.guards).toHaveLength(5);
    expect(feeds).toEqual([]);
  });

  it("keeps the limits that a person sets, and follows them in the next preview", async () => {
    const { session } = await openPage();
    const put = async (path: string, body: object): Promise<[number, string]> => {
      const { status, text } = await session.call("PUT", path, body);
      return [status, text];
    };
    const limits = { guards: { priceDropPercent: 5 }, callsPerHour: 5_000 };

    const [refused] = await put("/settings/limits", { ...limits, callsPerHour: 0 });
    const [saved] = await put("/settings/limits", limits);
    const [unit] = await put("/settings/price-unit", { unit: "minor" });
    const settings = await getBody<SettingsView>(session, "/settings");

    expect([refused, saved, unit]).toEqual([400, 200, 200]);
    expect(settings.guards[0]).toMatchObject({ value: 5, source: "saved" });
    expect(settings.callsPerHour).toEqual({ value: 5_000, source: "saved" });
    expect(settings.priceUnit).toEqual({ unit: "minor", source: "person" });
  });

  it("offers the values that the row's category and brand allow", async () => {
    const { session } = await openPage();
    const listed = await getBody<readonly LookupView[]>(session, "/lookup/categories?text=");
    const find = (draft: DraftView, column: number, text = ""): Promise<readonly LookupView[]> =>
      getBody(session, `/drafts/${draft.id}/lookup?column=${column}&row=2&text=${text}`);
    const empty = await uploadDraft(session, "bos.csv", table("", ""));
    const leaves = await find(empty, 1);
    const leaf = leaves[0]?.value ?? "";
    const brands = await find(await uploadDraft(session, "marka.csv", table(leaf, "")), 2);
    const brand = brands[0]?.value ?? "";
    const draft = await uploadDraft(session, "model.csv", table(leaf, brand));

    const models = await find(draft, 3);

    expect(listed.length).toBeLessThanOrEqual(20);
    expect(leaves.length).toBeGreaterThan(0);
    expect(leaves.every(({ label }) => label.split(" > ").length > 1)).toBe(true);
    expect(brands.length).toBeGreaterThan(0);
    expect(models.length).toBeGreaterThan(0);
    expect(models.every(({ label }) => label.startsWith(`${brand} › `))).toBe(true);
    expect(labelsOf(await find(draft, 4, "ithal"))).toEqual(["İthalatçı Garantili"]);
    expect(labelsOf(await find(draft, 5))).toEqual(["TL", "USD", "EUR"]);
  });

  it("downloads a draft as a workbook whose columns are mapped when it is uploaded", async () => {
    const { session, download } = await openPage();
    const text = "Ürün Kodu;Stok\nK-1;7\nK-2;beş\n";
    const draft = await uploadDraft(session, "stok.csv", new TextEncoder().encode(text));

    const whole = await download(`/drafts/${draft.id}/files/taslak.xlsx`);
    const errors = await download(`/drafts/${draft.id}/files/errors.xlsx`);
    const unknown = await session.call("GET", `/drafts/${draft.id}/files/other.xlsx`);
    const again = await uploadDraft(session, whole.name, whole.bytes);
    const failing = await uploadDraft(session, errors.name, errors.bytes);

    expect([whole.name, errors.name]).toEqual(["stok - taslak.xlsx", "stok - hatalar.xlsx"]);
    expect(unknown).toMatchObject({ status: 404, body: { code: "E_FILE_GONE" } });
    expect([again.state, failing.state]).toEqual(["ready", "ready"]);
    expect(again.counts).toMatchObject({ rows: 2, errors: 1 });
    expect(failing.counts).toMatchObject({ rows: 1, errors: 1 });
  });
});
