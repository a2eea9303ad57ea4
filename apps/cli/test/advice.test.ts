import { ApiError, type ClientError, PermissionError } from "@catalog/client/errors";
import { describe, expect, it } from "vitest";

import { describeFailure } from "../src/failure.ts";

const FACTS = { endpoint: "product.list", phase: "body" } as const;
const WORDS = { tr: "Uygulama tanınmıyor.", en: "Unknown application." };

interface Case {
  readonly error: ClientError;
  readonly exit: number;
  readonly code: string;
  readonly tr: RegExp;
  readonly en: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  "a permission that the store has to grant": {
    error: new PermissionError("product.list: 403", {
      ...FACTS,
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
      ...FACTS,
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
    error: new PermissionError("product.list: 403", { ...FACTS, status: 403, storeId: "s-1" }),
    exit: 4,
    code: "PERMISSION_ERROR",
    tr: /"product\.list".*saatlik sınır.*"catalog doctor"/u,
    en: /"product\.list".*hourly limit.*"catalog doctor"/u,
  },
  "too many calls": {
    error: new ApiError("product.list: 403", { ...FACTS, status: 403, isLimit: true }),
    exit: 6,
    code: "API_ERROR",
    tr: /--requests-per-hour/u,
    en: /--requests-per-hour/u,
  },
  "a record that is not there": {
    error: new ApiError("brand.list: 404", {
      ...FACTS,
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
    error: new ApiError("product.list: 404", { ...FACTS, status: 404 }),
    exit: 6,
    code: "API_ERROR",
    tr: /CATALOG_API_VERSION.*"catalog doctor"/u,
    en: /CATALOG_API_VERSION.*"catalog doctor"/u,
  },
};

describe("adviseOn", () => {
  it.each(Object.entries(CASES))("says what to do about %s", (_name, expected) => {
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
