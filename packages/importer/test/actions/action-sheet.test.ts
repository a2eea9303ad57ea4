import type { RowRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import {
  type ActionReading,
  findSheetColumns,
  findSheetKind,
  surveySheet,
  toActionCandidate,
} from "../../src/actions/action-sheet.ts";

type Row = Parameters<typeof toActionCandidate>[1];

const open = (
  kind: ActionReading["kind"],
  header: readonly string[],
  more: Partial<ActionReading> = {},
): ActionReading => {
  const { columns } = findSheetColumns(kind, header);
  return { kind, columns, header, sheet: "S", ...more };
};

const row = (
  cells: readonly RowRecord["cells"][number][],
  traits: NonNullable<Row["traits"]> = {},
): Row => ({ row: 2, cells, traits });

const codesOf = (reading: ActionReading, one: Row): readonly string[] =>
  toActionCandidate(reading, one).issues.map(({ code, cell }) => `${code} ${cell}`);

describe("a header row", () => {
  it.each([
    [["Soru", "Soru ID"], "answers"],
    [["Sipariş Kodu", "Paket ID"], "packages"],
    [["Şablon Adı", "Şablon ID"], "templates"],
    [["Template Name", "Template ID"], "templates"],
    [["product_code", "title", "shipping_template_id"], undefined],
    [["Ürün Kodu", "Ürün Adı", "Şablon Adı"], undefined],
  ])("%j is that of %s", (header, kind) => {
    expect(findSheetKind(header)).toBe(kind);
  });
});

describe("an answer", () => {
  const answers = open("answers", ["Question ID", "Answer", "Answer Title"]);

  it.each<
    [
      name: string,
      cell: RowRecord["cells"][number],
      trait: "formula" | "error" | "date" | undefined,
      code: string | undefined,
    ]
  >([
    ["a text", "Evet", undefined, undefined],
    ["a formula", "Evet", "formula", "E_ACTION_FORMULA B2"],
    ["a formula without a result", null, "formula", "E_ACTION_ERROR B2"],
    ["an error", "#REF!", "error", "E_ACTION_ERROR B2"],
    ["a date", "2026-01-02", "date", "E_ACTION_NOT_TEXT B2"],
    ["a number", 12, undefined, "E_ACTION_NOT_TEXT B2"],
    ["no", false, undefined, "E_ACTION_NOT_TEXT B2"],
    ["blanks around it", " Evet ", undefined, "W_ACTION_TRIMMED B2"],
    ["line breaks of Windows", "a\r\nb", undefined, undefined],
  ])("of %s", (_, cell, trait, code) => {
    const traits = trait === undefined ? {} : { 1: trait };

    expect(codesOf(answers, row(["q1", cell], traits))).toEqual(code === undefined ? [] : [code]);
  });

  it("is sent without blanks around it and with plain line breaks", () => {
    const { call } = toActionCandidate(answers, row(["q1", "  a\r\n b \n", "T"]));

    expect(call).toEqual({ product_question_id: "q1", title: "T", message: "a\n b" });
  });

  it("that lacks its text is none, whatever its title", () => {
    const { action, issues } = toActionCandidate(answers, row(["q1", null, "Başlık"]));

    expect([action, issues[0]?.code]).toEqual([null, "W_ACTION_TITLE_ALONE"]);
  });

  it("without a question is refused", () => {
    expect(codesOf(answers, row([null, "Evet"]))).toEqual(["E_ACTION_NO_SUBJECT A2"]);
  });
});

async function* packageRows(): AsyncGenerator<Row> {
  yield row(["p1", "Ertele", "Stok"]);
  yield row(["p1", "Ertele", ""]);
  yield row(["p2", "Ertele", ""]);
  yield row(["p3", "Onayla", ""]);
  yield row(["p4", "", ""]);
}

describe("a decision", () => {
  const header = ["Paket ID", "İşlem", "Gerekçe"];

  it.each<
    [
      name: string,
      cells: readonly string[],
      only: ActionReading["only"],
      action: string | null,
      codes: readonly string[],
    ]
  >([
    ["Onayla", ["p1", "onayla", ""], "accept", "accept", []],
    ["accept in English", ["p1", "ACCEPT", ""], "accept", "accept", []],
    ["another action", ["p1", "Ertele", "x"], "accept", null, []],
    ["nothing", ["p1", "", ""], "accept", null, []],
    ["an unknown word", ["p1", "Olur", ""], "accept", "accept", ["E_ACTION_WORD B2"]],
    [
      "no reason",
      ["p1", "İadeyi reddet", ""],
      "reject-return",
      "reject-return",
      ["E_ACTION_REASON C2"],
    ],
  ])("of %s", (...[, cells, only, action, codes]) => {
    const reading = open("packages", header, { only });

    expect(toActionCandidate(reading, row(cells)).action).toBe(action);
    expect(codesOf(reading, row(cells))).toEqual(codes);
  });

  it("takes its reason from another row of the package, then the one for all", async () => {
    const reading = open("packages", header, { only: "postpone", reason: "Genel" });
    const survey = await surveySheet(reading, packageRows());
    const how = { ...reading, reasons: survey.reasons };
    const bodies = (await Array.fromAsync(packageRows())).map(
      (one) => toActionCandidate(how, one).call,
    );

    expect([survey.rows, survey.asking, [...survey.others]]).toEqual([5, 3, [["accept", 1]]]);
    expect(bodies.slice(0, 3)).toEqual([
      { package_id: "p1", reason: "Stok" },
      { package_id: "p1", reason: "Stok" },
      { package_id: "p2", reason: "Genel" },
    ]);
  });

  it("of a list without the column holds for every package", () => {
    const reading = open("packages", ["Package ID"], { only: "accept" });

    expect(toActionCandidate(reading, row(["p1"]))).toMatchObject({ action: "accept", issues: [] });
  });
});

const companyOf = (how: ActionReading, cells: readonly string[]): unknown =>
  toActionCandidate(how, row(cells)).call?.["company_id"];

describe("a shipping code", () => {
  const header = ["Package ID", "Shipping Company", "Shipping Code"];
  const companies = [
    { id: "c1", name: "Örnek Kargo" },
    { id: "c2", name: "Hızlı" },
    { id: "c3", name: "Hızlı" },
  ];
  const reading = open("codes", header, { companies });
  it("is asked of the company of its row, by name or id", () => {
    expect(companyOf(reading, ["p1", "örnek kargo", ""])).toBe("c1");
    expect(companyOf(reading, ["p1", "c2", ""])).toBe("c2");
    expect(codesOf(reading, row(["p1", "Hızlı", ""]))).toEqual(["E_ACTION_COMPANY B2"]);
  });

  it("is not asked for where there is one, or no company", () => {
    expect(toActionCandidate(reading, row(["p1", "c1", "K1"])).action).toBeNull();
    expect(toActionCandidate(reading, row(["p1", "", ""])).action).toBeNull();
  });

  it("is asked of the company for all, whatever the row names", () => {
    const how = { ...reading, company: companies[0] };

    expect(companyOf(how, ["p1", "", ""])).toBe("c1");
    expect(companyOf(how, ["p1", "c2", "K1"])).toBeUndefined();
  });
});
