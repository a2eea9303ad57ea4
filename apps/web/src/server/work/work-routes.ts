/** Routes of the other work: exports, rules, templates, settings. */

import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";

import { type Connection, priceUnitOf } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { openRemembered } from "@catalog/importer";
import { findField, valueRules } from "@catalog/mapping";
import { GUARDS } from "@catalog/runs/guards";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import { fieldKey, readingId } from "../../api/session.ts";
import {
  type CheckView,
  type GuardLimitView,
  limitsBody,
  type MadeFile,
  priceUnitBody,
  type PriceUnitView,
  type RulesView,
  type SettingsView,
  shareBody,
  templateBody,
} from "../../api/work.ts";
import { noteChange } from "../audit.ts";
import { findCategories } from "../drafts/draft-routes.ts";
import { readKey, toProblem, toRefusal } from "../failures.ts";
import { makeFileFolder, receiveFile, sendFile } from "../files.ts";
import { needs } from "../needs.ts";
import { plainAdvice } from "../plain-advice.ts";
import { type AddRoutes, parseInput, RequestError, requestLang, type Site } from "../site.ts";
import { readFileName } from "../uploads.ts";
import { addAlerts } from "./alert-routes.ts";
import { addPriceRules, readPriceRulesView } from "./price-rules.ts";

type Remembered = ReturnType<typeof openRemembered>;

/** Reads all that is remembered, in the words of a language. */
async function readRulesView(connection: Connection, lang: Lang): Promise<RulesView> {
  const remembered = openRemembered(connection);
  const { rules, remembered: readings, defaults, profiles } = await remembered.list();
  const nameField = (key: string): string => findField(key)?.header[lang] ?? key;
  const labelOf = (field: string): string => remembered.nameField(field)[lang];
  const collator = new Intl.Collator(lang);
  return {
    fields: valueRules.fields.map((field) => ({ field, label: labelOf(field) })),
    names: rules
      .map(({ field, value, target, isShared = false }) => {
        return { field, label: labelOf(field), value, target, isShared };
      })
      .toSorted((a, b) => collator.compare(a.label, b.label) || collator.compare(a.value, b.value)),
    files: readings.map(({ id, kind, learntFrom, entries }) => ({
      id,
      kind,
      file: learntFrom,
      entries: Object.entries(entries).map(([header, entry]) => ({
        header,
        text: kind === "columns" ? nameEntry(entry, nameField, lang) : DECIMALS[lang](entry),
      })),
    })),
    defaults: Object.entries(defaults).map(([field, value]) => ({
      field,
      label: nameField(field),
      value,
    })),
    profiles: profiles.map(({ name, columns, isShared = false }) => ({
      name,
      columns: Object.keys(columns).length,
      isShared,
    })),
    prices: await readPriceRulesView(connection, lang),
  };
}

const LEFT_OUT: Readonly<Record<Lang, string>> = { tr: "alınmaz", en: "left out" };

const nameEntry = (entry: string, nameField: (key: string) => string, lang: Lang): string =>
  entry === "-" ? LEFT_OUT[lang] : nameField(entry);

const DECIMALS: Readonly<Record<Lang, (sign: string) => string>> = {
  tr: (sign) => (sign === "comma" ? "ondalık virgül" : "ondalık nokta"),
  en: (sign) => (sign === "comma" ? "decimal comma" : "decimal point"),
};

