import { readFileSync } from "node:fs";

import { DEFAULT_DOWNLOAD_LIMITS, DEFAULT_IMAGE_LIMITS } from "@catalog/images";
import { DEFAULT_LIMITS } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import {
  configSchema,
  describeIssues,
  LIMIT_SETTINGS,
  type LimitSettings,
  toImageOptions,
} from "../../src/settings/config-schema.ts";

const describeConfig = (config: unknown): ReturnType<typeof describeIssues> =>
  describeIssues(configSchema.safeParse(config).error?.issues ?? []);

describe("a wrong setting", () => {
  it.each([
    [
      { limits: { fileMb: 0 } },
      "limits.fileMb: en az 1 olmalı",
      "limits.fileMb: must be at least 1",
    ],
    [
      { limits: { fileMb: 1e9 } },
      "limits.fileMb: en çok 1048576 olabilir",
      "limits.fileMb: must be at most 1048576",
    ],
    [
      { limits: { rows: 1.5 } },
      "limits.rows: tam sayı olmalı",
      "limits.rows: must be a whole number",
    ],
    [{ keepDays: "90" }, "keepDays: sayı olmalı", "keepDays: must be a number"],
    [{ storeId: 5 }, "storeId: metin olmalı", "storeId: must be a text"],
    [{ lang: "de" }, 'lang: "tr" ya da "en" olmalı', 'lang: must be "tr" or "en"'],
    [
      { limits: { fileMB: 5 } },
      'limits: "fileMB" adında bir ayar yok (bunu mu demek istediniz: "fileMb")',
      'limits: there is no setting "fileMB" (did you mean "fileMb"?)',
    ],
    [
      { guards: { priceDropPercnt: 5 } },
      'guards: "priceDropPercnt" adında bir ayar yok (bunu mu demek istediniz: "priceDropPercent")',
      'guards: there is no setting "priceDropPercnt" (did you mean "priceDropPercent"?)',
    ],
    [
      { clientSecret: "x", token: "y" },
      'şu adlarda ayar yok: "clientSecret", "token"',
      'there are no settings "clientSecret", "token"',
    ],
    [
      { concurrency: "otomatik" },
      'concurrency: "auto" olmalı ya da sayı olmalı',
      'concurrency: must be "auto" or must be a number',
    ],
    [
      { guards: 3 },
      "guards: ayarlar grubu ({ … }) olmalı",
      "guards: must be a group of settings ({ … })",
    ],
    [
      { keepDays: 0, requestsPerHour: 0 },
      "requestsPerHour: en az 1 olmalı; keepDays: en az 1 olmalı",
      "requestsPerHour: must be at least 1; keepDays: must be at least 1",
    ],
  ])("is named with what it must be: %j", (config, tr, en) => {
    expect(describeConfig(config)).toEqual({ tr, en });
  });

  it("is described in Turkish without an English word, whatever setting it is", () => {
    const wrong = [-1, 1e12, 0.5, "x", true, [], null];
    const names = Object.keys(
      "shape" in configSchema && typeof configSchema.shape === "object"
        ? (configSchema.shape ?? {})
        : {},
    );

    const texts = names.flatMap((name) =>
      wrong.map((value) => describeConfig({ [name]: value }).tr.replace(/^[^:]*/u, "")),
    );

    expect(names.length).toBeGreaterThan(8);
    expect(
      texts.filter((text) => /expected|invalid|must|small|big|kullanılamaz/iu.test(text)),
    ).toEqual([]);
  });
});

const AROUND = { env: {}, folder: "/proje" };

describe("toImageOptions", () => {
  it("leaves out limits that are not set, so that their defaults hold", () => {
    const options = toImageOptions(
      { check: "warn", minEdge: 500, prepare: { quality: 90 } },
      AROUND,
    );

    expect(options).toMatchObject({
      mode: "warn",
      rules: { minEdge: 500 },
      prepare: { quality: 90 },
    });
    expect(Object.keys(options.rules ?? {})).toEqual(["minEdge"]);
  });

  it("gives an upload program the environment without the program's own variables", () => {
    const env = {
      PATH: "/bin",
      AWS_PROFILE: "shop",
      CATALOG_CLIENT_SECRET: "s",
      CATALOG_HOME: "h",
    };

    const { upload } = toImageOptions(
      { upload: { command: ["up", "{file}"] } },
      { ...AROUND, env },
    );

    expect(upload).toEqual({
      kind: "command",
      command: ["up", "{file}"],
      folder: "/proje",
      env: { PATH: "/bin", AWS_PROFILE: "shop" },
    });
  });

  it("reads the token of an upload by PUT from the environment only", () => {
    const put = "https://img.example/{sha256}.jpg";
    const env = { CATALOG_UPLOAD_TOKEN: "t-1" };

    const { upload } = toImageOptions({ upload: { put } }, { ...AROUND, env });

    expect(upload).toEqual({ kind: "put", put, address: undefined, token: "t-1" });
  });
});

describe("the images part of the configuration file", () => {
  it.each([
    { check: "sometimes" },
    { send: "fax" },
    { minEdge: 0 },
    { maxAspect: 0.5 },
    { upload: { put: "ftp://img.example/" } },
    { upload: { command: [] } },
    { upload: { put: "https://img.example/", token: "secret" } },
    { allowHost: ["typo"] },
  ])("refuses %j", (config) => {
    expect(configSchema.safeParse({ images: config }).success).toBe(false);
  });
});

const DEFAULTS: LimitSettings = {
  ...DEFAULT_LIMITS,
  ...DEFAULT_DOWNLOAD_LIMITS,
  ...DEFAULT_IMAGE_LIMITS,
};

const page = readFileSync(new URL("../../../../docs/limits.md", import.meta.url), "utf8");

/** The rows of the table, without the blanks that pad its columns. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `") && !line.startsWith("| `limits.`"))
  .map((line) => line.replaceAll(/ +/gu, " "));

const shown = (value: number): string => value.toLocaleString("en-US");

describe("the table of limits in docs/limits.md", () => {
  it("lists every limit with its default, its range and its meaning in both languages", () => {
    const defaults = new Map(Object.entries(DEFAULTS));

    expect(rows).toEqual(
      Object.entries(LIMIT_SETTINGS).map(([name, { min, max, means }]) => {
        const numbers = [defaults.get(name) ?? Number.NaN, min, max].map(shown);
        return `| \`${name}\` | ${numbers.join(" | ")} | ${means.en} | ${means.tr} |`;
      }),
    );
  });

  it("has a setting for every limit of the packages", () => {
    expect(Object.keys(LIMIT_SETTINGS).toSorted()).toEqual(Object.keys(DEFAULTS).toSorted());
  });
});

describe("the limits of a configuration file", () => {
  it.each(Object.entries(LIMIT_SETTINGS))("takes only the range of %s", (name, { min, max }) => {
    const isTaken = (value: unknown): boolean =>
      configSchema.safeParse({ limits: { [name]: value } }).success;

    expect([min, max].map(isTaken)).toEqual([true, true]);
    const wrong = [min - 1, max + 1, min + 0.5, -1, "10", null, Number.NaN];
    expect(wrong.filter(isTaken)).toEqual([]);
  });

  it("takes the defaults, and refuses an unknown limit", () => {
    expect(configSchema.parse({ limits: DEFAULTS })).toEqual({ limits: DEFAULTS });
    expect(configSchema.safeParse({ limits: { row: 10 } }).success).toBe(false);
  });
});
