/**
 * Plans the undo of a run of shipping templates: each field that still has the value that we sent
 * gets the one from before. What others have changed since is left. A template that was created
 * stays, because the API has no way to delete one; no other action can be taken back either.
 */

import { isDeepStrictEqual } from "node:util";

import { type Connection, fieldLabels, recordCalls, toTemplateView } from "@catalog/connection";
import { endpoints, type ShippingTemplate } from "@catalog/contract";
import { listHeaders, REFERENCE_FIELDS } from "@catalog/exporter";
import { formatNumber, InputError, type Lang, type Localized } from "@catalog/i18n";
import { headerKey } from "@catalog/mapping";
import {
  type ActionCandidate,
  createRun,
  isAction,
  type IssueLocation,
  planActions,
  readAllRows,
  reconcileOpen,
  type RowIssue,
  type RowRecord,
  type RunRecord,
  subjectKey,
} from "@catalog/runs";

import { readCodeKeys } from "../plan/plan-basis.ts";
import { openReportFolder } from "../plan/plan-file.ts";
import { type ActionPlanOptions, savePlan } from "./plan-action-file.ts";
import { toTemplateIssue } from "./template-issues.ts";
import { readTemplateLists, type TemplateLists } from "./template-names.ts";

/** Number of rows by what becomes of them. */
type TemplateUndo = Readonly<
  Record<"restore" | "partly" | "kept" | "added" | "not-undoable" | "already", number>
>;

interface UndoTemplatesOptions extends ActionPlanOptions {
  /** The run that is undone. */
  readonly run: RunRecord;
  /** @default the whole run */
  readonly part?:
    | {
        readonly isChosen?: ((row: number) => boolean) | undefined;
        readonly fields?: readonly string[] | undefined;
      }
    | undefined;
}

/** The fields of the calls, by their own names or by the headers of the export. */
function findFields(name: string): readonly string[] {
  const column = listHeaders("templates").find(({ key, header }) =>
    [key, header.tr, header.en].some((each) => headerKey(each) === headerKey(name)),
  );
  const field = column?.key ?? "";
  if (field in endpoints.shippingTemplate.update.input.shape) return [field];
  throw new InputError({
    tr: `"${name}" bir teslimat şablonu alanı değil. Alanların adı dışa aktarılan dosyadaki gibi yazılır: “Kargo Notu”`,
    en: `"${name}" is no field of a shipping template. Fields are named as in the exported file: “Shipping Note”`,
  });
}

/** Whether the run has done something to subjects, and not to products. */
export async function isRunOfActions(
  { journal }: Pick<Connection, "journal">,
  { id }: Pick<RunRecord, "id">,
): Promise<boolean> {
  const [first] = await journal.readRows(id, { states: ["done"], limit: 1 });
  return first !== undefined && isAction(first.action);
}

const SUMMARY: Readonly<Record<keyof TemplateUndo, (count: string) => Localized>> = {
  restore: (count) => ({
    tr: `${count} şablon eski hâline dönecek`,
    en: `${count} to restore`,
  }),
  partly: (count) => ({
    tr: `${count} şablon kısmen eski hâline dönecek`,
    en: `${count} to restore in part`,
  }),
  kept: (count) => ({
    tr: `${count} şablona dokunulmayacak (o zamandan beri değişmiş)`,
    en: `${count} left alone (changed since)`,
  }),
  added: (count) => ({
    tr: `oluşturulan ${count} şablon mağazada kalacak (şablon silinemez)`,
    en: `${count} created, which stay in the store (templates cannot be deleted)`,
  }),
  "not-undoable": (count) => ({
    tr: `${count} satır geri alınamaz`,
    en: `${count} that cannot be undone`,
  }),
  already: (count) => ({
    tr: `${count} şablon zaten eski hâlinde`,
    en: `${count} already as before`,
  }),
};

const OUTCOMES = ["restore", "partly", "kept", "added", "not-undoable", "already"] as const;

