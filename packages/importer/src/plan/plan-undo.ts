/** Plans a new run that undoes the changes of an earlier one, and finds the run that has undone one. */

import { type Connection, estimateSeconds, fieldLabel, recordCalls } from "@catalog/connection";
import { formatDateTime, formatNumber, InputError, type Lang } from "@catalog/i18n";
import { codeKey, FIELDS, findNamedField } from "@catalog/mapping";
import { createRuleFinder } from "@catalog/pricing";
import { createReadFieldTexts } from "@catalog/report";
import {
  countPlan,
  type Counts,
  countSentStock,
  createRun,
  planUndoRows,
  type Journal,
  readAllCodes,
  readAllRows,
  reconcileOpen,
  type RowKey,
  type RowRecord,
  type RunFile,
  type RunRecord,
  toCounts,
  toGuardSettings,
} from "@catalog/runs";

import { isRunOfActions, planTemplateUndo } from "../actions/undo-templates.ts";
import { feedKey, nameOfFeed } from "../feed/feed-name.ts";
import { type PriceRules, readPriceRules } from "../pricing/price-rules.ts";
import { createCostOf } from "../pricing/row-pricing.ts";
import { nameSource } from "../pricing/source-names.ts";
import { readCodeKeys } from "./plan-basis.ts";
import type { PlanFileOptions } from "./plan-options.ts";

/** The earlier run, and the settings of the new one. */
export interface PlanUndoOptions extends Pick<
  PlanFileOptions,
  "command" | "lang" | "reportDir" | "settings" | "signal" | "onRun" | "onProgress"
> {
  readonly run: RunRecord;
  /** What is undone of it; fields are named as people name them. @default the whole run */
  readonly part?: UndoPart | undefined;
  /** The product whose changes are taken back, as people name it. @default rows of the run are */
  readonly product?: string | undefined;
  /** Sets the stock of products that the run added to 0. @default false */
  readonly zeroStock?: boolean;
  /** Whether it is the end of the run's period. @default a person undoes the run */
  readonly isPeriodEnd?: boolean | undefined;
  /** Schedules whose syncs send. @default none */
  readonly schedules?: readonly SendingSchedule[] | undefined;
}

/** A schedule whose syncs send. */
interface SendingSchedule {
  readonly id: string;
  /** An absolute path or an address. */
  readonly feed: string;
  /** Name of the column profile that its syncs use. */
  readonly profile?: string | undefined;
}

type UndoPart = NonNullable<Parameters<typeof planUndoRows>[0]["part"]>;
type UndonePlan = Awaited<ReturnType<typeof planUndoRows>>;

/** Number of the earlier run's rows by outcome. */
export type PlannedUndo = UndonePlan["undo"];

/** Names the fields of a part as the marketplace does. Throws {@link InputError} for an unknown one. */
function resolvePart(part: UndoPart | undefined): UndoPart | undefined {
  if (part?.fields === undefined) return part;
  return { ...part, fields: resolveUndoFields(part.fields) };
}

/** Names fields as the marketplace does. Throws {@link InputError} for an unknown one. */
export const resolveUndoFields = (names: readonly string[]): readonly string[] => [
  ...new Set(names.flatMap(findSentFields)),
];

/** A field by the key or the header of its column, or by its own name. */
function findSentFields(name: string): readonly string[] {
  const isOwn = FIELDS.some(({ apiFields }) => apiFields.some((field) => field === name));
  const found = isOwn ? [name] : (findNamedField(name)?.apiFields ?? []);
  if (found.length > 0) return found;
  throw new InputError({
    tr: `"${name}" bir alan değil. Alanların adı şablonlardaki gibi yazılır: price,stock,title`,
    en: `"${name}" is no field. Fields are named as in templates: price,stock,title`,
  });
}

const HEADER = {
  tr: ["Ürün Kodu", "Geri Alınan"],
  en: ["Product Code", "Restored"],
} as const;

