import { describe, expect, it } from "vitest";

import { ALL_GUARDS } from "../../src/guards/guard-settings.ts";
import { type Background, decideRow } from "../../src/plan/decide-row.ts";
import { createUnsendableCount, isUnsendable } from "../../src/plan/decide-rows.ts";
import type { KnownCode, ListedProductRow } from "../../src/ports/journal.ts";
import type { ProductChanges } from "../../src/ports/product.ts";
import type { RowIssue } from "../../src/row/issues.ts";
import type { CandidateRow, RowDecision } from "../../src/row/row-record.ts";
import { checkFakeUpdate } from "../../src/testing/fake-marketplace.ts";
import { addBody, candidate, toProductId, price, toId } from "../../src/testing/rows.ts";

const issue = (code: string): RowIssue => ({
  code,
  sheet: "Ürünler",
  row: 2,
  column: "Ad",
  cell: "B2",
  value: "",
  message: { tr: "tr", en: "en" },
});

const seen = (
  product: string,
  shown: Partial<ListedProductRow["product"]> = {},
): ListedProductRow => ({
  codeKey: "a1",
  status: "approved",
  product: { id: toProductId(product), product_code: "A1", title: "Cup", ...shown },
});

const known = (more: Partial<KnownCode> = {}): KnownCode => ({
  codeKey: "a1",
  state: "done",
  runId: "r-0",
  row: 9,
  productId: toProductId("p1"),
  ...more,
});

const lacksTitle: CandidateRow["completeAdd"] = () => ({
  ok: false,
  issues: [issue("E_REQUIRED")],
});

type Choice = NonNullable<NonNullable<CandidateRow["changes"]["properties"]>>[number];

interface Situation {
  readonly row?: Partial<CandidateRow>;
  readonly in?: Partial<Background>;
}

function decideOn({ row = {}, in: background = {} }: Situation): RowDecision {
  return decideRow(candidate(2, "A1", row), {
    seen: [],
    known: undefined,
    sameCode: [],
    lastSent: undefined,
    priceUnit: "minor",
    mode: "upsert",
    guards: ALL_GUARDS,
    checkUpdate: checkFakeUpdate,
    ...background,
  });
}

/** Formats a decision in one line: state, action, product, changed fields, issues. */
function inWords({ state, action, productId, changes, issues }: RowDecision): string {
  const fields = changes.map(({ field }) => field).join("+");
  const codes = issues.map(({ code }) => code).join(" ");
  return [state, action, productId, fields, codes].filter(Boolean).join(" ");
}

const NEW_TITLE = { changes: { title: "Mug" } };
const SAME_TITLE = { changes: { title: "Cup" } };
const WRONG = { issues: [issue("E_NUMBER")] };
const WARNED = { issues: [issue("W_NUMBER")] };
const EXISTS = { seen: [seen("p1")] };