function addSettings(app: FastifyInstance, site: Site): void {
  const read = async (lang: Lang): Promise<SettingsView> => {
    const connection = await site.store.connection();
    return await readSettings(connection, { lang, home: dirname(site.folder) });
  };
  app.get("/settings", needs("viewer"), async (request) => await read(requestLang(request)));
  app.put("/settings/limits", needs("administrator"), async (request) => {
    const { guards, callsPerHour } = parseInput(limitsBody, request.body);
    const { settings } = await site.store.connection();
    const after = { guards, requestsPerHour: callsPerHour };
    noteChange(request, { before: await settings.saved(), after });
    await settings.save({ guards, requestsPerHour: callsPerHour ?? undefined });
    return await read(requestLang(request));
  });
  app.put("/settings/price-unit", needs("administrator"), async (request) => {
    const { unit } = parseInput(priceUnitBody, request.body);
    noteChange(request, { after: { unit } });
    await setPriceUnit(await site.store.connection(), unit);
    return await read(requestLang(request));
  });
  app.post(
    "/settings/check",
    needs("administrator"),
    async (request): Promise<readonly CheckView[]> => {
      const lang = requestLang(request);
      const ended = await site.startCommand(["doctor", `--lang=${lang}`]).ended;
      const { document } = ended;
      const problem = toProblem(ended, lang);
      if (problem?.code === "E_DISK_FULL") throw toRefusal(problem);
      const checks = z.array(checkSchema).safeParse(readKey(document, "checks")).data ?? [];
      return checks.map(({ fix, ...check }) =>
        Object.assign(check, { fix: fix && plainAdvice(fix) }),
      );
    },
  );
}

interface Shown {
  readonly lang: Lang;
  readonly home: string;
}

async function readSettings(connection: Connection, { lang, home }: Shown): Promise<SettingsView> {
  const { given, saved } = connection.settings;
  const { guards, requestsPerHour } = await saved();
  const known = (await connection.meters.pacing.callsPerHour()) ?? null;
  const value = given.requestsPerHour ?? requestsPerHour;
  const learned = known === null ? "default" : "learned";
  return {
    name: connection.storeName ?? null,
    baseUrl: connection.baseUrl,
    storeId: connection.storeId,
    home,
    priceUnit: await readUnit(connection),
    callsPerHour: {
      value: value ?? known,
      source: sourceOf(given.requestsPerHour, requestsPerHour) ?? learned,
    },
    guards: GUARDS.limits.flatMap((name): readonly GuardLimitView[] => {
      const { min, max = null, label } = GUARDS.ranges[name];
      if (label === undefined) return [];
      const view = {
        name,
        label: label[lang],
        value: given.guards[name] ?? guards[name] ?? GUARDS.defaults[name],
        default: GUARDS.defaults[name],
        source: sourceOf(given.guards[name], guards[name]) ?? "default",
        min,
        max,
      } as const;
      return [view];
    }),
  };
}

const sourceOf = (given: unknown, saved: unknown): "file" | "saved" | undefined => {
  if (given !== undefined) return "file";
  return saved === undefined ? undefined : "saved";
};

async function readUnit(connection: Connection): Promise<PriceUnitView> {
  if (connection.priceUnit !== undefined) return { unit: connection.priceUnit, source: "file" };
  const stored = await priceUnitOf(connection).stored();
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
  if (unit === null) await priceUnitOf(connection).forget();
  else await priceUnitOf(connection).save(unit, "person");
}

const checkSchema = z.object({
  name: z.string(),
  state: z.enum(["ok", "warn", "fail", "skip"]),
  message: z.string(),
  fix: z.string().nullable(),
});

/** Adds the routes. */
export const addWorkRoutes: AddRoutes = (app, site) => {
  addRuleRoutes(app, site);
  addTemplates(app, site);
  addSettings(app, site);
  addAlerts(app, site);
};

const ruleText = z.string().min(1).max(2_000);
const ruleName = { field: ruleText, value: ruleText };
const ruleBody = z.object({ ...ruleName, target: ruleText });
const removeRuleBody = z.object(ruleName);
const forgetBody = z.object({ id: readingId });
const removeDefaultBody = z.object({ id: fieldKey });