/** Plans the rows of `run` that have sent something, in its order and under its row numbers. */
export async function planUndo(
  connection: Connection,
  options: PlanUndoOptions,
): Promise<UndoPlanned> {
  if (!(await isRunOfActions(connection, options.run))) {
    return await planProductUndo(connection, options);
  }
  const { run, undo } = await planTemplateUndo(connection, options);
  return { run, undo: { ...undo, empty: 0, "already-empty": 0 } };
}

/** The run that undoes another one. */
interface UndoPlanned {
  readonly run: RunRecord;
  readonly undo: PlannedUndo;
}

async function planProductUndo(
  connection: Connection,
  { part, ...given }: PlanUndoOptions,
): Promise<UndoPlanned> {
  const options = { ...given, part: resolvePart(part) };
  const { client, journal, marketplace, clock, runs, verificationLog } = connection;
  const { run: old, signal } = options;
  const before = connection.meters.calls.counts();
  await client.login(signal === undefined ? {} : { signal });
  const open = { journal, marketplace, clock, sheet: old.file.sheet };
  await reconcileOpen({ ...open, ...(await readCodeKeys(connection)), signal });
  const runId = await createUndoRun(connection, options);
  await options.onRun?.(runId);

  const { zeroStock = false, lang, schedules = [] } = options;
  const prices = await readPriceRules(connection);
  const costOf = createCostOf(prices);
  const planned = await planUndoRows({
    run: old,
    runId,
    part: options.part,
    journal,
    marketplace,
    verificationLog,
    codeKey,
    guards: toGuardSettings(connection.guardLimits, options.settings?.allowed),
    // An undo has no file that could state costs.
    costOf: ({ codeKey: key }) => costOf(key),
    zeroStock,
    nameField: (field) => fieldLabel(field, lang),
    readTexts: createReadTexts(connection, options),
    signal,
  });
  const settings = options.settings ?? {};
  const progress = toProgress(options);
  const {
    planned: { stock, ...counts },
  } = await countPlan({
    runId,
    journal,
    estimate: (calls, pace) => estimateSeconds(connection, calls, pace),
    callsPerHour: await connection.meters.pacing.callsPerHour(),
    isVerified: settings.noVerify !== true,
  });
  const { priceUnit } = planned;
  const facts = {
    readBy: "lookups",
    priceUnit,
    planned: { ...counts, ...(stock === undefined || stock === 0 ? {} : { stock }) },
    capabilities: await verificationLog.readCapabilities(),
  } as const;
  const again = listSendingAgain(old, schedules, prices);
  const warnings = [
    ...(await warnOfUndo(connection, old, { ...planned, part: progress.undoPart })),
    ...(again.length > 0 && (await changesPrice(journal, runId)) ? [warnOfSchedules(again)] : []),
  ];
  await runs.update(runId, { state: "planned", facts, settings, progress, warnings });
  await recordCalls(connection, runId, before);
  const run = await runs.read(runId);
  if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
  return { run, undo: planned.undo };
}

function toProgress(options: PlanUndoOptions): RunRecord["progress"] {
  return {
    undoOf: options.run.id,
    undoPart: toUndonePart(options),
    ...(options.isPeriodEnd === true && { isPeriodEnd: true }),
  };
}

function toUndonePart({ part, product }: PlanUndoOptions): RunRecord["progress"]["undoPart"] {
  if (part === undefined) return undefined;
  const { fields, earlier } = part;
  return {
    ...(fields && { fields }),
    ...(product !== undefined && { product }),
    ...(earlier !== undefined && earlier.length > 0 && { earlier }),
  };
}

async function createUndoRun(
  { runs, clock }: Connection,
  { run, product, command, lang, reportDir }: PlanUndoOptions,
): Promise<string> {
  const file: RunFile = {
    path: "",
    name: `undo ${product ?? run.id}`,
    sha256: "",
    kind: "csv",
    sheet: run.file.sheet,
    ...(run.file.sheets && { sheets: run.file.sheets }),
    headerRow: run.file.headerRow,
    header: HEADER[lang],
  };
  return await createRun({ runs, clock }, (id) => {
    const dir = reportDir.replaceAll("{run}", id);
    return { id, command, file, mode: "update", lang, reportDir: dir, warnings: [] };
  });
}

