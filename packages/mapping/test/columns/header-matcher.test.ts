import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import {
  createHeaderMatcher,
  createKnownHeaderCount,
  readKeyRow,
} from "../../src/columns/header-matcher.ts";
import { mapColumns } from "../../src/columns/map-columns.ts";
import { casesOf } from "../helpers/cases-of.ts";
import { FOREIGN_HEADER_SETS } from "../helpers/foreign-header-sets.ts";

const ownMatcher = createHeaderMatcher();

const brief = (header: string): string => {
  const { target } = ownMatcher.match(header);
  if (target.kind === "field") return `${target.field}${target.discountType ?? ""}`;
  if (target.kind === "property") return `property ${target.name}`;
  return target.kind === "unknown" ? `? ${target.suggestion ?? ""}`.trim() : target.kind;
};

describe("createHeaderMatcher", () => {
  const cases: readonly (readonly [string, string])[] = casesOf({
    price: "FİYAT *|fiyat|Fiyat (TL)|Fiyat [KDV Dahil]",
    "?": "Fiyat (KDV Hariç)|Fiyat (İndirimli)|Renk|it|qt|skv",
    title: "URUN ADI|Ürün  Adı",
    image_1: "Görsel1",
    image_3: "Resim 3",
    warranty_period: "Garanti(Ay)",
    warranty_type: "Garanti",
    discount_value: "İndirim",
    discount_value1: "İndirim Tutarı",
    discount_value2: "İndirim Oranı (%)",
    discount_value3: "İndirimli Fiyat",
    product_id: "Ürün ID",
    "never-sent": "Durum|Barkod|KDV Oranı (%)",
    condition: "Durum (Sıfır/İkinci El)",
    "? condition": "Ürün Durumu",
    "? brand_model": "Model Kodu",
    "? sub_title": "Kısa Açıklama",
    "own-result": "Hata Kodu|Result",
    "property Renk": "Özellik: Renk *|property:Renk",
    "property Beden": "PROPERTY : Beden",
    "? price": "Ffiyat",
    "? description": "Aciklma",
  });
  it.each(cases)("maps %s to %s", (header, expected) => expect(brief(header)).toBe(expected));
});

it("reads keys, properties and read-only keys of a key row, and ignores empty cells", () => {
  const keys = readKeyRow(["product_code", null, "property:Renk", "paid_price"]);

  expect([...(keys ?? [])].map(([index, { target }]) => [index, target])).toEqual([
    [0, { kind: "field", field: "product_code" }],
    [2, { kind: "property", name: "Renk" }],
    [3, { kind: "never-sent" }],
  ]);
});

it("takes a row with any cell that is no key for data", () => {
  expect(readKeyRow(["product_code", "Kaşık"])).toBeUndefined();
  expect(readKeyRow(["Product_Code"])).toBeUndefined();
  expect(readKeyRow([null, ""])).toBeUndefined();
  expect(readKeyRow(["status"])).toBeUndefined();
  expect(readKeyRow(undefined)).toBeUndefined();
});

describe("createKnownHeaderCount", () => {
  const count = createKnownHeaderCount(["Eder"]);

  it.each([
    ["headers in both languages", ["Ürün Kodu", "Price", "Stok Adedi"], 3],
    ["a header once where a row repeats it", ["Görsel 1", "Görsel 1"], 1],
    ["no group headers", ["Genel bilgiler", null, "Kargo bilgileri", 5], 0],
    ["no products", ["KOD-1", "Fincan beyaz", "12,50", 5, true], 0],
    ["a header that a person has named, however it is written", ["EDER", "x"], 1],
    ["no machine keys below our own headers", ["product_code", "title", "price"], 0],
    ["no headers that only a guess leads to", ["Ürün Kot", "Fiyatlar bizim"], 0],
    ["no long text", [`Fiyat ${"x".repeat(200)}`], 0],
  ] as const)("counts %s", (what, cells, known) => {
    expect(count(cells)).toBe(known);
  });
});

it.each(FOREIGN_HEADER_SETS)(
  "files of other programs that are read without the profile of a platform maps no column of $name to a wrong field, and asks about the doubtful ones",
  ({ header, fields, asked, notYet }) => {
    const mapping = mapColumns({ sheet: "S", headerRow: 1, header, platform: "none" });

    const taken = mapping.columns.flatMap(({ header: text, target }) =>
      target.kind === "field" ? [`${text}=${target.field}`] : [],
    );
    expect(taken.toSorted()).toEqual([...fields, ...notYet].toSorted());
    expect(mapping.questions.map((question) => question.header)).toEqual(asked);
  },
);

it("covers 31 header sets with 571 columns", () => {
  const columns = FOREIGN_HEADER_SETS.flatMap(({ header }) => header);

  expect([FOREIGN_HEADER_SETS.length, columns.length]).toEqual([31, 571]);
});

/** Lines of a decision and the headers that it is about; one that is unknown may be a property. */
const COMMON = new URL("../fixtures/common-headers.txt", import.meta.url);
const DECISIONS = readFileSync(COMMON, "utf8")
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [decision = "", headers = ""] = line.split(": ");
    return headers.split(";").map((header) => ({ header, decision }));
  });

describe("a common header of shops, programs and marketplaces", () => {
  const matcher = createHeaderMatcher();

  it.each(DECISIONS)("is decided: $header is $decision", ({ header, decision }) => {
    const { target, doubt } = matcher.match(header);

    const isAsked = doubt !== undefined && doubt.kind !== "trade-list";
    const field = target.kind === "field" ? target.field : target.kind;
    expect(isAsked ? "asked" : field).toBe(decision);
  });

  it("is known or asked about in four of five cases", () => {
    const open = DECISIONS.filter(({ decision }) => decision === "unknown");

    expect(open.length).toBeLessThan(DECISIONS.length / 5);
    expect(new Set(DECISIONS.map(({ header }) => header)).size).toBe(DECISIONS.length);
  });
});
