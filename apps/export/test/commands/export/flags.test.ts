import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import {
  EXPORT_FLAGS,
  flagsOf,
  formatFlag,
  kindFlag,
  outFlag,
  readFilters,
  refuseOtherFlags,
} from "../../../src/commands/export/flags.ts";
import { formatResumeCommand } from "../../../src/commands/export/run.ts";

/** Texts of a refusal in both languages. */
function refusalOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return [error.localized.tr, error.localized.en];
    throw error;
  }
  return [];
}

describe("the flags of an export", () => {
  it("are described in both languages", () => {
    const bare = Object.entries(EXPORT_FLAGS).filter(
      ([, { describe: words }]) => words.tr.length < 4 || words.en.length < 4,
    );

    expect(bare).toEqual([]);
  });

  it.each([
    ["u.csv", undefined, "csv"],
    ["U.XLSX", undefined, "xlsx"],
    ["klasör.v2/u.jsonl", undefined, "jsonl"],
    ["u.txt", "csv", "csv"],
    ["-", undefined, "csv"],
    ["-", "jsonl", "jsonl"],
  ])("write %s with --format %s as %s", (out, format, expected) => {
    expect(formatFlag({ format }, out)).toBe(expected);
  });

  it.each([
    ["a name without an ending", () => formatFlag({}, "urunler"), "--format"],
    ["a workbook for stdout", () => formatFlag({ format: "xlsx" }, "-"), "--format csv"],
    ["no file", () => outFlag({}, "orders"), "catalog export orders --out orders.xlsx"],
    ["an unknown kind", () => kindFlag({ kind: "brands" }), "products, comments"],
  ])("refuse %s, with the next step in both languages", (_, read, word) => {
    const [tr, en] = refusalOf(read);

    expect(tr).toContain(word);
    expect(en).toContain(word);
    expect(tr).not.toBe(en);
  });
});

describe("the flags of one kind", () => {
  it("are the common ones, its own and its filters", () => {
    const flags = Object.keys(flagsOf("payments"));

    expect(flags).toEqual(expect.arrayContaining(["out", "price-unit", "max-total-paid-price"]));
    expect(flags).not.toContain("satisfaction");
    expect(flags).not.toContain("template");
  });

  it("describe the values of a status in the kind's own words", () => {
    const texts = (["products", "orders", "payments"] as const).map(
      (kind) => flagsOf(kind)["status"]?.describe.en,
    );

    expect(texts).toEqual([
      expect.stringContaining("veto"),
      expect.stringContaining("0 (not approved yet)"),
      expect.stringContaining("2 (transferred)"),
    ]);
  });

  it.each([
    [{ satisfaction: "happy" }, "yorumlar (comments)", "comments (comments)"],
    [{ "store-wide": true }, "yorumlar (comments)", "comments (comments)"],
    [{ days: "7" }, "siparişler (orders)", "orders (orders)"],
  ])("name the kind that %o belongs to", (flags, inTurkish, inEnglish) => {
    const [tr, en] = refusalOf(() => refuseOtherFlags(flags, "products"));

    expect(tr).toContain(inTurkish);
    expect(en).toContain(inEnglish);
  });
});

describe("readFilters", () => {
  it("returns the marketplace's fields, with days in Turkish time and the last day to its end", () => {
    const flags = { "start-date": "2026-01-31", "end-date": "2026-01-31", status: "veto, passive" };

    expect(readFilters(flags, "products")).toEqual({
      start_date: Date.UTC(2026, 0, 30, 21) / 1000,
      end_date: Date.UTC(2026, 0, 31, 21) / 1000 - 1,
      status: ["veto", "passive"],
    });
  });

  it.each([
    [
      "orders",
      { status: "5", days: "7", "updates-only": true },
      { status: 5, days: 7, updates_only: 1 },
    ],
    ["comments", { "min-rate": "1,5", "at-order": true }, { min_rate: 1.5, commented_at_order: 1 }],
    ["questions", { answered: false, title: "" }, {}],
    [
      "payments",
      { order: "12", "min-store-payout": "10.5" },
      { order_code: 12, min_store_payout: 10.5 },
    ],
  ] as const)("reads those of %s, each by its own rule", (listing, flags, expected) => {
    expect(readFilters(flags, listing)).toEqual(expected);
  });

  it.each([
    ["a filter of another listing", { satisfaction: "happy" }, "--code"],
    ["one that only comments by product know", { product: "1" }, "--status"],
    ["a day that there is not", { "end-date": "31.02.2026x" }, "2026-01-31T09:30"],
  ])("refuses %s, and lists the accepted values", (_, flags, word) => {
    const [tr, en] = refusalOf(() => readFilters(flags, "products"));

    expect(tr).toContain(word);
    expect(en).toContain(word);
  });

  it("refuses a time that ends before it begins", () => {
    const flags = { "start-date": "2026-11-01", "end-date": "2026-10-01" };

    expect(refusalOf(() => readFilters(flags, "payments"))[0]).toContain(
      "--start-date 2026-11-01 --end-date 2026-10-01",
    );
    expect(() => readFilters({ ...flags, "end-date": "2026-11-01" }, "payments")).not.toThrow();
  });

  it.each([
    { all: true, days: "3" },
    { days: "3", "start-date": "2026-11-01" },
    { days: "3", "end-date": "2026-11-01" },
  ])("refuses two ways to say which days are meant: %j", (flags) => {
    expect(refusalOf(() => readFilters(flags, "orders"))[0]).toContain("birlikte kullanılamaz");
  });

  it("refuses an invalid number", () => {
    expect(refusalOf(() => readFilters({ rate: "beş" }, "comments"))[0]).toContain('"beş"');
  });
});

describe("formatResumeCommand", () => {
  it("repeats the command line, quoted where a shell would split it", () => {
    const flags = {
      kind: "products",
      out: "benim dosyam.csv",
      title: "Ayşe'nin",
      template: "import",
      "with-names": true,
      fresh: true,
      "requests-per-hour": 50,
      quiet: true,
    };

    expect(formatResumeCommand(flags, EXPORT_FLAGS)).toBe(
      'catalog export products --out "benim dosyam.csv" --requests-per-hour 50 --template import --with-names --title "Ayşe\'nin"',
    );
  });
});
