import { FIELDS, ISSUE_CODES } from "@catalog/mapping";
import { UNCHANGED_CODE } from "@catalog/report";
import { describe, expect, it } from "vitest";

import { saveDefaultValue } from "../../src/columns/column-profiles.ts";
import type { LiveDraft } from "../../src/drafts/drafts.ts";
import { labelOf } from "../../src/drafts/stored-draft.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

const CODES = [
  ...ISSUE_CODES,
  UNCHANGED_CODE,
  "E_CODE_DUPLICATE",
  "E_COLUMN_COUNT",
  "E_ID_CODE_MISMATCH",
  "E_CODE_ABSENT",
  "W_ROW_LEFT_OUT",
  "W_UNPUBLISHED_ROWS",
];
const MAX_CHARS = 40;

const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, at) => texts.indexOf(text) !== at);

describe.each(["tr", "en"] as const)("labelOf in %s", (lang) => {
  it("has a label of its own for each kind of issue", () => {
    const unknown = ["E_NONE", "W_NONE"].map((code) => labelOf(code)[lang]);
    const labels = CODES.map((code) => labelOf(code)[lang]);

    expect(repeated([...unknown, ...labels])).toEqual([]);
  });

  it("has labels that fit on a button", () => {
    const long = CODES.map((code) => labelOf(code)[lang]).filter(
      (label) => label.length > MAX_CHARS,
    );

    expect(long).toEqual([]);
  });
});

const SHEET = "Ürün Kodu;Stok\nKOD-1;8\nYOK-1;9\n";

const ALL_BUT_TEMPLATE = FIELDS.filter(
  ({ key, requiredForAdd }) => requiredForAdd && key !== "shipping_template",
).map(({ header }) => header.tr);

const codesOf = async (draft: LiveDraft): Promise<readonly (readonly string[])[]> =>
  (await draft.rows([2, 3])).map(({ issues }) => issues.map(({ code }) => code));

describe("a code that the store does not show", () => {
  it("is said at its cell where the store was listed and the file can add no product", async () => {
    const { draft, planText } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\nKOD-2;7\nKOD-3;7\n");

    const live = await draft(SHEET);

    expect(await codesOf(live)).toEqual([[], ["E_CODE_ABSENT"]]);
    expect((await live.rows([3]))[0]?.issues[0]).toMatchObject({ column: 0, severity: "error" });
  });

  it("is not said of a store that was never read", async () => {
    const { draft } = await openDraftStore();

    const live = await draft(SHEET);

    expect(await codesOf(live)).toEqual([[], []]);
  });

  it("goes away with a code that the store shows", async () => {
    const { draft, planText } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\n");
    const live = await draft(SHEET);

    await live.edit({ version: 1 }, [{ row: 3, column: 0, value: "KOD-2" }]);

    expect(await codesOf(live)).toEqual([[], []]);
  });

  it("is not said where the store's defaults make it a new product", async () => {
    const { draft, planText, connection } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\n");
    const text = `${ALL_BUT_TEMPLATE.join(";")}\nYOK-1${";".repeat(ALL_BUT_TEMPLATE.length - 1)}\n`;
    const { profiles } = connection.memory;

    const before = await draft(text, "once.csv");
    await saveDefaultValue(profiles, { field: "shipping_template", value: "Standart" });
    const after = await draft(text, "sonra.csv");

    const [one, other] = await Promise.all(
      [before, after].map(async (live) =>
        (await live.rows([2])).flatMap(({ issues }) => issues.map(({ code }) => code)),
      ),
    );
    expect(one).toEqual(["E_CODE_ABSENT"]);
    expect(other).toContain("E_REQUIRED");
    expect(other).not.toContain("E_CODE_ABSENT");
  });
});
