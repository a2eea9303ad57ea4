import { EMPTY_SUMMARY } from "@catalog/report";
import type { RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import {
  formatIssue,
  formatPlan,
  formatProblems,
  formatResult,
  type Problems,
} from "../src/report-texts.ts";
import { textsFor } from "../src/texts.ts";
import { createCounts, createFileIssue, createRun, createSummary } from "./helpers/run-parts.ts";

const SUGGESTED = createFileIssue({
  code: "E_BRAND_UNKNOWN",
  cell: "E12",
  message: {
    tr: "“Çinar” adlı bir marka bu kategoride yok; marka adları kategori kategori listelenir.",
    en: "No brand of this category is named “Çinar”; brands are listed category by category.",
  },
  suggestion: { tr: "“Çınar” mı demek istediniz?", en: "Did you mean “Çınar”?" },
});

const WARNING = createFileIssue({
  code: "W_NOT_COMPARABLE",
  row: 14,
  cell: "",
  message: { tr: "Karşılaştırılamadı.", en: "Not compared." },
});

type PlanView = Parameters<typeof formatPlan>[1];

const { facts } = createRun();
/** A plan of nothing. */
const EMPTY = { facts: facts && { ...facts, planned: EMPTY_SUMMARY.planned } };

describe("formatPlan", () => {
  it("states in Turkish the source of the rows and the decisions", () => {
    expect(formatPlan(createRun(), { rows: 1206, storeName: "https://pazar.example" }))
      .toMatchInlineSnapshot(`
        "Dosya       urunler.xlsx · "Ürünler" sayfası · 1.206 satır
        Mağaza      https://pazar.example
        Çalıştırma  r-261121-0930-4f2a
        Plan        1.200 eklenecek, 0 güncellenecek, 6 hatalı
        İstek       plan için 4 istek yapıldı; göndermek için en az 1.200 istek daha (1.200 yazma, 0 okuma), ≈ 1 sa 13 dk
        "
      `);
  });

  it("tells what sending takes only where something is left to send", () => {
    const view = { rows: 1, storeName: "m" };
    const [planned, finished] = (["planned", "finished"] as const).map((state) =>
      formatPlan(createRun({ lang: "en", state }), view),
    );

    expect(planned).toContain("Calls");
    expect(finished).not.toContain("Calls");
  });

  it("says how many rows of a sync's file are stored, and what they are", () => {
    const run = createRun({ lang: "en" });
    const first = (stored: number): string =>
      formatPlan(run, { rows: 120, stored, storeName: "m" }).split("\n")[0] ?? "";

    expect(first(4)).toMatch(/ 120 rows, 4 of them kept: what was sent, held or wrong$/u);
    expect(first(0)).toMatch(/ 120 rows; none was sent, held or wrong$/u);
    expect(first(120)).toMatch(/ 120 rows$/u);
  });

  it("writes it in English", () => {
    const run = createRun({ lang: "en" });

    expect(formatPlan(run, { rows: 1206, storeName: "https://pazar.example" }))
      .toMatchInlineSnapshot(`
        "File        urunler.xlsx · sheet "Ürünler" · 1,206 rows
        Store       https://pazar.example
        Run         r-261121-0930-4f2a
        Plan        1,200 to add, 0 to update, 6 invalid
        Calls       4 made for the plan; at least 1,200 more to send it (1,200 writes, 0 reads), ≈ 1 h 13 min
        "
      `);
  });

  it.each<[string, Partial<RunRecord>, Partial<PlanView>, string]>([
    [
      "states the hourly limit of calls when it is known",
      {},
      { callsPerHour: 600 },
      "1 sa 13 dk, saatte en çok 600 istek\n",
    ],
    [
      "names no sheet of a CSV file",
      { file: { ...createRun().file, kind: "csv", name: "a.csv", sheet: "a.csv" } },
      {},
      "Dosya       a.csv · 5 satır\n",
    ],
    [
      "names empty classes only for adds and updates",
      EMPTY,
      {},
      "Plan        0 eklenecek, 0 güncellenecek\n",
    ],
    [
      "states no calls of a plan that sends nothing",
      EMPTY,
      {},
      "İstek       plan için 4 istek yapıldı; gönderilecek bir şey yok\n",
    ],
    [
      "counts the calls made for the plan only while nothing else was called",
      { state: "stopped" },
      {},
      "İstek       göndermek için en az 1.200 istek (1.200 yazma, 0 okuma)",
    ],
    [
      "names the run that is undone in place of a file",
      { lang: "en", progress: { undoOf: "r-1" } },
      {},
      "File        undo of r-1",
    ],
  ])("%s", (_, run, view, expected) => {
    expect(formatPlan(createRun(run), { rows: 5, storeName: "m", ...view })).toContain(expected);
  });

  it("leaves out the counts while the run is not planned", () => {
    const text = formatPlan(createRun({ facts: null }), { rows: 5, storeName: "m" });

    expect(text).not.toMatch(/İstek|undefined|NaN/u);
  });
});

describe("formatProblems", () => {
  const problems: Problems = {
    kind: "fix",
    rows: 3,
    issues: [createFileIssue(), SUGGESTED, WARNING],
    more: 1180,
  };

  it("lists them in Turkish within 80 columns", () => {
    const text = formatProblems(problems, "tr", { outColumns: 80 });

    expect(text).toMatchInlineSnapshot(`
      "
      Düzeltilecek 3 satır
        ✗ H3     “on iki” bir sayı değil.
        ✗ E12    “Çinar” adlı bir marka bu kategoride yok; marka adları kategori
                 kategori listelenir.
                 → “Çınar” mı demek istediniz?
        ! 14     Karşılaştırılamadı.
        … ve 1.180 sorun daha; hepsi sonuç dosyasında.
      "
    `);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("gives the same advice once, however many rows wait, and their reasons each", () => {
    const suggestion = { tr: "--price-unit verin.", en: "Give --price-unit." };
    const waiting = createFileIssue({ code: "E_GUARD_PRICE_UNIT", suggestion });
    const issues = [waiting, SUGGESTED, waiting];
    const text = formatProblems({ ...problems, kind: "wait", issues }, "en");

    expect(text.split("Give --price-unit.")).toHaveLength(2);
    expect(text.split("on iki")).toHaveLength(3);
  });

  it("keeps the advice of every cell that is to be corrected", () => {
    const text = formatProblems({ ...problems, issues: [SUGGESTED, SUGGESTED] }, "en");

    expect(text.split("Did you mean")).toHaveLength(3);
  });

  it("lists them in English within 80 columns", () => {
    const text = formatProblems(problems, "en", { outColumns: 80 });

    expect(text).toMatchInlineSnapshot(`
      "
      3 rows to correct
        ✗ H3     “on iki” is not a number.
        ✗ E12    No brand of this category is named “Çinar”; brands are listed
                 category by category.
                 → Did you mean “Çınar”?
        ! 14     Not compared.
        … and 1,180 more; all of them are in the result file.
      "
    `);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    ["is empty without problems", "fix", 0, ""],
    ["counts no more than are shown", "fix", 1, "\n1 row to correct\n"],
    ["does not ask to correct rows that wait for a decision", "wait", 2, "\n2 rows "],
  ] as const)("%s", (_, kind, rows, heading) => {
    const issues = rows === 0 ? [] : [createFileIssue()];
    const issue = rows === 0 ? "" : "  ✗ H3     “on iki” is not a number.\n";

    const text = formatProblems({ kind, rows, issues, more: 0 }, "en");

    expect([text.slice(0, heading.length), text.slice(text.length - issue.length)]).toEqual([
      heading,
      issue,
    ]);
    expect(text.includes("to correct")).toBe(kind === "fix" && rows > 0);
  });
});

describe("formatIssue", () => {
  it("begins with the address, or with the row where there is none", () => {
    expect(formatIssue(createFileIssue(), "en")).toMatch(/^ {2}✗ H3 /u);
    expect(formatIssue(WARNING, "en")).toMatch(/^ {2}! 14 /u);
  });

  it("names further rows, and their values where they differ", () => {
    const others = [createFileIssue({ cell: "H4" }), createFileIssue({ cell: "H9", value: "var" })];
    const issue = { ...createFileIssue(), others };

    expect(formatIssue({ ...issue, sameRows: 3 }, "tr")).toBe(
      "  ✗ H3     “on iki” bir sayı değil. (3 satırda; ayrıca H4, H9 “var”)\n",
    );
    expect(formatIssue({ ...issue, sameRows: 4 }, "en")).toContain(
      "(on 4 rows; also H4, H9 “var”, …)",
    );
  });

  it("does not wrap a line when no width is given", () => {
    expect(formatIssue(SUGGESTED, "tr").split("\n")).toHaveLength(3);
  });
});

describe("formatResult", () => {
  const summary = createSummary({
    counts: createCounts({ added: 1200, updated: 3, invalid: 6, held: 1 }),
    requests: { total: 1250, token: 2, read: 45, write: 1203 },
    files: {
      dir: "catalog-results/r-1",
      result: "catalog-results/r-1/result.xlsx",
      failed: "catalog-results/r-1/failed.xlsx",
      held: "catalog-results/r-1/held.xlsx",
      plan: "catalog-results/r-1/plan.xlsx",
      page: "catalog-results/r-1/report.html",
      summary: "catalog-results/r-1/summary.json",
    },
  });

  it("states in Turkish the outcome of the rows", () => {
    expect(formatResult(summary, "tr")).toMatchInlineSnapshot(`
      "
      Sonuç       1.200 eklendi, 3 güncellendi, 6 hatalı, 1 bekletildi
      İstek       toplam 1.250 istek (2 oturum, 45 okuma, 1.203 yazma)
      Dosyalar    catalog-results/r-1/result.xlsx
                  catalog-results/r-1/plan.xlsx
                  catalog-results/r-1/report.html
                  catalog-results/r-1/failed.xlsx
                  catalog-results/r-1/held.xlsx
      "
    `);
  });

  it("writes it in English", () => {
    expect(formatResult(summary, "en")).toMatchInlineSnapshot(`
      "
      Result      1,200 added, 3 updated, 6 invalid, 1 held
      Calls       1,250 in all (2 logins, 45 reads, 1,203 writes)
      Files       catalog-results/r-1/result.xlsx
                  catalog-results/r-1/plan.xlsx
                  catalog-results/r-1/report.html
                  catalog-results/r-1/failed.xlsx
                  catalog-results/r-1/held.xlsx
      "
    `);
  });

  it("names only the classes that have rows", () => {
    const all = createCounts({
      added: 1,
      updated: 2,
      unchanged: 3,
      skipped: 4,
      invalid: 5,
      duplicate: 6,
      rejected: 7,
      held: 8,
      unknown: 9,
      cancelled: 10,
      pending: 11,
    });
    const [, line = ""] = formatResult(createSummary({ counts: all }), "en").split("\n");

    expect(line.match(/\d+/gu)).toEqual(Array.from({ length: 11 }, (_, index) => `${index + 1}`));
    expect(formatResult(createSummary(), "en")).toContain("Result      0 rows\n");
  });

  it("counts the rows of a decision apart, unless they are all", () => {
    const decided = createCounts({ added: 2, cancelled: 1 });
    const text = formatResult(summary, "tr", { decided });

    expect(text).toContain("Şimdi       2 eklendi, 1 satırdan vazgeçildi\n");
    expect(text).toMatch(/^Toplam {6}1\.200 eklendi, .* \(çalıştırmanın tümü\)$/mu);
    for (const whole of [summary.counts, createCounts({})]) {
      expect(formatResult(summary, "tr", { decided: whole })).toBe(formatResult(summary, "tr"));
    }
  });

  it("lists no file that was not written", () => {
    const { files } = summary;
    const text = formatResult(
      { ...summary, files: { ...files, failed: null, held: null, plan: null } },
      "en",
    );

    expect(text).toContain("result.xlsx");
    expect(text).not.toContain("null");
    expect(text.trim().split("\n")).toHaveLength(4);
  });
});

describe("an issue that a rule resolves", () => {
  const command = 'catalog rules add category "Towels" "…"';
  const rule = { tr: command, en: command };
  const list = "catalog lookup categories";

  it("tells in which place to write the name, and where to find it", () => {
    const text = formatIssue({ ...SUGGESTED, sameRows: 3, rule, list }, "tr");

    expect(text).toContain(`→ Hepsi için bir kez: ${command}\n`);
    expect(text).toContain(`→ “…” yerine mağazadaki adı yazın; adların listesi: ${list}\n`);
  });

  it("has the rule for a single row too", () => {
    expect(formatIssue({ ...SUGGESTED, sameRows: 1, rule }, "tr")).toContain(
      `→ Ya da sonraki dosyalarda da geçerli bir kuralla: ${command}\n`,
    );
  });
});

it("wraps the advice of an issue as the terminal shows it", () => {
  const path = `/home/a/${"x".repeat(60)}/held.xlsx`;
  const advice = `Karar verin: catalog release r-1 --approved ${path}`;
  const issue = createFileIssue({ suggestion: { tr: advice, en: advice } });
  const shown = (text: string): string => text.replaceAll(path, "held.xlsx");

  const text = formatIssue(issue, "tr", { shown, outColumns: 80 });

  expect(text).toContain("→ Karar verin: catalog release r-1 --approved held.xlsx\n");
});

/** What the texts take that do not take numbers alone. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  sent: [{ total: 9, token: 1, read: 3, write: 5 }],
  rate: [7, "send"],
  withUnit: ["7", "store"],
  requests: [{ made: 7, reads: 7, writes: 7, seconds: 7, perHour: 7 }],
};

/** Every text of a language by the path of its key, with placeholders filled in. */
function everyText(texts: object, path = ""): (readonly [string, unknown])[] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) => {
    const name = `${path}${key}`;
    if (typeof text === "object" && text !== null) return everyText(text, `${name}.`);
    if (typeof text !== "function") return [[name, text] as const];
    const filled: unknown = text(...(ARGUMENTS[name] ?? [7, 7]));
    return [[name, filled] as const];
  });
}