function addRuleRoutes(app: FastifyInstance, site: Site): void {
  const connect = async (): Promise<Connection> => await site.store.connection();
  const view = async (request: FastifyRequest): Promise<RulesView> =>
    await readRulesView(await connect(), requestLang(request));
  addPriceRules(app, site, view);
  app.get("/rules", needs("viewer"), view);
  /** A change, whose answer is all that is remembered then. */
  const change =
    <Body>(schema: z.ZodType<Body>, make: (of: Remembered, body: Body) => Promise<unknown>) =>
    async (request: FastifyRequest): Promise<RulesView> => {
      await make(openRemembered(await connect()), parseInput(schema, request.body));
      return await view(request);
    };
  app.post(
    "/rules",
    needs("editor"),
    change(ruleBody, ({ addRules }, rule) => addRules([rule])),
  );
  app.post(
    "/rules/remove",
    needs("editor"),
    change(removeRuleBody, ({ removeRule }, rule) => removeRule(rule)),
  );
  app.post(
    "/rules/forget",
    needs("editor"),
    change(forgetBody, ({ forget }, { id }) => forget(id)),
  );
  app.post(
    "/rules/default/remove",
    needs("editor"),
    change(removeDefaultBody, ({ removeDefault }, { id }) => removeDefault(id)),
  );
  for (const does of ["share", "unshare"] as const) {
    app.post(`/rules/${does}`, needs("all-stores"), async (request) => {
      const what = parseInput(shareBody, request.body);
      noteChange(request, { after: what });
      if (!(await openRemembered(await connect())[does](what))) throw notThere();
      return await view(request);
    });
  }
  app.get("/rules/file", needs("viewer"), async (request, reply) => {
    const { path } = makeFileFolder(join(site.folder, "files"));
    const lang = requestLang(request);
    const name = lang === "tr" ? "kurallar.xlsx" : "rules.xlsx";
    const file = join(path, name);
    await openRemembered(await connect()).exportRules({ path: file, lang });
    return await sendFile(reply, { path: file, name });
  });
  // The parser of uploads hands the body on unread; its length is counted while it is written.
  app.post(
    "/rules/file",
    { ...needs("editor"), bodyLimit: Number.MAX_SAFE_INTEGER },
    async (request) => {
      const remembered = openRemembered(await connect());
      const name = readFileName(request.headers["x-file-name"], "rules.csv");
      const folder = join(site.folder, "files");
      const body = parseInput(z.instanceof(Readable), request.body);
      const { path } = await receiveFile(body, { folder, name, maxBytes: RULE_FILE_BYTES });
      try {
        await remembered.importRules({ path });
      } finally {
        await rm(path, { force: true });
      }
      return await view(request);
    },
  );
}

/** It was shared, or taken away, in another window. */
const notThere = (): RequestError =>
  new RequestError(409, "E_RULES_CHANGED", {
    tr: "Bu kural bu arada değişti; bir şey yapılmadı. Sayfayı yenileyin.",
    en: "This rule has changed meanwhile; nothing was done. Reload the page.",
  });

const RULE_FILE_BYTES = 20 * 1024 * 1024;

interface FilePath {
  readonly Params: { readonly file: string; readonly name: string };
}

const TEMPLATE_NAMES: Readonly<Record<"products" | "stock-price", Readonly<Record<Lang, string>>>> =
  {
    products: { tr: "urun-sablonu.xlsx", en: "product-template.xlsx" },
    "stock-price": { tr: "stok-fiyat.xlsx", en: "stock-price.xlsx" },
  };

const lookupSchema = z.object({ text: z.string().max(1_000).default("") });

function addTemplates(app: FastifyInstance, site: Site): void {
  const root = join(site.folder, "files");
  app.post("/templates", needs("editor"), async (request): Promise<MadeFile> => {
    const { kind, categories } = parseInput(templateBody, request.body);
    const lang = requestLang(request);
    const { id, path } = makeFileFolder(root);
    const name = TEMPLATE_NAMES[kind][lang];
    const words = ["template", `--kind=${kind}`, `--out=${join(path, name)}`, `--lang=${lang}`];
    const chosen = categories.map((category) => `--category=${category}`);
    const ended = await site.startCommand([...words, ...chosen]).ended;
    const problem = toProblem(ended, lang);
    if (problem === null) return { id, name };
    throw toRefusal(problem, 400);
  });
  app.get("/lookup/categories", needs("viewer"), async (request) => {
    const { text } = parseInput(lookupSchema, request.query);
    return await findCategories(await site.store.connection(), text);
  });
  app.get<FilePath>("/files/:file/:name", needs("viewer"), async (request, reply) => {
    const name = Object.values(TEMPLATE_NAMES)
      .flatMap((names) => Object.values(names))
      .find((known) => known === request.params.name);
    const folder = join(root, request.params.file);
    return await sendFile(reply, { path: join(folder, name ?? ""), name: name ?? "" });
  });
}