/** Texts of the row, with names for ids, and the cells of its row in the result files. */
function createReadTexts(
  connection: Connection,
  { run, lang }: PlanUndoOptions,
): Parameters<typeof planUndoRows>[0]["readTexts"] {
  const readFieldTexts = createReadFieldTexts(connection, run);
  return async (record, { before, now }) => {
    const changes = (["brand_id", "shipping_template_id"] as const).map((field) => ({
      field,
      old: now?.[field],
      new: before?.[field],
    }));
    const texts = await readFieldTexts({ ...record, changes });
    return {
      formatValue: (field, value) => texts.sent(record, field, value, lang),
      // The code, and the old and the new value of each field.
      toCells(restored) {
        const lines = restored.changes.map(({ field, old, new: next }) => {
          const from = old === undefined ? "" : texts.replaced(restored, field, old, lang);
          const to = texts.sent(restored, field, next, lang);
          return `${fieldLabel(field, lang)}: ${from || "?"} → ${to || "?"}`;
        });
        return [record.code, lines.join("\n") || null];
      },
    };
  };
}

interface UndoPlan extends Pick<UndonePlan, "undo" | "left"> {
  /** @default the whole run is undone */
  readonly part?: RunRecord["progress"]["undoPart"];
}
type LeftFields = UndoPlan["left"];

/** States what the undo does, and which rows of the run `old` it leaves out. */
export async function warnOfUndo(
  connection: Pick<Connection, "journal">,
  old: RunRecord,
  plan: UndoPlan,
): Promise<RunRecord["warnings"]> {
  const counts = toCounts(await connection.journal.countRows(old.id));
  // Of chosen rows it is not said what the others wait for.
  if (plan.part !== undefined) return [toSummary(old, plan)];
  return [
    toSummary(old, plan),
    ...warnOfPruned(old, counts, plan.undo),
    ...warnOfHeld(old, counts),
  ];
}

/** Held rows were not sent, so there is nothing to undo; they can still be released. */
function warnOfHeld({ id }: RunRecord, { held }: Counts): RunRecord["warnings"] {
  if (held === 0) return [];
  const message = {
    tr: `${id} çalıştırmasında ${formatNumber(held, "tr")} satır hâlâ karar bekliyor. Geri almak bu satırları kapatmaz; catalog release ile yine gönderilebilirler. Gönderilmeyeceklerse kapatın: catalog release ${id} --cancel`,
    en: `${formatNumber(held, "en")} ${held === 1 ? "row" : "rows"} of ${id} still ${held === 1 ? "waits" : "wait"} for a decision. Undoing the run does not close such rows; catalog release would still send them. If they are not to be sent, close them: catalog release ${id} --cancel`,
  };
  return [{ code: "W_UNDO_HELD", message }];
}

/** The schedules whose price rules make the prices of the run `old` anew. */
function listSendingAgain(
  old: Pick<RunRecord, "file" | "progress">,
  schedules: readonly SendingSchedule[],
  { rules }: Pick<PriceRules, "rules">,
): readonly SendingSchedule[] {
  const { file, progress } = old;
  const names = progress.reading?.suppliers ?? nameSource({ file: file.path });
  const find = createRuleFinder(rules);
  // Rules on the store's own price hold whatever file has changed it.
  const isOfStore = rules.some(({ source }) => source === "store");
  return schedules.filter(({ feed, profile }) => {
    const [name = ""] = nameSource({ file: feed });
    const isSame = file.feed === feedKey(feed) || names.includes(name);
    // The file of a folder has another name than the folder.
    const suppliers = [...nameSource({ file: feed, profile }), ...(isSame ? names : [])];
    const facts = { categories: [], brands: [], suppliers };
    const found = find("price", { ...facts, amountOf: () => "missing" });
    return found !== undefined && (isOfStore || isSame);
  });
}