function summarize({ file }: RunRecord, undo: TemplateUndo): RunRecord["warnings"][number] {
  const parts = (lang: Lang): string =>
    OUTCOMES.filter((outcome) => undo[outcome] > 0)
      .map((outcome) => SUMMARY[outcome](formatNumber(undo[outcome], lang))[lang])
      .join(", ");
  return {
    code: "W_UNDO",
    message: {
      tr: `“${file.name}” geri alınıyor: ${parts("tr")}.`,
      en: `Undoing “${file.name}”: ${parts("en")}.`,
    },
  };
}

const HEADER = {
  tr: ["Şablon", "Geri Alınan"],
  en: ["Template", "Restored"],
} as const;

/** Plans the rows of `run` that were carried out, in its order and under its row numbers. */
export async function planTemplateUndo(
  connection: Connection,
  options: UndoTemplatesOptions,
): Promise<{ readonly run: RunRecord; readonly undo: TemplateUndo }> {
  const { client, journal, marketplace, clock, runs, meters } = connection;
  const { run: old, command, lang, signal } = options;
  const { actions } = marketplace;
  if (actions === undefined) throw new Error("this marketplace takes no actions");
  const part = { ...options.part, fields: options.part?.fields?.flatMap(findFields) };
  const before = meters.calls.counts();
  await client.login(signal === undefined ? {} : { signal });
  const open = { journal, marketplace, clock, sheet: old.file.sheet };
  await reconcileOpen({ ...open, ...(await readCodeKeys(connection)), signal });
  const { sheet, headerRow } = old.file;
  const name = `undo ${old.id}`;
  const file = { path: "", name, sha256: "", kind: "csv", sheet, headerRow } as const;
  const runId = await createRun({ runs, clock }, async (id) => {
    const reportDir = options.reportDir.replaceAll("{run}", id);
    await openReportFolder(reportDir);
    const header = HEADER[lang];
    return {
      id,
      command,
      file: { ...file, header },
      mode: "update",
      lang,
      reportDir,
      warnings: [],
    };
  });
  const undoPart = part.fields && { fields: part.fields };
  await runs.update(runId, {
    progress: { actions: { kind: "templates" }, undoOf: old.id, undoPart },
  });
  await options.onRun?.(runId);
  const lists = await readTemplateLists(connection, signal);
  const planned = await storeRows(connection, { runId, old, lists, lang, ...part });
  await planActions({
    runId,
    journal,
    actions,
    clock,
    toCandidates: (rows) => rows.flatMap(({ row }) => planned.candidates.get(row) ?? []),
    nameRow: String,
    signal,
  });
  await savePlan(connection, { runId, options });
  await runs.addWarnings(runId, [summarize(old, planned.undo)]);
  await recordCalls(connection, runId, before);
  const run = await runs.read(runId);
  if (run === undefined) throw new Error(`run ${runId} was planned and is gone`);
  return { run, undo: planned.undo };
}

interface RowsToUndo extends Pick<UndoneRow, "old" | "lists" | "lang" | "fields"> {
  readonly runId: string;
  /** @default all rows are */
  readonly isChosen?: ((row: number) => boolean) | undefined;
}

async function storeRows(
  { journal }: Pick<Connection, "journal">,
  { runId, isChosen, ...undone }: RowsToUndo,
): Promise<{
  readonly candidates: ReadonlyMap<number, ActionCandidate>;
  readonly undo: TemplateUndo;
}> {
  const { old, lists } = undone;
  const undo = { restore: 0, partly: 0, kept: 0, added: 0, "not-undoable": 0, already: 0 };
  const candidates = new Map<number, ActionCandidate>();
  for await (const rows of readAllRows(journal, old.id, { states: ["done"] })) {
    const chosen = rows.filter(({ row }) => isChosen?.(row) !== false);
    const parsed = chosen.map((record) => {
      const { outcome, candidate, text } = planRow({ ...undone, record });
      undo[outcome] += 1;
      candidates.set(record.row, candidate);
      const { row, code, codeKey } = record;
      const name = lists.byId.get(code ?? "")?.template_name ?? code;
      return { row, cells: [name, text || null], code, codeKey };
    });
    await journal.appendRows(runId, parsed);
  }
  return { candidates, undo };
}

interface UndoneRow {
  readonly record: RowRecord;
  readonly lists: TemplateLists;
  readonly old: RunRecord;
  /** @default all that the row has sent */
  readonly fields: readonly string[] | undefined;
  readonly lang: Lang;
}

