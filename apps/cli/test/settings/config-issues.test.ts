import { describe, expect, it } from "vitest";

import { describeIssues } from "../../src/settings/config-issues.ts";
import { configSchema } from "../../src/settings/config-schema.ts";

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