/** Situations by name, below the decision that each one leads to. */
const CASES: Readonly<Record<string, Readonly<Record<string, Situation>>>> = {
  "ready add": {
    "adds a product that the store does not have": {},
    "adds a product in a run that only adds": { in: { mode: "add" } },
    "adds a product for a row with the action add": { row: { action: "add" } },
  },
  "ready add W_NUMBER": {
    "adds a product for a row with a warning": { row: WARNED },
  },
  "invalid E_NUMBER": {
    "refuses to add a row with an error": { row: WRONG },
    "refuses to update for a row with an error": { row: { ...NEW_TITLE, ...WRONG }, in: EXISTS },
    "calls a row with an error invalid even where it would be skipped": {
      row: { ...WRONG, action: "add" },
      in: EXISTS,
    },
  },
  "invalid E_REQUIRED": {
    "refuses to add a row that lacks a required field": { row: { completeAdd: lacksTitle } },
  },
  "invalid E_NUMBER E_REQUIRED": {
    "reports wrong and missing values of a row together": {
      row: { ...WRONG, completeAdd: lacksTitle },
    },
  },
  "invalid E_PRODUCT_UNKNOWN": {
    "refuses to add in a run that only updates": { in: { mode: "update" } },
    "refuses to add for a row with the action update": { row: { action: "update" } },
  },
  "invalid p9 E_PRODUCT_UNKNOWN": {
    "refuses to add under an id that the store does not have": {
      row: { productId: toProductId("p9") },
    },
  },
  "ready update p1 title": {
    "updates the fields that differ": { row: NEW_TITLE, in: EXISTS },
    "updates a product in a run that only updates": {
      row: NEW_TITLE,
      in: { ...EXISTS, mode: "update" },
    },
    "updates a product for a row with the action update": {
      row: { ...NEW_TITLE, action: "update" },
      in: EXISTS,
    },
    "updates with a row that lacks fields of an add": {
      row: { ...NEW_TITLE, completeAdd: lacksTitle },
      in: EXISTS,
    },
    "updates a field of our unlisted product that was sent with another value": {
      row: NEW_TITLE,
      in: { known: known(), lastSent: { title: "Cup" } },
    },
    "updates a listed product while another add of it is open": {
      row: NEW_TITLE,
      in: { ...EXISTS, known: known({ state: "ambiguous", productId: null }) },
    },
  },
  "unchanged p1": {
    "calls a row unchanged whose values the store has": { row: SAME_TITLE, in: EXISTS },
    "calls a row without any value unchanged": { in: EXISTS },
    "compares a field that no listing shows with the value sent last": {
      row: { changes: { brand_model: "C1" } },
      in: { ...EXISTS, lastSent: { brand_model: "C1" } },
    },
    "updates a product that we added and no listing shows": { in: { known: known() } },
    "prefers the listed product to the ledger": { in: { ...EXISTS, known: known() } },
  },
  "ready update p1 title W_NOT_COMPARABLE": {
    "warns about a field that it could not compare": {
      row: { changes: { title: "Mug", brand_model: "C1" } },
      in: EXISTS,
    },
  },
  "unchanged p1 W_NOT_COMPARABLE": {
    "warns about a field that it could not compare in an unchanged row": {
      row: { changes: { brand_model: "C1" } },
      in: EXISTS,
    },
  },
  "skipped p1 W_EXISTS": {
    "skips an existing product in a run that only adds": {
      row: NEW_TITLE,
      in: { ...EXISTS, mode: "add" },
    },
    "skips an existing product for a row with the action add": {
      row: { ...NEW_TITLE, action: "add" },
      in: EXISTS,
    },
  },
  skipped: {
    "skips a row with the action skip": { row: { action: "skip" } },
    "skips a row with the action skip and a duplicate code": {
      row: { action: "skip" },
      in: { sameCode: [2, 3] },
    },
  },
  "skipped E_NUMBER": {
    "skips a row with an error and the action skip": { row: { ...WRONG, action: "skip" } },
  },
  "duplicate E_CODE_DUPLICATE": {
    "calls rows with the same code duplicates": { in: { sameCode: [2, 3] } },
    "calls two updates of one product duplicates": {
      row: NEW_TITLE,
      in: { ...EXISTS, sameCode: [2, 3] },
    },
    "calls duplicates of an existing product duplicates in a run that only adds": {
      in: { ...EXISTS, mode: "add", sameCode: [2, 3] },
    },
  },
  "invalid E_NUMBER E_CODE_DUPLICATE": {
    "calls a duplicate with another error invalid, with both issues": {
      row: WRONG,
      in: { sameCode: [2, 3] },
    },
  },
  "invalid E_CODE_DUPLICATE E_REQUIRED": {
    "calls a duplicate that lacks a field invalid": {
      row: { completeAdd: lacksTitle },
      in: { sameCode: [2, 3] },
    },
  },
  "duplicate W_NUMBER E_CODE_DUPLICATE": {
    "calls a duplicate with a warning a duplicate": { row: WARNED, in: { sameCode: [2, 3] } },
  },
  "held E_CODE_REMOTE_TWICE": {
    "holds a row whose code several products of the store have": {
      row: NEW_TITLE,
      in: { seen: [seen("p1"), seen("p2")] },
    },
  },
  "held E_ADD_OPEN": {
    ...Object.fromEntries(
      (["sending", "ambiguous", "held"] as const).map((state) => [
        `holds a row whose code another add keeps ${state}`,
        { in: { known: known({ state, productId: null }) } },
      ]),
    ),
    "holds a row whose add is done without a known product id": {
      in: { known: known({ productId: null }) },
    },
  },
  "held E_NUMBER E_ADD_OPEN": {
    "reports the errors of a held row too": { row: WRONG, in: { known: known({ state: "held" }) } },
  },
};

const SITUATIONS = Object.values(CASES).flatMap((group) => Object.values(group));