const turkish = everyText(textsFor("tr"));
const english = everyText(textsFor("en"));

describe("the texts", () => {
  it("have the same keys in both languages", () => {
    expect(turkish.map(([name]) => name)).toEqual(english.map(([name]) => name));
    expect(turkish.length).toBeGreaterThan(50);
  });

  it("hold only texts", () => {
    const broken = [...turkish, ...english].filter(([, text]) =>
      /undefined|NaN|\[object/u.test(String(text)),
    );

    expect(broken).toEqual([]);
  });

  it("write numbers as each language does", () => {
    expect(textsFor("tr").rows(12_345)).toBe("12.345 satır");
    expect(textsFor("en").rows(12_345)).toBe("12,345 rows");
    expect(textsFor("tr").rate(12.345, "send")).toBe("12,3 satır/sn");
    expect(textsFor("en").rate(12.345, "send")).toBe("12.3 rows/s");
  });

  it("count one row as one in English", () => {
    const { rows, problems } = textsFor("en");

    expect([rows(1), rows(2), problems.fix(1), problems.fix(2)]).toEqual([
      "1 row",
      "2 rows",
      "1 row to correct",
      "2 rows to correct",
    ]);
  });

  it.each([
    [0, "0 sn", "0 s"],
    [119, "119 sn", "119 s"],
    [120, "2 dk", "2 min"],
    [121, "3 dk", "3 min"],
    [3599, "60 dk", "60 min"],
    [3600, "1 sa 0 dk", "1 h 0 min"],
    [5401, "1 sa 31 dk", "1 h 31 min"],
    [7199, "2 sa 0 dk", "2 h 0 min"],
  ])("write %d seconds as %s and %s", (seconds, tr, en) => {
    expect(textsFor("tr").remaining(seconds)).toBe(`kalan ${tr}`);
    expect(textsFor("en").remaining(seconds)).toBe(`${en} left`);
  });
});
