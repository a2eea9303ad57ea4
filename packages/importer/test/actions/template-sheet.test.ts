import type { ShippingTemplate } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { type Named, toTemplateLists } from "../../src/actions/template-names.ts";
import {
  createTemplateRows,
  findLost,
  type TemplateCells,
  type TemplateUse,
  toTemplateCandidate,
} from "../../src/actions/template-sheet.ts";

const ID = (digit: string): string => digit.repeat(24);

/** Templates as an answer has them. */
const toTemplate = (fields: Readonly<Record<string, unknown>>): ShippingTemplate =>
  JSON.parse(JSON.stringify({ id: ID("1"), template_name: "Standart", ...fields }));

const COMPANIES: readonly Named[] = [
  { id: ID("a"), name: "Hızlı Kargo" },
  { id: ID("b"), name: "Yavaş; Ucuz" },
  { id: ID("c"), name: "Aynı Ad" },
  { id: ID("d"), name: "Aynı Ad" },
];
const ADDRESSES: readonly Named[] = [
  { id: ID("e"), name: "Depo" },
  { id: ID("f"), name: "Mağaza" },
];
const CITIES: readonly Named[] = [
  { id: "6", name: "Ankara" },
  { id: "34", name: "İstanbul" },
];

const STORED = {
  all_country: true,
  common_address: true,
  free_shipping: false,
  shipping_time: 3,
  shipping_note: " not\r\nsatır ",
  sender_address: { id: ID("e"), title: "Depo" },
  return_address: { id: ID("e"), title: "Depo" },
  shipping_companies: [{ id: ID("a"), name: "Hızlı Kargo" }],
  return_companies: [ID("a")],
};