describe("planRow", () => {
  for (const [expected, situations] of Object.entries(CASES)) {
    it.each(Object.entries(situations))("%s", (_name, situation) => {
      expect(inWords(decideOn(situation))).toBe(expected);
    });
  }

  it("fixes the whole body of an add", () => {
    expect(decideOn({})).toEqual({
      row: 2,
      state: "ready",
      action: "add",
      productId: null,
      payload: addBody("A1"),
      changes: [],
      issues: [],
    });
  });

  it("sends only the fields that differ in an update", () => {
    const changes = { title: "Mug", price: price(500), stock_count: 4 };
    const decision = decideOn({
      row: { changes },
      in: { seen: [seen("p1", { price: 500, stock: 9 })] },
    });

    expect(decision.payload).toEqual({ product_id: "p1", title: "Mug", stock_count: 4 });
    expect(decision.changes).toEqual([
      { field: "title", old: "Cup", new: "Mug" },
      { field: "stock_count", old: 9, new: 4 },
    ]);
  });

  it("makes a row invalid whose update body the contract refuses", () => {
    const decision = decideOn({
      row: { changes: { has_discount: true, discount_type: 2, discount_value: 150 } },
      in: { seen: [seen("p1")] },
    });

    expect(inWords(decision)).toBe("invalid E_BODY");
    expect(decision.issues[0]?.message.en).toContain("discount_value");
    expect(decision.payload).toBeNull();
  });

  it("names rows, ids and runs in the issues of a held row", () => {
    const details = [
      decideOn({ in: { sameCode: [2, 14] } }),
      decideOn({ in: { seen: [seen("p1"), seen("p2")] } }),
      decideOn({ in: { known: known({ state: "held" }) } }),
      decideOn({ in: { mode: "update" } }),
    ].map(({ issues }) => issues[0]?.message.en);

    expect(details).toEqual([
      expect.stringContaining("2, 14"),
      expect.stringContaining("p1, p2"),
      expect.stringContaining("r-0"),
      expect.stringContaining("A1"),
    ]);
  });

  it("gives no body to a row that is not sent", () => {
    const withBody = SITUATIONS.map((situation) => decideOn(situation)).filter(
      ({ payload }) => payload !== null,
    );

    expect(new Set(withBody.map(({ state }) => state))).toEqual(new Set(["ready"]));
  });
});

describe("a row that says there is no reduced price", () => {
  const ours = { has_discount: true, discount_type: 3, discount_value: 9_000 } as const;
  const row = { changes: { price: price(10_000) }, endsOwnSale: true };
  const shown = { price: 10_000, has_discount: true, discount_type: 3, discount_value: 9_000 };

  it.each([
    ["that we gave", { seen: [seen("p1", shown)], lastSent: ours }, { has_discount: false }],
    ["of another", { seen: [seen("p1", shown)], lastSent: undefined }, null],
    [
      "that another has changed",
      { seen: [seen("p1", { ...shown, discount_value: 8_000 })], lastSent: ours },
      null,
    ],
    [
      "that is over",
      { seen: [seen("p1", { ...shown, has_discount: false })], lastSent: ours },
      null,
    ],
  ] as const)("ends a discount %s, or leaves it", (_, background, sent) => {
    const { payload } = decideOn({ row, in: background });

    expect(payload).toEqual(sent && { ...sent, product_id: toProductId("p1") });
  });

  it("leaves it where only an empty cell says so", () => {
    const { state } = decideOn({
      row: { ...row, endsOwnSale: false },
      in: { seen: [seen("p1", shown)], lastSent: ours },
    });

    expect(state).toBe("unchanged");
  });
});

const images = (...names: readonly string[]): string[] =>
  names.map((name) => `https://a.example/${name}.jpg`);

describe("images of an update", () => {
  const shown = { images: images("1", "2", "3") };

  it.each([
    [["1"], null],
    [["1", "3"], null],
    [["9"], ["9", "2", "3"]],
    [
      ["2", "1"],
      ["2", "1", "3"],
    ],
    [
      ["1", "2", "3", "4"],
      ["1", "2", "3", "4"],
    ],
  ])("leave those that a row does not name: %j", (given, sent) => {
    const row = { changes: { images: images(...given) }, keepsImages: true };
    const { payload } = decideOn({ row, in: { seen: [seen("p1", shown)] } });

    expect(payload).toEqual(sent && { images: images(...sent), product_id: toProductId("p1") });
  });

  it("are all of them where the row has the whole list", () => {
    const row = { changes: { images: images("1") } };
    const { payload } = decideOn({ row, in: { seen: [seen("p1", shown)] } });

    expect(payload).toMatchObject({ images: images("1") });
  });
});

const choice = (property: string, option: string): Choice => ({
  property_id: toId("PropertyId", property),
  option_id: toId("PropertyOptionId", option),
});

