import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { openConnectionHarness } from "../../helpers/markets/connection-harness.ts";
import { CELL_SHEETS, type CellSheet } from "./cell-kinds.ts";
import { HEADER_KINDS } from "./header-kinds.ts";
import { findWrong, importFile, type Kind, xlsxOf } from "./kind.ts";
import { SHAPE_KINDS } from "./shape-kinds.ts";
import { LIST_KINDS, TEXT_KINDS } from "./text-kinds.ts";
import { PLATFORM_KINDS, WORKBOOK_KINDS } from "./workbook-kinds.ts";

const GROUPS: readonly (readonly [group: string, kinds: readonly Kind[]])[] = [
  ["a CSV file with", TEXT_KINDS],
  ["a CSV file with", LIST_KINDS],
  ["a file with", HEADER_KINDS],
  ["a file of another platform with", PLATFORM_KINDS],
  ["a workbook with", WORKBOOK_KINDS],
  ["a file of any kind with", SHAPE_KINDS],
];

const ENDS: Readonly<Record<Kind["must"], string>> = {
  sent: "is sent as a person reads it",
  refused: "is refused or asked about",
  safe: "is sent as a person reads it, or asked about",
};

describe.each(GROUPS)("%s", (_, kinds) => {
  for (const kind of kinds) {
    it(`${kind.name}: ${ENDS[kind.must]}`, async () => {
      const harness = await openConnectionHarness();

      const outcome = await importFile(harness, kind.file, kind.content());

      expect(findWrong(kind, outcome)).toEqual([]);
    });
  }
});

const ENDINGS = ["xlsx", "xls", "ods"] as const;

describe.each(CELL_SHEETS)("$name of a workbook", (sheet) => {
  it.each(ENDINGS)("are sent from .%s as a person reads them, or refused", async (ending) => {
    const harness = await openConnectionHarness();

    const outcome = await importFile(harness, `a.${ending}`, contentOf(sheet, ending));

    const found = sheet.kinds.flatMap((kind, at) => {
      if (kind.isXlsxOnly === true && ending !== "xlsx") return [];
      const row = outcome.rows.find((each) => each.row === at + 2);
      const sent = row?.state === "done" ? row.code : undefined;
      const added = outcome.added.filter(({ product_code: code }) => code === sent);
      const codes = row?.issues.map(({ code }) => code) ?? outcome.codes;
      const ofRow = { ...outcome, added, codes };
      return findWrong({ ...kind, reads: [kind.facts] }, ofRow).map(
        (why) => `${kind.name}: ${why}`,
      );
    });
    expect(found).toEqual([]);
  });
});

/** The fixtures hold the same rows, saved by LibreOffice. */
const contentOf = ({ name, rows }: CellSheet, ending: (typeof ENDINGS)[number]): Buffer =>
  ending === "xlsx"
    ? xlsxOf(rows)
    : readFileSync(new URL(`fixtures/${name}.${ending}`, import.meta.url));
