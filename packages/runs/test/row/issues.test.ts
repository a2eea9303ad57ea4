import { describe, expect, it } from "vitest";

import {
  answerText,
  isBlocking,
  type IssueCode,
  pickReason,
  readAnswerText,
  toIssue,
} from "../../src/row/issues.ts";

const LOCATION = { sheet: "Ürünler", row: 7, column: "Kod", cell: "A7", value: "CUP-1" };

/** Each code, and whether its texts contain the detail. */
const CODES = {
  E_CODE_DUPLICATE: true,
  E_PRODUCT_UNKNOWN: true,
  E_CODE_SUSPECT: true,
  E_CODE_REMOTE_TWICE: true,
  E_ADD_OPEN: true,
  E_ADD_UNSEEN: false,
  E_APPEARED: true,
  E_CHANGED: true,
  E_ID_CODE_MISMATCH: true,
  E_PRODUCT_TWICE: true,
  E_REFUSED_BEFORE: true,
  E_REFUSED_OFTEN: true,
  E_REFUSED_OPEN: true,
  E_BODY: true,
  E_CODE_TAKEN: false,
  E_REJECTED: true,
  E_OUTCOME_UNKNOWN: false,
  E_FOUND_TWICE: true,
  E_FOUND_DIFFERENT: true,
  E_FOUND_SIMILAR: true,
  W_EXISTS: true,
  W_FIELD_REFUSED: true,
  W_UNDO_KEPT: true,
  W_UNDO_HIDDEN: true,
  W_UNDO_ADD: false,
  W_UNDO_ADD_EMPTIED: false,
  W_UNDO_ADD_EMPTY: false,
  W_UNDO_MISSING: false,
  W_NOT_COMPARABLE: true,
  E_SUBJECT_UNKNOWN: true,
  E_ACTION_TWICE: true,
  E_ANSWERED: true,
  E_ACTION_FILLED: true,
  E_ACTION_CHANGED: true,
  E_ACTION_DONE: true,
  E_ACTION_GONE: true,
  E_ACTION_TAKEN: true,
  E_ACTION_UNSEEN: false,
  E_TEMPLATE_MADE: true,
  E_ACTION_OPEN: true,
  E_ACTION_UNKNOWN: false,
  E_ACTION_UNCLEAR: true,
  E_ACTION_REJECTED: true,
  W_ACTION_SAME: true,
  W_ACTION_ALREADY: false,
  W_ACTION_COMPANY: false,
  W_ACTION_BEFORE: true,
} satisfies Record<IssueCode, boolean>;

describe("toIssue", () => {
  it.each(entriesOf(CODES))(
    "writes %s in both languages without open placeholders",
    (code, namesDetail) => {
      const { message, suggestion } = toIssue(code, LOCATION, "detail-9");

      for (const text of [message, suggestion].filter((part) => part !== undefined)) {
        for (const words of [text.tr, text.en]) {
          expect(words).toMatch(/^\p{Lu}.*\S$/u);
          expect(words).not.toMatch(/\$\{|[{}]|undefined|\[object/u);
        }
        expect(text.tr).not.toBe(text.en);
      }
      expect(message.tr.includes("detail-9")).toBe(namesDetail);
      expect(message.en.includes("detail-9")).toBe(namesDetail);
    },
  );

  it("asks for a decision in either case where the product has changed since the plan", () => {
    const { suggestion } = toIssue("E_CHANGED", LOCATION, "");

    expect(suggestion?.tr).toMatch(/Evet, mağazadaki değer kalacaksa Hayır/u);
    expect(suggestion?.en).toMatch(/Yes if .*, or No if the store's value is to stay/u);
    expect(suggestion?.en).not.toContain("nothing to do");
  });

  it("puts the place of the cell into the issue", () => {
    expect(toIssue("E_CODE_TAKEN", LOCATION)).toMatchObject({ code: "E_CODE_TAKEN", ...LOCATION });
  });
});

it("isBlocking blocks a row with an error and not a row with a warning", () => {
  const blocking = Object.keys(CODES).filter((code) => isBlocking({ code }));

  expect(blocking).toEqual(Object.keys(CODES).filter((code) => code.startsWith("E_")));
});

function entriesOf<Name extends string, Value>(
  record: Readonly<Record<Name, Value>>,
): readonly (readonly [Name, Value])[] {
  const names: Name[] = [];
  for (const name in record) names.push(name);
  return names.map((name) => [name, record[name]]);
}

const REFUSED = { kind: "refused", status: 422, phase: "body", message: "no stock" } as const;

describe("answerText", () => {
  it("returns the answer's text in both languages where it has both", () => {
    const words = { tr: "stok yok", en: "no stock" };

    expect(answerText({ ...REFUSED, words }, "no stock")).toEqual(words);
    expect(answerText(REFUSED, "no stock")).toEqual({ tr: "no stock", en: "no stock" });
  });

  it("says in both languages that no reason was given", () => {
    expect(answerText({ kind: "answered", data: {}, phase: "body" }, undefined)).toEqual({
      tr: "neden belirtilmedi",
      en: "it gave no reason",
    });
  });
});

it.each([
  ["stok yok", undefined],
  [
    { tr: "stok yok", en: "no stock" },
    { tr: "stok yok", en: "no stock" },
  ],
  [{ tr: "stok yok" }, undefined],
  [undefined, undefined],
  [null, undefined],
])("readAnswerText reads %j", (stored, words) => {
  expect(readAnswerText(stored)).toEqual(words);
});

const issue = (code: string, column = "Fiyat") => ({
  ...LOCATION,
  column,
  code,
  message: { tr: code, en: code },
});

describe("the reason of a row", () => {
  const rule = issue("W_PRICE_RULE");
  const guard = issue("E_GUARD_BELOW_COST");

  it.each([
    [[rule, guard], guard, rule],
    [[issue("W_OTHER"), rule, guard], guard, rule],
    [[issue("W_PRICE_RULE", "Stok"), guard], guard, undefined],
    [[rule, issue("W_OTHER")], issue("W_OTHER"), rule],
    [[rule], rule, undefined],
    [[], undefined, undefined],
  ])("is picked from %#", (issues, reason, behind) => {
    expect(pickReason(issues)).toEqual({ reason, rule: behind });
  });
});
