import {
  ApiError,
  AuthError,
  ClientError,
  InputError,
  NetworkError,
  SettingsError,
  ShapeError,
} from "@catalog/client/errors";
import { CatalogError, DatabaseError } from "@catalog/connection";
import { UsageError } from "@catalog/console";
import { SheetError } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { describeFailure } from "../src/failure.ts";

const FACTS = { endpoint: "product.list", phase: "none" } as const;
const WORDS = { tr: "Uygulama tanınmıyor.", en: "Unknown application." };

class StrangeError extends ClientError {
  override readonly name = "StrangeError";
  readonly code = "STRANGE";
}

interface Case {
  readonly error: Error;
  readonly exit: number;
  readonly code: string;
  readonly tr: RegExp;
  readonly en: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  "wrong use": {
    error: new UsageError({ tr: "Böyle olmaz.", en: "Not so." }),
    exit: 2,
    code: "E_USAGE",
    tr: /^Böyle olmaz\.$/u,
    en: /^Not so\.$/u,
  },
  "a missing file": {
    error: new SheetError("E_FILE_MISSING", { file: "a.xlsx" }),
    exit: 2,
    code: "E_FILE_MISSING",
    tr: /a\.xlsx/u,
    en: /a\.xlsx/u,
  },
  "a folder in place of a file": {
    error: new SheetError("E_FILE_DIRECTORY", { file: "a" }),
    exit: 2,
    code: "E_FILE_DIRECTORY",
    tr: /klasör/u,
    en: /folder/u,
  },
  "a file that may not be read": {
    error: new SheetError("E_FILE_UNREADABLE", { file: "a.xlsx" }),
    exit: 2,
    code: "E_FILE_UNREADABLE",
    tr: /a\.xlsx/u,
    en: /a\.xlsx/u,
  },
  "a sheet that is not there": {
    error: new SheetError("E_SHEET_UNKNOWN", { file: "a.xlsx", found: "X", names: ["Ürünler"] }),
    exit: 2,
    code: "E_SHEET_UNKNOWN",
    tr: /Ürünler/u,
    en: /Ürünler/u,
  },
  "a header row that is not there": {
    error: new SheetError("E_HEADER_ROW", { file: "a.xlsx", row: 9 }),
    exit: 2,
    code: "E_HEADER_ROW",
    tr: /9/u,
    en: /9/u,
  },
  "a file that is no table": {
    error: new SheetError("E_FILE_TYPE", { file: "a.pdf" }),
    exit: 3,
    code: "E_FILE_TYPE",
    tr: /a\.pdf/u,
    en: /a\.pdf/u,
  },
  "an empty file": {
    error: new SheetError("E_FILE_EMPTY", { file: "a.csv" }),
    exit: 3,
    code: "E_FILE_EMPTY",
    tr: /boş/u,
    en: /empty/u,
  },
  "a store that another process works on": {
    error: new DatabaseError("E_STORE_BUSY", "catalog import"),
    exit: 75,
    code: "E_STORE_BUSY",
    tr: /catalog import/u,
    en: /catalog import/u,
  },
  "a database that cannot be used": {
    error: new DatabaseError("E_DATABASE", "disk full"),
    exit: 2,
    code: "E_DATABASE",
    tr: /CATALOG_HOME/u,
    en: /CATALOG_HOME/u,
  },
  "a disk that is full": {
    error: new DatabaseError("E_DISK_FULL", "/home"),
    exit: 6,
    code: "E_DISK_FULL",
    tr: /Yer açıp .*catalog resume/u,
    en: /Make room .*catalog resume/u,
  },
  "a database that is gone while it is used": {
    error: new DatabaseError("E_DATABASE_REPLACED", "/home"),
    exit: 6,
    code: "E_DATABASE_REPLACED",
    tr: /Dosyayı yerine koyup/u,
    en: /Put the file back/u,
  },
  "a server whose database was replaced while it is used": {
    error: new DatabaseError("E_DATABASE_RESTORED", "postgres://db.example/catalog"),
    exit: 6,
    code: "E_DATABASE_RESTORED",
    tr: /catalog resume .*önce mağazada aranır/u,
    en: /catalog resume .*looked up in the store first/u,
  },
  "a database on a network folder": {
    error: new DatabaseError("E_DATABASE_NETWORK", "nfs"),
    exit: 2,
    code: "E_DATABASE_NETWORK",
    tr: /CATALOG_HOME/u,
    en: /CATALOG_HOME/u,
  },
  "a plan that has waited too long": {
    error: new CatalogError("E_PLAN_OLD", "r-1"),
    exit: 3,
    code: "E_PLAN_OLD",
    tr: /15 dakikadan eski.*catalog apply r-1 --recheck/u,
    en: /older than 15 minutes.*catalog apply r-1 --recheck/u,
  },
  "a run that was begun before": {
    error: new CatalogError("E_RUN_BEGUN", { tr: "r-1 bitmiş.", en: "r-1 is finished." }),
    exit: 2,
    code: "E_RUN_BEGUN",
    tr: /“apply”.*: r-1 bitmiş/u,
    en: /“apply”.*: r-1 is finished/u,
  },
  "a run that there is none of": {
    error: new CatalogError("E_RUN_UNKNOWN", "r-1"),
    exit: 2,
    code: "E_RUN_UNKNOWN",
    tr: /“r-1” .*catalog runs/u,
    en: /“r-1”.*catalog runs/u,
  },
  "a file that is not that of the held rows": {
    error: new CatalogError("E_APPROVAL_FILE", "a.csv"),
    exit: 2,
    code: "E_APPROVAL_FILE",
    tr: /“a\.csv”.*held\.xlsx dosyasını verin/u,
    en: /“a\.csv”.*Give the held\.xlsx/u,
  },
  "a plan that was cut off": {
    error: new CatalogError("E_RUN_UNPLANNED", "r-1"),
    exit: 2,
    code: "E_RUN_UNPLANNED",
    tr: /“r-1”/u,
    en: /“r-1”/u,
  },
  "a file without rows": {
    error: new CatalogError("E_NO_ROWS", "a.csv"),
    exit: 3,
    code: "E_NO_ROWS",
    tr: /“a\.csv”/u,
    en: /“a\.csv”/u,
  },
  "a refused login": {
    error: new AuthError("token.create: 401", { ...FACTS, status: 401, localized: WORDS }),
    exit: 4,
    code: "AUTH_ERROR",
    tr: /CATALOG_CLIENT_SECRET.* Uygulama tanınmıyor\.$/u,
    en: /CATALOG_CLIENT_SECRET.* Unknown application\.$/u,
  },
  "a login that is refused without words": {
    error: new AuthError("token.create: 401", { ...FACTS, status: 401 }),
    exit: 4,
    code: "AUTH_ERROR",
    tr: /^Oturum açılamadı\..* pazaryeri oturumu kabul etmedi \(durum 401\)$/u,
    en: /^The login was refused\..* token\.create: 401$/u,
  },
  "a login that is refused in Turkish only": {
    error: new AuthError("token.create: 401", {
      ...FACTS,
      status: 401,
      localized: { tr: WORDS.tr },
    }),
    exit: 4,
    code: "AUTH_ERROR",
    tr: /Uygulama tanınmıyor\.$/u,
    en: /“Uygulama tanınmıyor\.”$/u,
  },
  "nobody at the other end": {
    error: new NetworkError("product.list: ECONNREFUSED", FACTS),
    exit: 6,
    code: "NETWORK_ERROR",
    tr: /"catalog doctor"/u,
    en: /"catalog doctor"/u,
  },
  "an answer that took too long": {
    error: new NetworkError("product.list: 60 s", { ...FACTS, code: "TIMEOUT" }),
    exit: 6,
    code: "TIMEOUT",
    tr: /ulaşılamadı/u,
    en: /could not be reached/u,
  },
  "settings that the client refuses": {
    error: new SettingsError({ tr: "Adres bir URL değil.", en: "baseUrl is not a URL." }),
    exit: 2,
    code: "SETTINGS_ERROR",
    tr: /CATALOG_BASE_URL.*Adres bir URL değil\.$/u,
    en: /CATALOG_BASE_URL.*baseUrl is not a URL\.$/u,
  },
  "an answer that says no": {
    error: new ApiError("product.list: 500", { ...FACTS, status: 500 }),
    exit: 6,
    code: "API_ERROR",
    tr: /beklenmeyen bir yanıt/u,
    en: /unexpected answer/u,
  },
  "an answer that makes no sense": {
    error: new ShapeError("product.list: HTML", { ...FACTS, status: 200, reason: "not-json" }),
    exit: 6,
    code: "SHAPE_ERROR",
    tr: /beklenmeyen bir yanıt/u,
    en: /unexpected answer/u,
  },
  "a body that the client refuses": {
    error: new InputError("product.add: price", { ...FACTS, misfits: [] }),
    exit: 1,
    code: "INPUT_ERROR",
    tr: /^Beklenmeyen/u,
    en: /^Something unexpected/u,
  },
  "an error of the client that is not known here": {
    error: new StrangeError("strange", FACTS),
    exit: 1,
    code: "STRANGE",
    tr: /^Beklenmeyen/u,
    en: /^Something unexpected/u,
  },
};

