/** Routes of the settings: the store, its limits, and the check of the installation. */

import { dirname } from "node:path";

import {
  type Connection,
  forgetPriceUnit,
  readStoredPriceUnit,
  savePriceUnitSetting,
} from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { GUARD_LIMITS, GUARD_RANGES, type GuardLimits } from "@catalog/runs/guards";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import {
  type CheckView,
  type GuardLimitView,
  limitsBody,
  type PriceUnitView,
  priceUnitBody,
  type SettingsView,
} from "../../api/settings.ts";
import { requestLang } from "../access/request-lang.ts";
import { readKey, toProblem, toRefusal } from "../commands/command-document.ts";
import { parseInput } from "../parse-input.ts";
import { plainAdvice } from "../plain-advice.ts";
import { RequestError, type Site } from "../site.ts";

/** Adds the routes. */
export function addSettings(app: FastifyInstance, site: Site): void {
  const read = async (lang: Lang): Promise<SettingsView> => {
    const connection = await site.store.connection();
    return await readSettings(connection, { lang, home: dirname(site.folder) });
  };
  app.get("/settings", async (request) => await read(requestLang(request)));
  app.put("/settings/limits", async (request) => {
    const { guards, callsPerHour } = parseInput(limitsBody, request.body);
    const { settings } = await site.store.connection();
    await settings.save({ guards, requestsPerHour: callsPerHour ?? undefined });
    return await read(requestLang(request));
  });
  app.put("/settings/price-unit", async (request) => {
    await setPriceUnit(await site.store.connection(), parseInput(priceUnitBody, request.body).unit);
    return await read(requestLang(request));
  });
  app.post("/settings/check", async (request): Promise<readonly CheckView[]> => {
    const lang = requestLang(request);
    const ended = await site.startCommand(["doctor", `--lang=${lang}`]).ended;
    const { document } = ended;
    const problem = toProblem(ended, lang);
    if (problem?.code === "E_DISK_FULL") throw toRefusal(problem);
    const checks = z.array(checkSchema).safeParse(readKey(document, "checks")).data ?? [];
    return checks.map(({ fix, ...check }) =>
      Object.assign(check, { fix: fix && plainAdvice(fix) }),
    );
  });
}

interface Shown {
  readonly lang: Lang;
  /** Folder of the database. */
  readonly home: string;
}

async function readSettings(connection: Connection, { lang, home }: Shown): Promise<SettingsView> {
  const { given, saved } = connection.settings;
  const { guards, requestsPerHour } = await saved();
  const known = (await connection.meters.pacing.callsPerHour()) ?? null;
  const value = given.requestsPerHour ?? requestsPerHour;
  const learned = known === null ? "default" : "learned";
  return {
    baseUrl: connection.baseUrl,
    storeId: connection.storeId,
    home,
    priceUnit: await readUnit(connection),
    callsPerHour: {
      value: value ?? known,
      source: sourceOf(given.requestsPerHour, requestsPerHour) ?? learned,
    },
    guards: SHOWN_GUARDS.map((name): GuardLimitView => {
      const { min, max = null } = GUARD_RANGES[name];
      return {
        name,
        label: GUARD_LABELS[name][lang],
        value: given.guards[name] ?? guards[name] ?? GUARD_LIMITS[name],
        default: GUARD_LIMITS[name],
        source: sourceOf(given.guards[name], guards[name]) ?? "default",
        min,
        max,
      };
    }),
  };
}

const sourceOf = (given: unknown, saved: unknown): "file" | "saved" | undefined => {
  if (given !== undefined) return "file";
  return saved === undefined ? undefined : "saved";
};

/** The limits that a person may want to move; the others follow from how prices are written. */
const SHOWN_GUARDS = [
  "priceDropPercent",
  "priceRisePercent",
  "zeroStockPercent",
  "fewRowsPercent",
  "contentPercent",
] as const satisfies readonly (keyof GuardLimits)[];

const GUARD_LABELS: Readonly<
  Record<(typeof SHOWN_GUARDS)[number], Readonly<Record<Lang, string>>>
> = {
  priceDropPercent: {
    tr: "Fiyat en çok bu kadar düşebilir (%)",
    en: "A price may fall by at most (%)",
  },
  priceRisePercent: {
    tr: "Fiyat en çok bu kadar artabilir (%)",
    en: "A price may rise by at most (%)",
  },
  zeroStockPercent: {
    tr: "Ürünlerin en çok bu kadarının stoğu sıfırlanabilir (%)",
    en: "Share of products whose stock may become 0 (%)",
  },
  fewRowsPercent: {
    tr: "Dosya, öncekinin en az bu kadarı uzunlukta olmalı (%)",
    en: "A file must have at least this share of the rows of the one before (%)",
  },
  contentPercent: {
    tr: "Ürünlerin en çok bu kadarının metni, markası ya da görselleri topluca değişebilir (%)",
    en: "Share of products whose texts, brands or images may change alike (%)",
  },
};

async function readUnit(connection: Connection): Promise<PriceUnitView> {
  if (connection.priceUnit !== undefined) return { unit: connection.priceUnit, source: "file" };
  const stored = await readStoredPriceUnit(connection);
  if (stored === undefined) return { unit: null, source: "unknown" };
  return { unit: stored.unit, source: stored.proof };
}

/** Changes what a person has said; what was sent and read back is a proof that nobody overrules. */
async function setPriceUnit(connection: Connection, unit: "minor" | "major" | null): Promise<void> {
  const { source } = await readUnit(connection);
  if (source === "file" || source === "sent") {
    throw new RequestError(409, "E_SETTING_FIXED", {
      tr: "Fiyatların birimi gönderilen fiyatlardan ya da ayar dosyasından biliniyor; buradan değişmez.",
      en: "The unit of prices is known from prices that were sent or from the settings file; it does not change here.",
    });
  }
  if (unit === null) await forgetPriceUnit(connection);
  else await savePriceUnitSetting(connection, unit, "person");
}

const checkSchema = z.object({
  name: z.string(),
  state: z.enum(["ok", "warn", "fail", "skip"]),
  message: z.string(),
  fix: z.string().nullable(),
});
