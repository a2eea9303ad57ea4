import { expect, it } from "vitest";

import { ALL_GUARDS } from "../../src/guards/guard-settings.ts";
import { decideRow } from "../../src/plan/decide-row.ts";
import type { RowIssue } from "../../src/row/issues.ts";
import { candidate } from "../../src/testing/rows.ts";

function issueOf(sameCode: readonly number[]): RowIssue | undefined {
  const { issues } = decideRow(candidate(2, "A1"), {
    seen: [],
    known: undefined,
    sameCode,
    lastSent: undefined,
    priceUnit: "minor",
    mode: "upsert",
    guards: ALL_GUARDS,
  });
  return issues[0];
}

it("names twenty rows of a code that many rows have", () => {
  const sameCode = Array.from({ length: 100_000 }, (_, at) => at + 2);
  const first = sameCode.slice(0, 20).join(", ");

  expect(issueOf(sameCode)?.message).toEqual({
    tr: `Bu ürün kodu dosyada birden çok satırda geçiyor (satırlar: ${first}, …).`,
    en: `This product code is on several rows of the file (rows ${first}, …).`,
  });
  const twenty = issueOf(sameCode.slice(0, 20));
  expect(twenty?.message.en).toContain(`(rows ${first}).`);
});