describe("describeFailure", () => {
  it.each(Object.entries(CASES))("explains %s", (_name, { error, exit, code, tr, en }) => {
    const turkish = describeFailure(error, "tr", false);
    const english = describeFailure(error, "en", false);

    expect([turkish, english]).toMatchObject([
      { exit, code, issues: [] },
      { exit, code, issues: [] },
    ]);
    expect(turkish.text).toMatch(tr);
    expect(english.text).toMatch(en);
    expect(turkish.text + english.text).not.toMatch(/^\s+at /mu);
  });

  it("lists the issues of the columns, each at its cell", () => {
    const issue = {
      code: "E_COLUMN_TWICE",
      sheet: "Ürünler",
      row: 1,
      column: "Stok",
      cell: "C1",
      value: "Stok",
      message: { tr: "İki sütun.", en: "Two columns." },
    };

    const failure = describeFailure(
      new CatalogError("E_FILE_COLUMNS", "a.xlsx", [issue]),
      "tr",
      false,
    );

    expect(failure).toEqual({
      exit: 3,
      code: "E_FILE_COLUMNS",
      text: "“a.xlsx” dosyasının sütunları kullanılamıyor; hiçbir şey gönderilmedi.\n  ✗ C1     İki sütun.",
      issues: [issue],
    });
  });

  it.each([
    ["tr", "bu bizim hatamız"],
    ["en", "this is a bug"],
  ] as const)("reports in %s any other error as a bug, with its stack", (lang, output) => {
    const failure = describeFailure(new TypeError("x is not a function"), lang, false);

    expect(failure).toMatchObject({ exit: 1, code: "E_BUG" });
    expect(failure.text).toContain(output);
    expect(failure.text).toMatch(/TypeError: x is not a function\n\s+at /u);
  });

  it("shows a thrown value that is no error", () => {
    expect(describeFailure("kaput", "en", false)).toMatchObject({ exit: 1, code: "E_BUG" });
    expect(describeFailure("kaput", "en", false).text).toContain("kaput");
  });
});