interface PlannedRow {
  readonly outcome: keyof TemplateUndo;
  readonly candidate: ActionCandidate;
  /** What is restored, for people. */
  readonly text: string;
}

function planRow(undone: UndoneRow): PlannedRow {
  const { record, lists } = undone;
  const { code, action } = record;
  const at = locate(undone);
  if (action === "create-template") {
    return leave(undone, "added", [toTemplateIssue("W_UNDO_TEMPLATE", at, code ?? "")]);
  }
  if (action !== "update-template") {
    return leave(undone, "not-undoable", [toTemplateIssue("W_UNDO_ACTION", at)]);
  }
  const now = lists.byId.get(code ?? "");
  if (now === undefined) {
    return leave(undone, "not-undoable", [toTemplateIssue("W_UNDO_GONE", at)]);
  }
  const found = sortFields(undone, now);
  if (found.restored.length > 0) return restore(undone, now.id, found);
  const isHidden = found.hidden.length > 0;
  const outcome = isHidden ? "not-undoable" : "already";
  return leave(undone, found.kept.length > 0 ? "kept" : outcome, describeLeft(lists, found, at));
}

const locate = ({ record: { row, code }, old }: UndoneRow): IssueLocation => ({
  sheet: old.file.sheet,
  row,
  column: "",
  cell: "",
  value: code ?? "",
});

/** Nothing of the row is restored. */
const leave = (
  undone: UndoneRow,
  outcome: keyof TemplateUndo,
  issues: readonly RowIssue[],
): PlannedRow => ({
  outcome,
  text: "",
  candidate: {
    row: undone.record.row,
    subject: undone.record.code,
    codeKey: null,
    action: null,
    call: null,
    wanted: {},
    issues,
    location: locate(undone),
    isAsShown: outcome === "already",
  },
});

function restore(undone: UndoneRow, id: string, found: SortedFields): PlannedRow {
  const { record, lists, lang } = undone;
  const location = locate(undone);
  const { restored } = found;
  const call = toCall(id, restored);
  if (call === undefined) {
    const hidden = restored.map(({ field }) => field);
    return leave(undone, "not-undoable", describeLeft(lists, { ...found, hidden }, location));
  }
  const name = restored.find(({ field }) => field === "template_name")?.old;
  const same = typeof name !== "string" ? [] : (lists.byName.get(headerKey(name)) ?? []);
  const others = same.flatMap((one) => (one.id === id ? [] : [one.id]));
  const lines = restored.map(({ field, now: from, old: to }) =>
    describe(lists, { field, from, to, lang }),
  );
  return {
    outcome: found.kept.length + found.hidden.length === 0 ? "restore" : "partly",
    text: lines.join("\n"),
    candidate: {
      row: record.row,
      subject: id,
      codeKey: subjectKey("update-template", id),
      action: "update-template",
      call,
      wanted: Object.fromEntries(restored.map(({ field, old: value }) => [field, value])),
      issues: describeLeft(lists, found, location),
      location,
      ...(others.length > 0 && {
        hold: toTemplateIssue("E_TEMPLATE_RENAME", location, others.join(", ")),
      }),
    },
  };
}

/** A field with the value before our change, and the one shown now. */
interface UndoneField {
  readonly field: string;
  readonly old: unknown;
  readonly now: unknown;
  readonly ours: unknown;
}

interface SortedFields {
  readonly restored: readonly UndoneField[];
  readonly kept: readonly UndoneField[];
  readonly hidden: readonly string[];
}

/** Decides each field three-way, then those that mean nothing without another one. */
function sortFields({ record, old, fields }: UndoneRow, now: ShippingTemplate): SortedFields {
  const shown = toTemplateView(now).fields;
  const changed = record.changes
    .filter(({ field }) => fields?.includes(field) !== false)
    .map(({ field, old: before, new: ours }) => ({ field, old: before, now: shown[field], ours }));
  const of = (kind: ReturnType<typeof judgeField>): readonly UndoneField[] =>
    changed.filter((one) => judgeField(one) === kind);
  const ours = of("ours");
  const lost = Object.entries(old.facts?.lost?.[String(record.row)] ?? {})
    .map(([field, value]) => ({ field, old: value, now: shown[field], ours: shown[field] }))
    .filter((one) => isNeeded(one, ours));
  const restored = [...ours, ...lost].filter((one) => !isImplied(one, ours));
  const hidden = of("hidden").filter((one) => !isImplied(one, ours));
  return { restored, kept: of("kept"), hidden: hidden.map(({ field }) => field) };
}