async function changesPrice(journal: Journal, runId: string): Promise<boolean> {
  for await (const rows of readAllRows(journal, runId, { states: ["ready", "held"] })) {
    if (rows.some(({ changes }) => changes.some(({ field }) => PRICES.has(field)))) return true;
  }
  return false;
}

const PRICES: ReadonlySet<string> = new Set(["price", "discount_value", "has_discount"]);

const MIN_ID_CHARS = 6;

function warnOfSchedules(schedules: readonly SendingSchedule[]): Warning {
  const ids = schedules.map(({ id }) => id.slice(0, MIN_ID_CHARS));
  const names = schedules.map(({ feed }, at) => `“${nameOfFeed(feed)}” (${ids[at] ?? ""})`);
  const pause = ids.map((id) => `catalog schedule pause ${id}`).join(", ");
  const isOne = ids.length === 1;
  return {
    code: "W_UNDO_SCHEDULED",
    message: {
      tr: `${names.join(", ")} ${isOne ? "zamanlaması" : "zamanlamaları"} fiyat kurallarıyla gönderiyor; sonraki eşitleme geri alınan fiyatları yeniden gönderir. Göndermesin istiyorsanız önce duraklatın: ${pause}`,
      en: `The ${isOne ? "schedule" : "schedules"} ${names.join(", ")} ${isOne ? "sends" : "send"} by price rules; the next sync sends the undone prices again. If it should not, pause it first: ${pause}`,
    },
  };
}

/** Warns of rows whose records were deleted, as later runs had sent all of their fields again. */
function warnOfPruned(
  { id, prunedAtMs }: RunRecord,
  { added, updated }: Counts,
  undo: PlannedUndo,
): RunRecord["warnings"] {
  if (prunedAtMs === undefined) return [];
  const left = added + updated - Object.values(undo).reduce((sum, rows) => sum + rows, 0);
  if (left <= 0) return [];
  const day = (lang: Lang): string => formatDateTime(prunedAtMs, lang, { dateStyle: "medium" });
  const message = {
    tr: `${id} çalıştırmasının ${left} satırı geri alınamaz: sonraki çalıştırmalar aynı alanları yeniden göndermiş, satırların kaydı da ${day("tr")} tarihinde silinmiş.`,
    en: `${left} rows of ${id} cannot be undone: later runs have sent the same fields again, and the records of these rows were deleted on ${day("en")}.`,
  };
  return [{ code: "W_UNDO_PRUNED", message }];
}

function toSummary({ file, progress }: RunRecord, { undo, left, part }: UndoPlan): Warning {
  const counted = OUTCOMES.filter((outcome) => undo[outcome] > 0);
  const list = (lang: Lang): string =>
    counted
      .map((outcome) =>
        SUMMARY[lang][outcome](formatNumber(undo[outcome], lang), describeLeft(left, lang)),
      )
      .join(", ");
  const { product } = part ?? {};
  const isUndo = progress.undoOf !== undefined && product === undefined;
  const of = `“${product ?? file.name}”`;
  const only = (lang: Lang): string => describeFields(part?.fields, lang);
  return {
    code: "W_UNDO",
    message: {
      tr: `${isUndo ? "Bir geri alma" : of}${only("tr")} geri alınıyor: ${list("tr")}.`,
      en: `Undoing ${isUndo ? "an undo" : of}${only("en")}: ${list("en")}.`,
    },
  };
}

/** The chosen fields in parentheses; empty where all are undone. */
const describeFields = (fields: readonly string[] | undefined, lang: Lang): string =>
  fields === undefined ? "" : ` (${fields.map((field) => fieldLabel(field, lang)).join(", ")})`;

type Warning = RunRecord["warnings"][number];