interface Sheet {
  readonly templates?: readonly ShippingTemplate[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly use?: TemplateUse;
}

/** Candidates of a sheet, whose first row is row 2. */
function read({ templates = [toTemplate(STORED)], rows, use }: Sheet) {
  const lists = toTemplateLists(templates, {
    companies: COMPANIES,
    addresses: ADDRESSES,
    cities: CITIES,
  });
  const cells = rows.map((row, index): TemplateCells => ({
    row: index + 2,
    text: (key) => row[key] ?? "",
    location: (key) => ({
      sheet: "",
      row: index + 2,
      column: key,
      cell: key,
      value: row[key] ?? "",
    }),
  }));
  const known = createTemplateRows(lists, String);
  for (const one of cells) known.note(one);
  const candidates = cells.map((one) => toTemplateCandidate({ lists, rows: known, use }, one));
  return { lists, candidates };
}

const change = (cells: Readonly<Record<string, string>>, stored: object = {}) => {
  const { candidates } = read({
    templates: [toTemplate({ ...STORED, ...stored })],
    rows: [{ shipping_template_id: ID("1"), ...cells }],
  });
  const [{ call, wanted, issues, hold, isAsShown, action } = fail()] = candidates;
  return {
    call,
    wanted,
    codes: issues.map(({ code }) => code),
    hold: hold?.code,
    isAsShown,
    action,
  };
};

const fail = (): never => {
  throw new Error("there is no row");
};

describe("a cell of a template", () => {
  it.each<[name: string, cells: Readonly<Record<string, string>>, stored?: object]>([
    ["an empty one", { free_shipping: "", shipping_companies: "" }],
    ["the same word", { free_shipping: "hayır", all_country: "E", shipping_time: "3 gün" }],
    ["a text without its edges and other line ends", { shipping_note: "not\nsatır" }],
    [
      "the same names in another order",
      { shipping_companies: "Aynı Ad; Hızlı Kargo" },
      {
        shipping_companies: [ID("a"), ID("d")],
      },
    ],
    [
      "a name with the sign that separates names",
      { shipping_companies: "Yavaş; Ucuz" },
      {
        shipping_companies: [ID("b")],
      },
    ],
    ["an id in place of a name", { return_companies: ID("a"), sender_address: ID("e") }],
    [
      "names that only the store knows",
      { suitable_cities: "Kayıp Şehir" },
      {
        all_country: false,
        suitable_cities: ["Kayıp Şehir"],
      },
    ],
    ["an amount in another notation", { min_price: "1500,5" }, { min_price: 1500.5 }],
    [
      "an amount of three decimals that the store has",
      { min_price: "1.125" },
      { min_price: 1.125 },
    ],
    [
      "a company that no list has",
      { shipping_companies: ID("9") },
      {
        shipping_companies: [ID("9")],
      },
    ],
  ])("asks for nothing: %s", (_, cells, stored) => {
    expect(change(cells, stored)).toMatchObject({ isAsShown: true, action: null, codes: [] });
  });

  it.each<[cells: Readonly<Record<string, string>>, call: object, stored?: object]>([
    [{ free_shipping: "1" }, { free_shipping: true }],
    [{ shipping_note: "<CLEAR>" }, { shipping_note: "" }],
    [{ sender_address: "mağaza" }, { sender_address: ID("f") }],
    [{ shipping_companies: "hizli kargo, " + ID("c") }, { shipping_companies: [ID("a"), ID("c")] }],
    [
      { common_address: "Hayır" },
      { common_address: false, return_address: ID("f") },
      { return_address: ID("f") },
    ],
    [
      { all_country: "Hayır", suitable_cities: "ankara;34" },
      { all_country: false, suitable_cities: ["Ankara", "İstanbul"] },
    ],
    [
      { suitable_cities: "İstanbul" },
      { suitable_cities: ["34"] },
      { all_country: false, suitable_cities: [{ id: 6, name: "Ankara" }] },
    ],
    // Without names, the ids decide.
    [{ shipping_company_ids: ID("c") }, { shipping_companies: [ID("c")] }],
    // Of two with one name, the id says which is meant.
    [
      { shipping_companies: "Aynı Ad", shipping_company_ids: ID("d") },
      { shipping_companies: [ID("d")] },
      { shipping_companies: [ID("c")] },
    ],
    [
      { conditional_shipping: "Evet", min_price: "150" },
      { conditional_shipping: true, min_price: 150 },
    ],
  ])("%j changes %j", (cells, call, stored) => {
    expect(change(cells, stored).call).toEqual({ shipping_template_id: ID("1"), ...call });
  });

  it.each<[cells: Readonly<Record<string, string>>, code: string, stored?: object]>([
    [{ free_shipping: "belki" }, "E_TEMPLATE_YES_NO"],
    [{ shipping_time: "2 saat" }, "E_TEMPLATE_TIME"],
    [{ shipping_time: "1.5" }, "E_TEMPLATE_TIME"],
    [{ min_price: "1.500" }, "E_TEMPLATE_AMOUNT"],
    [{ min_price: "-1" }, "E_TEMPLATE_AMOUNT"],
    [{ template_name: "<SİL>" }, "E_TEMPLATE_CLEAR"],
    [{ shipping_companies: "<sil>" }, "E_TEMPLATE_CLEAR"],
    [{ sender_address: "Depo; Mağaza" }, "E_TEMPLATE_ONE"],
    [{ sender_address: "Depoo" }, "E_TEMPLATE_NAME_UNKNOWN"],
    [{ shipping_companies: "Hızlı Kargo; Aynı Ad" }, "E_TEMPLATE_NAME_AMBIGUOUS"],
    [{ shipping_company_ids: "hiç" }, "E_TEMPLATE_NAME_UNKNOWN"],
    [{ common_address: "Hayır" }, "E_TEMPLATE_RETURN", { return_address: null }],
    [{ all_country: "Hayır" }, "E_TEMPLATE_CITIES"],
    [{ conditional_shipping: "Hayır", min_price: "5" }, "E_TEMPLATE_MINIMUM"],
    [{ template_name: "x", shipping_template_id: ID("2") }, "E_TEMPLATE_UNKNOWN"],
  ])("%j is refused with %s", (cells, code, stored) => {
    const found = change(cells, stored);

    expect(found.codes.filter((one) => one.startsWith("E_"))).toEqual([code]);
    expect(found.isAsShown).toBe(false);
  });

  it.each<[cells: Readonly<Record<string, string>>, code: string]>([
    [{ return_address: "Mağaza" }, "W_TEMPLATE_COMMON"],
    [{ suitable_cities: "Ankara" }, "W_TEMPLATE_ALL"],
    [{ shipping_companies: "Hızlı Kargo", shipping_company_ids: ID("c") }, "W_TEMPLATE_IDS"],
  ])("%j sends nothing and says why (%s)", (cells, code) => {
    expect(change(cells)).toMatchObject({ isAsShown: true, codes: [code] });
  });

  it("is held where the ids of the file are not those of the store", () => {
    const cells = { shipping_companies: "Yavaş; Ucuz", shipping_company_ids: ID("c") };

    expect(change(cells)).toMatchObject({ hold: "E_TEMPLATE_SINCE", codes: [] });
  });

  it("of a thousand unknown names is refused in a short message", () => {
    const { candidates } = read({
      rows: [{ shipping_template_id: ID("1"), shipping_companies: "yok,".repeat(8_000) }],
    });

    expect(candidates[0]?.issues.map(({ message }) => message.en.length < 200)).toEqual([true]);
  });

  it("says that what the store does not show cannot be compared", () => {
    expect(change({ conditional_shipping: "Evet" }).codes).toEqual(["W_TEMPLATE_UNSEEN"]);
  });
});

describe("a new template", () => {
  const NEW = {
    template_name: "Yeni",
    shipping_time: "2",
    sender_address: "Depo",
    shipping_companies: "Hızlı Kargo",
    return_companies: "Hızlı Kargo",
  };

  it("ships to all cities unless it says otherwise", () => {
    const { candidates } = read({ rows: [NEW] });

    expect(candidates[0]).toMatchObject({
      action: "create-template",
      subject: "Yeni",
      codeKey: "template Yeni",
      issues: [],
      call: { template_name: "Yeni", all_country: true, shipping_time: 2 },
    });
  });

  it("may be a copy of a row whose id was removed, with its old ids beside new names", () => {
    const copy = { ...NEW, sender_address_id: ID("f"), shipping_company_ids: ID("c") };

    const { candidates } = read({ rows: [copy] });

    expect(candidates[0]?.issues).toEqual([]);
    expect(candidates[0]?.call).toMatchObject({
      sender_address: ID("e"),
      shipping_companies: [ID("a")],
    });
  });

  it("is held where its name is taken, and left where the store shows all of it", () => {
    const same = toTemplate({ ...STORED, template_name: "YENİ", shipping_time: 2 });
    const { candidates } = read({ templates: [same], rows: [NEW] });
    const [there] = read({
      templates: [toTemplate({ ...STORED, template_name: "Yeni", shipping_time: 2 })],
      rows: [NEW],
    }).candidates;

    expect(candidates[0]?.hold?.message.en).toContain(ID("1"));
    expect(candidates[0]?.issues).toEqual([]);
    expect(there?.issues.map(({ code }) => code)).toEqual(["W_TEMPLATE_EXISTS"]);
  });
});

describe("a change of a template that products use", () => {
  const use = { products: new Map([[ID("1"), 1_200]]), day: "2026-01-31" };
  const row = { shipping_template_id: ID("1") };

  it("says how many, where it decides what buyers pay or get", () => {
    const { candidates } = read({
      rows: [{ ...row, free_shipping: "Evet" }],
      use,
    });
    const [note] = read({ rows: [{ ...row, shipping_note: "x" }], use }).candidates;

    expect(candidates[0]?.issues[0]?.code).toBe("W_TEMPLATE_USE");
    expect(candidates[0]?.issues[0]?.message.en).toContain("1200 products");
    expect(note?.issues).toEqual([]);
  });
});

describe("what a change makes void", () => {
  it.each([
    [{ common_address: true }, { return_address: ID("f") }],
    [{ all_country: true }, { suitable_cities: ["Ankara"] }],
    [{ shipping_note: "x" }, undefined],
  ])("of %j is %j", (call, lost) => {
    const { lists } = read({
      templates: [toTemplate({ ...STORED, return_address: ID("f"), suitable_cities: ["Ankara"] })],
      rows: [],
    });

    expect(findLost(lists, { code: ID("1"), call })).toEqual(lost);
  });
});
