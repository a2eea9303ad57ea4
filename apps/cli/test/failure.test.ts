import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";

import {
  ApiError,
  AuthError,
  ClientError,
  InputError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "@catalog/client/errors";
import { CatalogError, DatabaseError, prunedRun } from "@catalog/connection";
import { EXIT, UsageError } from "@catalog/console";
import { SheetError } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { describeFailure, toErrorDocument } from "../src/failure.ts";

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

const BUSY = new DatabaseError("E_DATABASE_BUSY", "catalog sync r-1, process 4711");
const PRUNED = prunedRun("r-1", Date.UTC(2026, 10, 21));

describe("describeFailure, of the database", () => {
  it("has the exit code of a busy store where another process writes to the database", () => {
    const [tr, en] = [describeFailure(BUSY, "tr", false), describeFailure(BUSY, "en", false)];

    expect([tr.exit, tr.code]).toEqual([75, "E_DATABASE_BUSY"]);
    expect(tr.text).toMatch(/catalog sync r-1.*Bitmesini bekleyip yeniden deneyin/u);
    expect(en.text).toMatch(/catalog sync r-1.*Wait until it ends and try again/u);
  });

  it("names the run whose rows were deleted, the day, and what can be done", () => {
    const [tr, en] = [describeFailure(PRUNED, "tr", false), describeFailure(PRUNED, "en", false)];

    expect([tr.exit, tr.code]).toEqual([2, "E_RUN_PRUNED"]);
    expect(tr.text).toMatch(
      /silindi \(r-1, 21 Kas 2026\).*yeniden içe aktarın.*CATALOG_KEEP_DAYS/u,
    );
    expect(en.text).toMatch(/deleted .*\(r-1, 21 Nov 2026\).*import the file again/u);
  });
});

it("a file that the system refuses is named with the cause", () => {
  try {
    readFileSync(tmpdir());
    expect.unreachable();
  } catch (error) {
    const { exit, code, text } = describeFailure(error, "tr", false);

    expect([exit, code]).toEqual([2, "E_FILE_ACCESS"]);
    expect(text).toContain("bu bir klasör");
  }
});

it.each([
  ["ENOSPC", EXIT.stopped, "E_DISK_FULL", "Make room"],
  ["EDQUOT", EXIT.stopped, "E_DISK_FULL", "Make room"],
  ["EROFS", EXIT.usage, "E_FILE_ACCESS", "read-only"],
  ["EACCES", EXIT.usage, "E_FILE_ACCESS", "permission"],
  ["EMFILE", EXIT.usage, "E_FILE_ACCESS", "too many files"],
  ["EIO", EXIT.usage, "E_FILE_ACCESS", "read or written"],
])("%s ends with words and no stack (#37)", (code, exit, named, words) => {
  const error = Object.assign(new Error(code), { code, syscall: "write", path: "/a/result.xlsx" });

  const failure = describeFailure(error, "en", false);

  expect(failure).toMatchObject({ exit, code: named });
  expect(failure.text).toContain(words);
  expect(failure.text).not.toMatch(/bug|\n {4}at /u);
});

describe("a failure of an interrupted command", () => {
  it.each([
    ["tr", "Durduruldu; hiçbir şey gönderilmedi."],
    ["en", "Stopped; nothing was sent."],
  ] as const)("reports an interruption as such, in %s", (lang, text) => {
    expect(describeFailure(new Error("interrupted"), lang, true)).toEqual({
      exit: 130,
      code: "E_INTERRUPTED",
      text,
      issues: [],
    });
  });

  it("reports the marketplace's answer when it came before the interruption", () => {
    const error = new AuthError("no", { ...FACTS, status: 401 });

    expect(describeFailure(error, "en", true)).toMatchObject({ exit: 4, code: "AUTH_ERROR" });
  });
});

const ANSWER_FACTS = { endpoint: "product.list", phase: "body" } as const;

interface AdviceCase {
  readonly error: ClientError;
  readonly exit: number;
  readonly code: string;
  readonly tr: RegExp;
  readonly en: RegExp;
}

const ADVICE_CASES: Readonly<Record<string, AdviceCase>> = {
  "a permission that the store has to grant": {
    error: new PermissionError("product.list: 403", {
      ...ANSWER_FACTS,
      status: 403,
      service: "Products",
      storeId: "s-1",
      localized: WORDS,
    }),
    exit: 4,
    code: "PERMISSION_ERROR",
    tr: /^s-1 mağazası .*"Products".*panelinden verir\. CATALOG_STORE_ID .*\. Uygulama tanınmıyor\.$/u,
    en: /^Store s-1 .*"Products".*panel\. Check CATALOG_STORE_ID.*\. Unknown application\.$/u,
  },
  "a permission that only the platform can grant": {
    error: new PermissionError("city.list: 403", {
      ...ANSWER_FACTS,
      status: 403,
      service: "Cities",
      localized: WORDS,
    }),
    exit: 4,
    code: "PERMISSION_ERROR",
    tr: /^Platform .*"Cities" genel servisini(?!.*CATALOG_STORE_ID)/u,
    en: /^The platform .*general service "Cities"(?!.*CATALOG_STORE_ID)/u,
  },
  "a permission that is refused without a word": {
    error: new PermissionError("product.list: 403", {
      ...ANSWER_FACTS,
      status: 403,
      storeId: "s-1",
    }),
    exit: 4,
    code: "PERMISSION_ERROR",
    tr: /"product\.list".*saatlik sınır.*"catalog doctor"/u,
    en: /"product\.list".*hourly limit.*"catalog doctor"/u,
  },
  "too many calls": {
    error: new ApiError("product.list: 403", { ...ANSWER_FACTS, status: 403, isLimit: true }),
    exit: 6,
    code: "API_ERROR",
    tr: /--requests-per-hour/u,
    en: /--requests-per-hour/u,
  },
  "a record that is not there": {
    error: new ApiError("brand.list: 404", {
      ...ANSWER_FACTS,
      endpoint: "brand.list",
      status: 404,
      isMissingRecord: true,
      localized: { tr: "Kategori bulunamadı", en: "Category not found" },
    }),
    exit: 2,
    code: "API_ERROR",
    tr: /^Pazaryerinde bu kimlikte bir kayıt yok(?!.*CATALOG_BASE_URL).* Kategori bulunamadı$/u,
    en: /^The marketplace has no record with this id(?!.*CATALOG_BASE_URL).* Category not found$/u,
  },
  "an address that is not there": {
    error: new ApiError("product.list: 404", { ...ANSWER_FACTS, status: 404 }),
    exit: 6,
    code: "API_ERROR",
    tr: /CATALOG_API_VERSION.*"catalog doctor"/u,
    en: /CATALOG_API_VERSION.*"catalog doctor"/u,
  },
};

describe("adviseOn", () => {
  it.each(Object.entries(ADVICE_CASES))("says what to do about %s", (_name, expected) => {
    const { error, exit, code, tr, en } = expected;

    const turkish = describeFailure(error, "tr", false);
    const english = describeFailure(error, "en", false);

    expect([turkish, english]).toMatchObject([
      { exit, code },
      { exit, code },
    ]);
    expect(turkish.text).toMatch(tr);
    expect(english.text).toMatch(en);
  });
});

const FAILURE = { exit: 4, code: "AUTH_ERROR", text: "The login was refused.", issues: [] };

describe("toErrorDocument", () => {
  it("has every key of a summary, and the error", () => {
    const nothing = { add: 0, update: 0, unchanged: 0, invalid: 0, duplicate: 0, held: 0 };

    expect(JSON.parse(toErrorDocument(FAILURE, { command: "import" }))).toEqual({
      command: "import",
      run: null,
      state: "stopped",
      exit: 4,
      counts: {
        rows: 0,
        added: 0,
        updated: 0,
        unchanged: 0,
        skipped: 0,
        invalid: 0,
        duplicate: 0,
        rejected: 0,
        held: 0,
        unknown: 0,
        cancelled: 0,
        pending: 0,
      },
      planned: { ...nothing, stock: 0, requests: 0, seconds: 0 },
      requests: { total: 0, token: 0, read: 0, write: 0 },
      verification: { accepted: 0, visible: 0, mismatch: 0, not_visible: 0 },
      files: {
        dir: null,
        result: null,
        failed: null,
        held: null,
        plan: null,
        page: null,
        summary: null,
      },
      warnings: [],
      issues: [],
      more_issues: 0,
      error: { code: "AUTH_ERROR", message: "The login was refused." },
    });
  });

  it("is one line, and names no command when none was parsed", () => {
    const text = toErrorDocument({ ...FAILURE, text: "a\nb" });

    expect(text.split("\n")).toHaveLength(2);
    expect(JSON.parse(text)).toMatchObject({ command: "", error: { message: "a\nb" } });
  });
});