function judgeField({ field, old, now, ours }: UndoneField): "hidden" | "back" | "kept" | "ours" {
  if (old === undefined || now === undefined) return "hidden";
  if (isSame(now, old)) return "back";
  if (!isSame(now, ours)) return "kept";
  return isSendable(field, old) ? "ours" : "hidden";
}

/** Whether the marketplace dropped the value along with a change that is restored. */
const isNeeded = ({ field, old }: UndoneField, restored: readonly UndoneField[]): boolean =>
  isSendable(field, old) &&
  restored.every((one) => one.field !== field) &&
  restored.some((one) => one.field === NEEDED_BY.get(field) && one.old === false);

/** The field that decides whether another one is used. */
const NEEDED_BY: ReadonlyMap<string, string> = new Map([
  ["return_address", "common_address"],
  ["suitable_cities", "all_country"],
]);

/** A value that the marketplace sets by itself once the deciding field is restored. */
const isImplied = ({ field }: UndoneField, restored: readonly UndoneField[]): boolean =>
  restored.some((one) => one.field === NEEDED_BY.get(field) && one.old === true);

const isEmpty = (value: unknown): boolean => value === null || value === "";

const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || (isEmpty(one) && isEmpty(other));

/** Only a note can be emptied. */
const isSendable = (field: string, value: unknown): boolean =>
  field === "shipping_note" || !(isEmpty(value) || (Array.isArray(value) && value.length === 0));

/** The call that restores the fields; `undefined` where the contract does not take it. */
function toCall(
  id: string,
  restored: readonly UndoneField[],
): Readonly<Record<string, unknown>> | undefined {
  const fields = restored.map(({ field, old }) => [field, isEmpty(old) ? "" : old] as const);
  const call = { shipping_template_id: id, ...Object.fromEntries(fields) };
  return endpoints.shippingTemplate.update.input.safeParse(call).success ? call : undefined;
}

function describeLeft(
  lists: TemplateLists,
  { kept, hidden }: Pick<SortedFields, "kept" | "hidden">,
  location: IssueLocation,
): readonly RowIssue[] {
  const describeKept = (lang: Lang): string =>
    kept
      .map(({ field, ours, now }) => describe(lists, { field, from: ours, to: now, lang }))
      .join("; ");
  const names = (lang: Lang): string => hidden.map((field) => fieldLabels(field)[lang]).join(", ");
  return [
    ...(kept.length === 0
      ? []
      : [
          toTemplateIssue("W_UNDO_TEMPLATE_KEPT", location, describeKept("tr"), describeKept("en")),
        ]),
    ...(hidden.length === 0
      ? []
      : [toTemplateIssue("W_UNDO_TEMPLATE_HIDDEN", location, names("tr"), names("en"))]),
  ];
}

interface DescribedChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly lang: Lang;
}

/** A change of a field, with the names of its ids. */
function describe(lists: TemplateLists, { field, from, to, lang }: DescribedChange): string {
  const kind = [...REFERENCE_FIELDS].find(([name]) => name === field)?.[1];
  const toName = (value: unknown): string => {
    if (typeof value === "boolean") return YES_NO[value ? "yes" : "no"][lang];
    const text = String(value);
    return (kind && lists.names[kind].find(text)[0]?.name) ?? text;
  };
  const show = (value: unknown): string => {
    if (isEmpty(value) || value === undefined) return "–";
    return Array.isArray(value) ? value.map((one) => toName(one)).join("; ") : toName(value);
  };
  return `${fieldLabels(field)[lang]}: ${show(from)} → ${show(to)}`;
}

const YES_NO = {
  yes: { tr: "Evet", en: "Yes" },
  no: { tr: "Hayır", en: "No" },
} as const;