describe("properties of an update", () => {
  const shown = {
    category_name: "Tencere",
    properties: [choice("color", "red"), choice("size", "4"), choice("stuff", "steel")],
  };

  it.each([
    ["color", "red", undefined, null],
    ["size", "6", undefined, ["color red", "size 6", "stuff steel"]],
    ["lid", "yes", "Tencere", ["color red", "size 4", "stuff steel", "lid yes"]],
    ["size", "6", "Tava", ["size 6"]],
  ])("keep those that a row does not name: %s %s %s", (property, option, categoryName, sent) => {
    const properties = [choice(property, option)];
    const category = categoryName === undefined ? {} : { category_id: toId("CategoryId", "c1") };
    const row = { changes: { ...category, properties }, categoryName };
    const { payload } = decideOn({ row, in: { seen: [seen("p1", shown)] } });

    const written = payload?.properties?.map((one) => `${one.property_id} ${one.option_id}`);
    expect(written ?? null).toEqual(sent);
  });
});

/**
 * Plans a row for a product with a stock of 3 and a price of 10, in a store that ignores stock and
 * discount.
 */
function plan(
  changes: ProductChanges,
  refused: readonly string[] = ["stock_count", "discount_value"],
): RowDecision {
  const product = {
    id: toProductId("p1"),
    product_code: "A1",
    title: "A",
    stock: 3,
    price: 1000,
    has_discount: false,
    currency: "TL",
  };
  return decideRow(candidate(2, "A1", { changes }), {
    seen: [{ codeKey: "a1", status: "approved", product }],
    known: undefined,
    sameCode: [],
    lastSent: undefined,
    priceUnit: "minor",
    mode: "upsert",
    guards: ALL_GUARDS,
    checkUpdate: checkFakeUpdate,
    refused: new Set(refused),
    nameField: (field) => ({ tr: `${field} (tr)`, en: `${field} (en)` }),
  });
}

const DISCOUNT = { has_discount: true, discount_type: 2, discount_value: 10 } as const;

describe("planning a field that the store was seen to ignore", () => {
  it("names the field in words of the language", () => {
    const [found] = plan({ stock_count: 7 }).issues;

    expect(found?.message.tr).toContain("gönderilmedi: stock_count (tr).");
    expect(found?.message.en).toContain("not sent: stock_count (en).");
  });

  it.each([
    ["a difference that cannot be sent", { stock_count: 7 }, "skipped", ["stock_count"]],
    ["the value that the store has", { stock_count: 3 }, "unchanged", []],
    ["the store's value beside another change", { stock_count: 3, title: "B" }, "ready", []],
    [
      "a difference beside another change",
      { stock_count: 7, title: "B" },
      "ready",
      ["stock_count"],
    ],
    ["a discount of which one part is refused", DISCOUNT, "skipped", Object.keys(DISCOUNT)],
    [
      "a difference beside a price that falls too far",
      { stock_count: 7, price: price(1) },
      "held",
      ["stock_count"],
    ],
  ] as const)("plans a row with %s, without the field", (...[, changes, state, unsent]) => {
    const decision = plan(changes);

    expect([decision.state, decision.unsent]).toEqual([state, unsent]);
    expect(decision.issues.some(({ code }) => code === "W_FIELD_REFUSED")).toBe(unsent.length > 0);
    expect(decision.payload ?? {}).not.toHaveProperty("stock_count");
    expect(isUnsendable(decision)).toBe(state === "skipped");
  });

  it("sends no amount in another currency than the one that the product keeps", () => {
    const amounts = { price: price(990), ...DISCOUNT };

    const kept = plan({ currency: "USD", title: "B", ...amounts }, ["currency"]);
    const same = plan({ currency: "TL", ...amounts }, ["currency"]);

    expect(kept.payload).toEqual({ title: "B", product_id: "p1" });
    expect(kept.unsent).toEqual(["currency", ...Object.keys(amounts)]);
    expect(same.payload).toEqual({ ...amounts, product_id: "p1" });
  });

  it("counts rows with unsendable fields apart from the classes of rows", () => {
    const count = createUnsendableCount();

    count.note(plan({ stock_count: 7 }));
    count.note(plan({ stock_count: 7, title: "B" }));
    count.note(plan({ stock_count: 3 }));
    count.note({ ...plan({ stock_count: 7 }), state: "duplicate" });

    expect(count.counts()).toEqual({ rows: 1, partly: 1, fields: ["stock_count"] });
  });
});

function issueOf(sameCode: readonly number[]): RowIssue | undefined {
  const { issues } = decideRow(candidate(2, "A1"), {
    seen: [],
    known: undefined,
    sameCode,
    lastSent: undefined,
    priceUnit: "minor",
    mode: "upsert",
    guards: ALL_GUARDS,
    checkUpdate: checkFakeUpdate,
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
