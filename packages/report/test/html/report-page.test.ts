import { hash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import {
  createIssue,
  createTestConnection,
  type StoredRow,
  type StoredRun,
  storeRun,
  type TestConnection,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import type { PageRow } from "../../src/html/page-parts.ts";
import { PAGE_LIMITS, type PageLimits } from "../../src/html/page-texts.ts";
import { writeReportPage } from "../../src/html/report-page.ts";
import { reportedRows } from "../../src/testing/reported-rows.ts";
import { factsOf } from "../helpers/facts.ts";
import { named, type PageElement, readPage } from "../helpers/read-page.ts";

const HOSTILE = [
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  `"quoted' & <b>bold</b>`,
  "abc\u202Edef",
  "عربي 🥄 \u2028 line",
  "<!-- <script>",
];

const ROWS: readonly StoredRow[] = [
  ...HOSTILE.map((code): StoredRow => ({
    cells: [code, 5, "x".repeat(200)],
    state: "invalid",
    issues: [createIssue({ message: { tr: `“${code}” olmaz.`, en: `No “${code}”.` } })],
  })),
  {
    cells: ["KOD-9", 12.5],
    changes: [{ field: "price", old: 1000, new: 1250 }],
    outcome: { to: "done", cause: "answer", productId: idSchemas.product.parse("p-9") },
  },
];

interface PageOptions extends Partial<StoredRun> {
  readonly calls?: Parameters<TestConnection["connection"]["meters"]["callLog"]["add"]>[1];
  readonly limits?: PageLimits;
}

async function makePage({ calls = [], limits = PAGE_LIMITS, ...changes }: PageOptions = {}) {
  const { connection, folder } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Kod", "Fiyat"], rows: ROWS, ...changes });
  await connection.meters.callLog.add(run.id, calls);
  const path = join(folder, "report.html");
  mkdirSync(folder, { recursive: true });
  await writeReportPage(connection, run, { path, limits, rows: reportedRows(connection, run) });
  const html = readFileSync(path, "utf8");
  await writeReportPage(connection, run, { path, limits, rows: reportedRows(connection, run) });
  return { html, again: readFileSync(path, "utf8"), page: readPage(html) };
}

const rowsOf = (page: readonly PageElement[]): readonly PageRow[] => {
  const data = page.find(({ attributes }) => attributes["id"] === "data");
  const { rows }: { readonly rows: readonly PageRow[] } = JSON.parse(data?.text ?? "");
  return rows;
};

const sha = (text = ""): string => `'sha256-${hash("sha256", text, "base64")}'`;

describe("writeReportPage", () => {
  it("shows every row with its code as it stands in the sheet", async () => {
    const { page } = await makePage();

    const rows = rowsOf(page);

    expect(rows.map(([row]) => row)).toEqual(ROWS.map((_, index) => index + 2));
    expect(rows.map(([, code]) => code)).toEqual([...HOSTILE, "KOD-9"]);
  });

  it("shows of very many rows the first ones, then those with a problem, and says so", async () => {
    const done = { cells: ["KOD-9", 1], outcome: { to: "done", cause: "answer" } } as const;
    const wrong = { cells: ["KOD-8", 1], state: "invalid", issues: [createIssue({})] } as const;
    const rows: readonly StoredRow[] = [done, done, wrong, done, wrong, done, wrong, wrong];

    const { html, page } = await makePage({ rows, lang: "en", limits: { rows: 2, problems: 3 } });

    expect(rowsOf(page).map(([row]) => row)).toEqual([2, 3, 4, 6, 8]);
    expect(html).toContain(
      "This page has the first 2 of 8 rows and 3 of the later ones that need a look; all of them are in result.xlsx.",
    );
    expect(html).toContain(String(rows.length));
  });

  it("does not speak of omitted rows where there are none", async () => {
    const { html } = await makePage({ lang: "en", limits: { rows: ROWS.length, problems: 0 } });

    expect(html).not.toContain("This page has the first");
  });

  it("shows the biggest changes of every field but prices, with their old and new values", async () => {
    const done = { to: "done", cause: "answer" } as const;
    const rows: readonly StoredRow[] = [
      { cells: ["A"], changes: [{ field: "price", old: 1000, new: 1250 }], outcome: done },
      { cells: ["B"], changes: [{ field: "stock_count", old: 40, new: 0 }], outcome: done },
      {
        cells: ["C"],
        changes: [{ field: "title", old: "Lale Fincan", new: "<b>Beden</b>" }],
        outcome: done,
      },
      { cells: ["D"], state: "held", changes: [{ field: "title", old: "Lale Kase", new: "Lale" }] },
    ];

    const { html, again, page } = await makePage({ rows, lang: "en" });

    const [section = ""] =
      /<section class="blocks" aria-labelledby="others-title">.*?<\/section>/su.exec(html) ?? [];
    const lines = named(readPage(`<table>${section}</table>`), "tr").map(({ text }) => text);
    expect(lines.slice(1)).toEqual([
      "B3Stock400Updated",
      "C4TitleLale Fincan<b>Beden</b>Updated",
      "D5TitleLale KaseLaleHeld",
    ]);
    expect(section).toContain("Stock (1), Title (2)");
    expect(named(page, "b")).toEqual([]);
    expect(again).toBe(html);
  });

  it("does not speak of other fields where prices alone change", async () => {
    const { html } = await makePage();

    expect(html).not.toContain('id="others-title"');
  });

  it("lets no cell become an element", async () => {
    const { page } = await makePage({
      file: {
        path: "/x",
        name: HOSTILE.join(" "),
        sha256: "0",
        kind: "csv",
        sheet: "",
        headerRow: 1,
        header: HOSTILE,
      },
      warnings: HOSTILE.map((text) => ({ code: "W_X", message: { tr: text, en: text } })),
    });

    expect(named(page, "script")).toHaveLength(2);
    expect(named(page, "img")).toEqual([]);
    expect(named(page, "b")).toEqual([]);
    const handlers = page.flatMap(({ attributes }) => Object.keys(attributes));
    expect(handlers.filter((name) => name.startsWith("on") || name === "style")).toEqual([]);
    expect(named(page, "bdi").map(({ text }) => text)).toEqual(expect.arrayContaining(HOSTILE));
  });

  it("allows only its own style and script", async () => {
    const { page } = await makePage();

    const policy = named(page, "meta").find(
      ({ attributes }) => attributes["http-equiv"] === "Content-Security-Policy",
    )?.attributes["content"];

    const [style] = named(page, "style");
    const script = named(page, "script").find(({ attributes }) => attributes["type"] === undefined);
    expect(policy?.split("; ")).toEqual([
      "default-src 'none'",
      `style-src ${sha(style?.text)}`,
      `script-src ${sha(script?.text)}`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    const addresses = page.flatMap(({ attributes: { href = "#", src = "#" } }) => [href, src]);
    expect(addresses.filter((address) => !/^(?:#|data:,)/u.test(address))).toEqual([]);
  });

  it("is the same when it is made again", async () => {
    const { html, again } = await makePage();

    expect(again).toBe(html);
  });

  it.each([
    ["tr", "İçe aktarma raporu", "Hatalı"],
    ["en", "Import report", "Invalid"],
  ] as const)("is written in %s and states its language", async (lang, title, word) => {
    const { page } = await makePage({ lang });

    expect(named(page, "html")[0]?.attributes["lang"]).toBe(lang);
    expect(named(page, "h1").map(({ text }) => text)).toEqual([title]);
    expect(named(page, "option").map(({ text }) => text)).toContain(word);
    expect(
      named(page, "bdi")
        .map(({ text }) => text)
        .join(),
    ).toContain(lang === "tr" ? "olmaz." : "No “");
  });

  it("counts as rows to decide on one by one only held rows that the file cannot approve", async () => {
    const codes = ["E_GUARD_PRICE_DROP", "E_CHANGED", "E_CODE_SUSPECT", "E_OUTCOME_UNKNOWN"];
    const held = codes.map((code): StoredRow => {
      return { cells: [code, 5], state: "held", issues: [createIssue({ code })] };
    });
    const { html } = await makePage({ rows: [...ROWS, ...held] });

    expect(html).toContain("bekleyen 3 satırın Onay hücresine");
    expect(html).toContain("<li>1 satır, ürünü mağazada olabileceği");
  });

  it("shows the old price that was read, once its unit is known", async () => {
    const { connection, folder } = await createTestConnection();
    const changes = [{ field: "price", old: undefined, new: 1_500 }];
    const cells = ["A-1", 15];
    const rows: readonly StoredRow[] = [{ cells, action: "update", changes }];
    const run = await storeRun(connection, { header: ["Kod", "Fiyat"], rows });
    const product = { id: idSchemas.product.parse("p-1"), product_code: "A-1", price: 12.5 };
    await connection.verificationLog.saveBefore(run.id, [{ row: 2, product }]);
    const facts = factsOf({ priceUnit: "major" });
    const path = join(folder, "report.html");
    mkdirSync(folder, { recursive: true });

    const asked = { path, limits: PAGE_LIMITS, rows: reportedRows(connection, run) };
    await writeReportPage(connection, { ...run, facts }, asked);

    const html = readFileSync(path, "utf8");
    expect(html).toContain("1 ürünün fiyatı eskisine göre değişiyor.");
    expect(html).toContain("12,50");
  });

  it("has headings and labels for screen readers", async () => {
    const { page } = await makePage();
    const ids = new Set(page.map(({ attributes }) => attributes["id"]));

    expect(["header", "main", "nav", "footer"].map((name) => named(page, name).length)).toEqual([
      1, 1, 1, 1,
    ]);
    expect(named(page, "th").every(({ attributes }) => attributes["scope"])).toBe(true);
    const labels = named(page, "label").map(({ attributes }) => attributes["for"]);
    expect(labels).toEqual(["query", "class"]);
    const references = page.flatMap(({ attributes }) => attributes["aria-labelledby"] ?? []);
    expect(references.every((id) => ids.has(id))).toBe(true);
    expect(page.find(({ attributes }) => attributes["role"] === "status")).toBeDefined();
  });

  it("counts the rows of each class, and names only classes that have rows", async () => {
    const { page } = await makePage({ lang: "en" });

    const names = named(page, "dt").map(({ text }) => text);
    const values = named(page, "dd").map(({ text }) => text);
    expect([names[4], values[4]]).toEqual(["In Store", "Accepted, not looked at: 1"]);
    const totals = names.map((name, index) => [name, values[index]]).slice(5);

    expect(totals).toEqual([
      ["All rows", "7"],
      ["Updated", "1"],
      ["Invalid", "6"],
    ]);
  });

  it("states how long added products took to appear, where any did", async () => {
    const { connection, folder, clock } = await createTestConnection();
    const sent: StoredRow = {
      cells: ["KOD-9", 12.5],
      action: "add",
      outcome: { to: "done", cause: "answer", productId: idSchemas.product.parse("p-9") },
    };
    const run = await storeRun(connection, { header: ["Kod", "Fiyat"], rows: [sent], lang: "tr" });
    await clock.advance(2_340);
    const seen = { row: 2, status: "visible", looks: 1, fields: [] } as const;
    await connection.verificationLog.saveVerifications(run.id, [seen]);
    const path = join(folder, "report.html");

    await writeReportPage(connection, run, { path, rows: reportedRows(connection, run) });

    expect(named(readPage(readFileSync(path, "utf8")), "dd").map(({ text }) => text)).toContain(
      "Mağazada görülen 1 ürün, eklendikten sonra 2,4 sn içinde göründü",
    );
  });

  it("shows prices as blocks on a narrow screen, each cell with the name of its column", async () => {
    const { html, page } = await makePage({ lang: "en" });

    const cells = named(page, "td").map(({ attributes, text }) => [attributes["data-name"], text]);
    expect(cells).toEqual(
      expect.arrayContaining([
        ["Old price", "10.00"],
        ["New price", "12.50"],
        ["Result", "Updated"],
      ]),
    );
    const [, narrow = ""] = html.split("@media (max-width: 40rem)");
    expect(narrow).toContain(".blocks tr");
    expect(html).toContain('class="blocks" aria-labelledby="prices-title"');
  });

  it("shows the price section only where a price changes", async () => {
    const { page } = await makePage();
    const without = await makePage({ rows: ROWS.slice(0, 1) });

    expect(named(page, "svg")).toHaveLength(1);
    expect(named(page, "circle")).toHaveLength(1);
    expect(named(page, "td").map(({ text }) => text)).toEqual(
      expect.arrayContaining(["10,00", "12,50", "+%25"]),
    );
    expect(named(without.page, "svg")).toEqual([]);
  });

  it("states how many calls were made, and which limit held", async () => {
    const calls = [{ minute: 30_000_000, calls: 12, perHour: null }];

    const { html, again, page } = await makePage({ rows: ROWS.slice(0, 1), calls });

    expect(named(page, "svg")).toEqual([]);
    expect(named(page, "p").map(({ text }) => text)).toContain(
      "12 istek yapıldı; en yoğun 60 dakikada 12 istek. Bilinen bir saatlik sınır yoktu.",
    );
    expect(again).toBe(html);
  });
});
