import {
  ApiError,
  AuthError,
  type ClientError,
  InputError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "@catalog/client/errors";
import { describe, expect, it } from "vitest";

import { CatalogError, describeClientError } from "../src/errors.ts";
import { createIssue } from "../src/testing/stored-run.ts";

describe("CatalogError", () => {
  it("describes the error in both languages", () => {
    const { localized, message, issues } = new CatalogError("E_NO_ROWS", "urunler.xlsx");

    expect(localized.tr).toContain("“urunler.xlsx”");
    expect(localized.en).toContain("“urunler.xlsx”");
    expect(localized.tr).not.toBe(localized.en);
    expect(message).toBe(localized.en);
    expect(issues).toEqual([]);
  });

  it("keeps the issues of each cell", () => {
    expect(new CatalogError("E_FILE_COLUMNS", "a", [createIssue()]).issues).toEqual([
      createIssue(),
    ]);
  });
});

const FACTS = { endpoint: "product.add", phase: "started" } as const;
const refusedConnection = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
const misfits = [{ path: "data.price", message: "Invalid input: expected number" }];

const ERRORS: readonly (readonly [ClientError, string])[] = [
  [
    new NetworkError("no answer came in time", { ...FACTS, code: "TIMEOUT" }),
    "product.add: süresi içinde yanıt gelmedi (istek yola çıkmıştı)",
  ],
  [
    new NetworkError("no answer came", { ...FACTS, phase: "none", cause: refusedConnection }),
    "product.add: yanıt gelmedi: bağlantı reddedildi, ECONNREFUSED (istek bu bilgisayardan çıkmadı)",
  ],
  [
    new NetworkError("no answer came", { ...FACTS, cause: new Error("some words") }),
    "product.add: yanıt gelmedi (istek yola çıkmıştı)",
  ],
  [
    new ShapeError("is not JSON", { ...FACTS, status: 502, reason: "not-json" }),
    "product.add: yanıt JSON değil (durum 502)",
  ],
  [
    new ShapeError("is larger", { ...FACTS, status: 200, reason: "too-large" }),
    "product.add: yanıt okunamayacak kadar büyük (durum 200)",
  ],
  [
    new ShapeError("does not fit", { ...FACTS, status: 200, reason: "mismatch", misfits }),
    "product.add: yanıt beklenen biçimde değil; uymayan alanlar: data.price",
  ],
  [
    new InputError("was not sent", { ...FACTS, misfits }),
    "product.add gönderilmedi; uymayan değerler: data.price",
  ],
  [
    new ApiError("was refused", { ...FACTS, status: 503 }),
    "product.add: pazaryeri isteği 503 durumuyla geri çevirdi",
  ],
  [
    new AuthError("was refused", { ...FACTS, status: 401 }),
    "product.add: pazaryeri oturumu kabul etmedi (durum 401)",
  ],
  [
    new PermissionError("has not granted", { ...FACTS, status: 403 }),
    "product.add: bu servise izin verilmemiş (durum 403)",
  ],
];

describe("describeClientError", () => {
  it.each(ERRORS)("describes %s in Turkish without a word of English", (error, turkish) => {
    expect(describeClientError(error)).toEqual({ tr: turkish, en: error.message });
  });

  it("uses the marketplace's own words in each language", () => {
    const localized = { tr: "Stok eksi olamaz.", en: "Stock must not be negative." };
    const error = new ApiError("was refused", { ...FACTS, status: 422, localized });

    expect(describeClientError(error)).toEqual(localized);
  });

  it("quotes words that exist in the other language only", () => {
    const error = new ApiError("was refused", {
      ...FACTS,
      status: 422,
      localized: { en: "Stock must not be negative." },
    });

    expect(describeClientError(error)).toEqual({
      tr: "“Stock must not be negative.”",
      en: "Stock must not be negative.",
    });
  });

  it("names the wrong setting", () => {
    const text = { tr: "Adres bir URL değil.", en: "The address is no URL." };

    expect(describeClientError(new SettingsError(text))).toEqual(text);
  });
});