/** In the order in which they are shown. */
const OUTCOMES = [
  "restore",
  "partly",
  "empty",
  "kept",
  "added",
  "not-undoable",
  "already",
  "already-empty",
] as const satisfies readonly (keyof PlannedUndo)[];

/** The fields that stay, in words. */
function describeLeft({ hidden, kept }: LeftFields, lang: Lang): string {
  const name = (fields: readonly string[]): string =>
    fields.map((field) => fieldLabel(field, lang)).join(", ");
  const parts = [
    hidden.length === 0 ? "" : LEFT[lang].hidden(name(hidden)),
    kept.length === 0 ? "" : LEFT[lang].kept(name(kept)),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

const LEFT: Readonly<Record<Lang, Readonly<Record<keyof LeftFields, (fields: string) => string>>>> =
  {
    tr: {
      hidden: (fields) => `${fields} geri alınamaz`,
      kept: (fields) => `${fields} o zamandan beri değişmiş, olduğu gibi kalacak`,
    },
    en: {
      hidden: (fields) => `${fields} cannot be undone`,
      kept: (fields) => `${fields} changed since, left alone`,
    },
  };

const SUMMARY: Readonly<
  Record<Lang, Readonly<Record<keyof PlannedUndo, (count: string, left: string) => string>>>
> = {
  tr: {
    restore: (count) => `${count} ürün eski hâline dönecek`,
    partly: (count, left) => `${count} ürün kısmen eski hâline dönecek (${left})`,
    empty: (count) => `eklenen ${count} ürünün stoğu 0 yapılacak (ürün silinemez)`,
    kept: (count) => `${count} ürüne dokunulmayacak (o zamandan beri değişmiş)`,
    added: (count) => `eklenen ${count} ürün mağazada kalacak (ürün silinemez)`,
    "not-undoable": (count) => `${count} ürün geri alınamaz`,
    already: (count) => `${count} ürün zaten eski hâlinde`,
    "already-empty": (count) => `eklenen ${count} ürünün stoğu zaten 0`,
  },
  en: {
    restore: (count) => `${count} to restore`,
    partly: (count, left) => `${count} to restore in part (${left})`,
    empty: (count) => `${count} added, whose stock becomes 0 (products cannot be deleted)`,
    kept: (count) => `${count} left alone (changed since)`,
    added: (count) => `${count} added, which stay in the store (products cannot be deleted)`,
    "not-undoable": (count) => `${count} that cannot be undone`,
    already: (count) => `${count} already as before`,
    "already-empty": (count) => `${count} added, whose stock is 0 already`,
  },
};

/** The undo of a run, and how much of the run was taken back. */
export interface RunUndo {
  /** The latest undo of the run. */
  readonly run: RunRecord;
  /**
   * Rows that are as they were before the run, over all of its undos. A row that was restored in part
   * counts as well.
   */
  readonly restored: number;
  /** Rows that the run has sent, before the undo or after it. */
  readonly sent: number;
}

/** A run whose undo is looked for. */
type SentRun = Pick<RunRecord, "id" | "facts">;

/**
 * The latest undo of `run` that was not wholly undone itself, with what earlier undos of chosen rows
 * have taken back. It may leave rows of the run.
 */
export async function findUndo(
  connection: Pick<Connection, "runs" | "journal">,
  run: SentRun,
): Promise<RunUndo | undefined> {
  const { runs, journal } = connection;
  let latest: RunRecord | undefined;
  let restored = 0;
  const chosen = new Set<number>();
  for (const undo of await runs.listUndos(run.id)) {
    const { updated, unchanged } = toCounts(await journal.countRows(undo.id));
    if (updated === 0) continue;
    const redone = (await findUndo(connection, undo))?.restored ?? 0;
    if (redone >= updated) continue;
    latest ??= undo;
    if (undo.progress.undoPart !== undefined) {
      for (const row of await readRestored(journal, undo, run.id)) chosen.add(row);
      restored -= redone;
      continue;
    }
    // Rows of which an earlier undo has made what they were are unchanged in this one.
    restored += updated + unchanged - redone - (await countSentSince(journal, run, undo));
    for (const row of chosen) if (await isRestored(journal, undo, row)) chosen.delete(row);
    break;
  }
  if (latest === undefined) return undefined;
  return { run: latest, restored: restored + chosen.size, sent: await countSent(journal, run) };
}

/** Whether the undo has left rows or fields that the run has sent, or rows were sent after it. */
export const isPartialUndo = ({ run, restored, sent }: RunUndo): boolean =>
  restored < sent || run.progress.undoPart?.fields !== undefined;

/** Rows of the run `runId` that an undo of chosen rows has taken back. */
async function readRestored(
  journal: Journal,
  { id, progress: { undoOf, undoPart } }: RunRecord,
  runId: string,
): Promise<readonly number[]> {
  const rows: number[] = [];
  for await (const codes of readAllCodes(journal, id, { states: [...RESTORED] })) {
    rows.push(...codes.map(({ row }) => row));
  }
  if (undoOf === runId) return rows;
  const earlier = undoPart?.earlier?.filter((key) => key.runId === runId) ?? [];
  return rows.length === 0 ? [] : earlier.map(({ row }) => row);
}

async function isRestored(journal: Journal, undo: RunRecord, row: number): Promise<boolean> {
  const [record] = await journal.readRows(undo.id, { after: row - 1, limit: 1 });
  return record?.row === row && RESTORED.has(record.state);
}

/** Only runs that have split a row send its parts at two times. */
const hasSplitRows = ({ facts }: SentRun): boolean => (facts?.planned.stock ?? 0) > 0;

async function countSent(journal: Journal, run: SentRun): Promise<number> {
  const { added, updated } = toCounts(await journal.countRows(run.id));
  const stock = hasSplitRows(run) ? await countSentStock({ journal, runId: run.id }) : 0;
  return added + updated + stock;
}

/** Counts the rows whose stock the undo has taken back, and whose rest was sent after it. */
async function countSentSince(journal: Journal, run: SentRun, undo: RunRecord): Promise<number> {
  if (!hasSplitRows(run)) return 0;
  let sent = 0;
  for await (const rows of readAllRows(journal, run.id, { states: ["done"] })) {
    for (const { row, updatedAtMs } of rows) {
      if (updatedAtMs > undo.createdAtMs && (await isRestored(journal, undo, row))) sent += 1;
    }
  }
  return sent;
}

const RESTORED: ReadonlySet<RowRecord["state"]> = new Set(["done", "unchanged"]);

/** The undo of a row: the run that sent it, and the row of that run. */
export interface RowUndo {
  readonly run: RunRecord;
  readonly record: RowRecord;
}

/** The latest undo that has changed the product of the row, and was not undone itself. */
export async function findRowUndo(
  connection: Pick<Connection, "runs" | "journal">,
  { id }: Pick<RunRecord, "id">,
  row: number,
): Promise<RowUndo | undefined> {
  for (const run of await connection.runs.listUndos(id)) {
    const record = await readUndoing(connection.journal, run, { runId: id, row });
    if (record?.state !== "done") continue;
    if ((await findRowUndo(connection, run, record.row)) === undefined) return { run, record };
  }
  return undefined;
}

/** Reads the row of an undo that takes back a row; `undefined` where it leaves the row. */
async function readUndoing(
  journal: Journal,
  { id, progress: { undoOf, undoPart } }: RunRecord,
  { runId, row }: RowKey,
): Promise<RowRecord | undefined> {
  // An undo keeps the row numbers of the run that it undoes.
  if (undoOf === runId) {
    const [record] = await journal.readRows(id, { after: row - 1, limit: 1 });
    return record?.row === row ? record : undefined;
  }
  const isEarlier = undoPart?.earlier?.some((key) => key.runId === runId && key.row === row);
  // Rows of earlier runs are taken back with one row.
  return isEarlier === true ? (await journal.readRows(id, { limit: 1 }))[0] : undefined;
}
