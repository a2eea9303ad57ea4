import { CatalogError } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import type { RowIssue } from "@catalog/runs";
import { expect, it } from "vitest";

import { describeFailure } from "../../../src/commands/sync/failure.ts";
import { textsFor } from "../../../src/commands/sync/texts.ts";

it("a feed that may not be read is told, and the next sync tries again", () => {
  const cause = Object.assign(new Error("EACCES: permission denied, open '/f/stok.csv'"), {
    code: "EACCES",
    syscall: "open",
    path: "/f/stok.csv",
  });

  expect(describeFailure(cause, { lang: "tr", texts: textsFor("tr") })).toEqual({
    exit: EXIT.nothingSent,
    code: "E_FILE_ACCESS",
    text: expect.stringContaining("/f/stok.csv: erişim izni yok"),
  });
});

const issue = (cell: string): RowIssue => ({
  code: "E_COLUMN_UNSURE",
  sheet: "",
  row: 1,
  column: "Kalan",
  cell,
  value: "Kalan",
  message: { tr: "“Kalan” stok olabilir.", en: "“Kalan” may be the stock." },
  suggestion: { tr: 'Stok: --map "Kalan=Stok"', en: 'Stock: --map "Kalan=Stock"' },
});

it("columns that cannot be used are named with what to give", () => {
  const error = new CatalogError("E_FILE_COLUMNS", "stok.csv", ["B1", "C1", "D1", "E1"].map(issue));

  const text = describeFailure(error, { lang: "tr", texts: textsFor("tr") })?.text;

  expect(text).toContain(' B1: “Kalan” stok olabilir. Stok: --map "Kalan=Stok" C1:');
  expect(text).toMatch(/D1.*…$/u);
  expect(text).not.toContain("E1:");
});

it("a bug is none of those", () => {
  const failure = describeFailure(new TypeError("x"), { lang: "tr", texts: textsFor("tr") });

  expect(failure).toBeUndefined();
});
