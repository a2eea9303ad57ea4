/** Changes of an open draft, each checked again at once. */

import { access } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";

import { CatalogError } from "@catalog/connection";
import { InputError, type Lang, type Localized } from "@catalog/i18n";
import { findField, headerKey, type ColumnMapping } from "@catalog/mapping";

import {
  parseDefaultValue,
  removeDefaultValue,
  saveDefaultValue,
} from "../columns/column-profiles.ts";
import { createNameSuggester, type NameSuggester } from "../names/suggestions.ts";
import { previewBulk, writeBulk } from "./bulk-change.ts";
import { type CheckContext, groupDraftRows, MAX_GROUP_ROWS, recheckRows } from "./check-draft.ts";
import {
  findNamesBelow,
  findOpenNames,
  listDraftNames,
  listQuickNames,
  type NameAnswerInput,
  readAnswers,
  searchNames,
} from "./draft-names.ts";
import { cellToText } from "./draft-rows.ts";
import type {
  BulkInput,
  BulkPreview,
  DraftEditResult,
  DraftNames,
  DraftNamesBelow,
} from "./draft-views.ts";
import {
  addColumn,
  answerNames,
  type CellEdit,
  type ChangedRows,
  editCells,
  type EditContext,
  excludeRows,
  listAnswers,
  moveBatch,
  readDraft,
} from "./edit-draft.ts";
import {
  checkDraft,
  isCheckOpen,
  isCheckOutdated,
  isStoreKnownSince,
  type LiveState,
  noteRules,
  openParts,
  readRowViews,
  restartDraft,
  toCheckContext,
} from "./live-state.ts";
import {
  type DraftColumns,
  type DraftReading,
  type DraftRecord,
  toCountsView,
  toRunView,
} from "./stored-draft.ts";

type Column = ColumnMapping["columns"][number];

/** Cells that one step may change. */
const MAX_CELLS = 5_000;
/** Rows that the result of a change holds. */
const MAX_ROWS = 500;

/** The version that a person saw, and who the person is. */
export interface DraftStep {
  readonly version: number;
  /** @default nobody is named */
  readonly by?: string | undefined;
}

/** Each throws `E_DRAFT_CHANGED` where the draft has another version; nothing is written then. */
export interface DraftChanges {
  edit(step: DraftStep, edits: readonly CellEdit[]): Promise<DraftEditResult>;
  undo(step: DraftStep): Promise<DraftEditResult>;
  redo(step: DraftStep): Promise<DraftEditResult>;
  exclude(
    step: DraftStep,
    rows: { readonly rows: readonly number[]; readonly isExcluded: boolean },
  ): Promise<DraftEditResult>;
  /**
   * Adds an empty column for a field that the file lacks, after those that there are. Throws
   * `InputError` for what is no field and for one that has a column.
   */
  addColumn(step: DraftStep, column: AddColumnOptions): Promise<DraftEditResult>;
  /**
   * Finds what {@link DraftChanges.bulk} would change; changes nothing. Both throw `InputError` for a
   * template with an unknown column, and for a discount that no column can hold.
   */
  previewBulk(input: BulkInput, lang: Lang): Promise<BulkPreview>;
  /** Changes many cells as one step. */
  bulk(step: DraftStep, input: BulkInput, lang: Lang): Promise<DraftEditResult>;
  /** Other settings of the file. The caller then calls `check`. */
  setReading(step: DraftStep, change: ReadingChange): Promise<void>;
  /**
   * Other fields of columns, texts for all rows, or defaults of the store. The caller then calls
   * `check`. Throws `InputError` for a default that its field does not take.
   */
  setColumns(step: DraftStep, change: ColumnsChange): Promise<void>;
  /**
   * The open names, and those that were answered in this draft. With `isQuick` the open ones alone,
   * as far as the first row of each shows them, without what they may mean.
   */
  names(options?: { readonly isQuick?: boolean | undefined }): Promise<DraftNames>;
  /**
   * Searches the marketplace for what the open names may mean, which `names` lists from then on.
   * Returns how many searches were made, and why no more were; `undefined` where nothing failed.
   */
  searchNames(): Promise<{ readonly made: number; readonly failure: Localized | undefined }>;
  /**
   * Looks for the open categories below one of the file in a category of the store; changes nothing.
   * Throws `InputError` where the store does not have `to`.
   */
  namesBelow(below: { readonly from: string; readonly to: string }): Promise<DraftNamesBelow>;
  /** Answers names in one step; what is not open any more stays as it is. */
  answerNames(step: DraftStep, answers: readonly NameAnswerInput[]): Promise<DraftEditResult>;
  /**
   * Starts the check anew where rules have changed since, or where the draft's plan has shown which
   * rows are new to the store; returns whether it has to be made, as after one that was cut off.
   */
  renew(): Promise<boolean>;
}

/** A column to add. */
interface AddColumnOptions {
  /** Key of the field. */
  readonly field: string;
  /** Language of the header. */
  readonly lang: Lang;
}

/** What is missing stays as it is. */
interface ColumnsChange extends Partial<DraftColumns> {
  /** Defaults of the store by field, which new products of later files take too; empty for none. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** A missing setting stays; `null` lets the file decide. */
type ReadingChange = {
  readonly [Key in keyof DraftReading]?: DraftReading[Key] | null;
};

/** Creates the changes of an open draft. */
export function createDraftChanges(state: LiveState): DraftChanges {
  const { drafts } = state.connection.memory;
  const edit = async (step: DraftStep, edits: readonly CellEdit[]): Promise<DraftEditResult> => {
    if (edits.length > MAX_CELLS) throw new CatalogError("E_DRAFT_CELLS", String(MAX_CELLS));
    return await change(state, step, (context, draft) =>
      editCells(context, draft, step.version, edits),
    );
  };
  const move = (step: DraftStep, direction: "undo" | "redo"): Promise<DraftEditResult> =>
    change(state, step, (context, draft) => moveBatch(context, draft, step.version, direction));
  const inTurn = state.inTurn;
  return {
    edit: (step, edits) => inTurn(() => edit(step, edits)),
    undo: (step) => inTurn(() => move(step, "undo")),
    redo: (step) => inTurn(() => move(step, "redo")),
    exclude: (step, rows) =>
      inTurn(() =>
        change(state, step, (context, draft) => excludeRows(context, draft, step.version, rows)),
      ),
    addColumn: (step, column) => inTurn(() => addFieldColumn(state, step, column)),
    async previewBulk(input, lang) {
      return await previewBulk(toBulkContext(state, lang, await read(state)), input);
    },
    bulk: (step, input, lang) =>
      inTurn(() =>
        change(state, step, (context, draft) => {
          const of = { ...draft, version: step.version };
          return writeBulk(context, toBulkContext(state, lang, draft), of, input);
        }),
      ),
    setReading: (step, change_) =>
      inTurn(async () => {
        const draft = await read(state);
        const changed = readingChange(draft, change_);
        if (changed.source === null) await assertFile(draft);
        await restart(state, step, changed);
      }),
    setColumns: (step, change_) => inTurn(() => setColumns(state, step, change_)),
    names: ({ isQuick = false } = {}) =>
      inTurn(() => (isQuick ? listQuickNames({ drafts, ...needParts(state) }) : listNames(state))),
    searchNames: () => searchOpenNames(state),
    namesBelow: (below) =>
      inTurn(async () => findNamesBelow(state.connection, await listNames(state), below)),
    answerNames: (step, answers) => inTurn(() => answerAll(state, step, answers)),
    renew: () =>
      inTurn(async () => {
        const draft = await read(state);
        // A sync has brought the draft of its feed up to date.
        if (isOtherSource(state, draft.source)) await openParts(state, {});
        if (isCheckOpen(draft)) return true;
        if (await isCheckOutdated(state)) {
          await restart(state, await read(state), {});
          return true;
        }
        if (!(await isStoreKnownSince(state))) return false;
        // The draft is the one that was planned: its rows only get the issues that the plan has found.
        await drafts.update(state.id, { state: "checking" });
        return true;
      }),
  };
}

const isOtherSource = ({ parts }: LiveState, source: unknown): boolean =>
  parts !== undefined && !isDeepStrictEqual(parts.sheet.source, source);

const read = ({ connection, id }: LiveState): ReturnType<typeof readDraft> =>
  readDraft(connection.memory.drafts, id);

function needParts(state: LiveState): Pick<CheckContext, "sheet" | "checker"> {
  const { sheet, checker } = toCheckContext(state);
  return { sheet, checker };
}

const toBulkContext = (
  state: LiveState,
  lang: Lang,
  { basis }: Pick<DraftRecord, "basis">,
): Parameters<typeof previewBulk>[0] => ({
  ...needParts(state),
  drafts: state.connection.memory.drafts,
  lang,
  isOfStore: basis !== null,
});

async function restart(
  state: LiveState,
  { version }: DraftStep,
  change_: Parameters<typeof restartDraft>[2],
): Promise<void> {
  await restartDraft(state, version, change_);
  // The sheet stays the same, and the check makes another checker for it.
  state.parts =
    change_.source === null || state.parts === undefined
      ? undefined
      : { ...state.parts, checker: undefined };
}

/** Rows that are stored are not given up for a file that is no longer there. */
async function assertFile({ path, name }: DraftRecord): Promise<void> {
  try {
    await access(path);
  } catch {
    throw new InputError({
      tr: `“${name}” yer açmak için sunucudan silinmiş; başka türlü okunamaz. Dosyayı Yükle sayfasından yeniden yükleyin. Bu taslağın satırları olduğu gibi duruyor.`,
      en: `“${name}” was deleted from the server to make room, so that it cannot be read in another way. Upload the file again on the page Upload. The rows of this draft are still here.`,
    });
  }
}

async function setColumns(
  state: LiveState,
  step: DraftStep,
  { columns, constants, forNew, decimals, leftOut, defaults = {} }: ColumnsChange,
): Promise<void> {
  const { name, version, columns: before } = await read(state);
  if (version !== step.version) throw new CatalogError("E_DRAFT_CHANGED", name);
  const { profiles } = state.connection.memory;
  const given = Object.entries(forNew ?? {}).map(([field, value]) =>
    parseDefaultValue({ field, value }),
  );
  for (const [field, value] of Object.entries(defaults)) {
    if (value.trim() === "") await removeDefaultValue(profiles, field);
    else await saveDefaultValue(profiles, { field, value });
  }
  const after = {
    columns: columns ?? before.columns,
    constants: constants ?? before.constants,
    forNew:
      forNew === undefined
        ? before.forNew
        : Object.fromEntries(given.map(({ field, value }) => [field, value])),
    decimals: decimals ?? before.decimals,
    leftOut: leftOut ?? before.leftOut,
    added: before.added,
  };
  await restart(state, step, { columns: after });
  // The columns are shown as they are now while their rows are checked again. Where they cannot be
  // opened, such as without the store's lists, the check that follows says why.
  await openParts(state, {}).catch(() => undefined);
}

/** The header is the field's own; one that the file has already gets a number. */
async function addFieldColumn(
  state: LiveState,
  step: DraftStep,
  { field: key, lang }: AddColumnOptions,
): Promise<DraftEditResult> {
  const field = findField(key);
  const { sheet, checker } = needParts(state);
  if (field === undefined || checker.mapping.columns.some((column) => isOf(column, key))) {
    throw new InputError({
      tr: `“${field?.header.tr ?? key}” için sütun eklenemez: ${field === undefined ? "böyle bir alan yok" : "bu alanın sütunu var"}.`,
      en: `No column can be added for “${field?.header.en ?? key}”: ${field === undefined ? "there is no such field" : "the field has a column"}.`,
    });
  }
  const taken = new Set(sheet.fileHeader.cells.map((cell) => headerKey(cellToText(cell))));
  const header = field.header[lang];
  let free = header;
  for (let number = 2; taken.has(headerKey(free)); number += 1) free = `${header} (${number})`;
  return await change(state, step, (context, draft) =>
    addColumn(context, draft, step.version, { header: free, field: key }),
  );
}

const isOf = ({ target }: Column, field: string): boolean =>
  target.kind === "field" && target.field === field;

/** Another notation of numbers needs no other cells. */
function readingChange(
  { reading }: Pick<DraftRecord, "reading">,
  change_: ReadingChange,
): Parameters<typeof restartDraft>[2] {
  // A row of one sheet is none of another.
  const otherSheet = change_.sheet === undefined ? {} : { headerRow: null };
  const merged = { ...reading, ...otherSheet, ...change_ };
  const after = Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined),
  );
  const isSameSheet = Object.keys(change_).every((key) => key === "decimal");
  return { reading: after, ...(!isSameSheet && { source: null }) };
}

/** Makes a change, then checks its rows and all rows that share a code with them. */
async function change(
  state: LiveState,
  { by }: DraftStep,
  work: (context: EditContext, draft: DraftRecord) => Promise<ChangedRows>,
): Promise<DraftEditResult> {
  const { connection, id } = state;
  const { drafts } = connection.memory;
  const { sheet, checker } = toCheckContext(state);
  const zero = await drafts.shortestZeroLed(id);
  const nowMs = connection.clock.now();
  const changed = await work({ drafts, sheet, checker, by: by ?? null, nowMs }, await read(state));
  const context = toCheckContext(state);
  if (changed.areRulesOther === true) await checker.renewRules();
  if (changed.areColumnsOther === true) {
    await checkDraft(state, {});
    return await toResult(state, [], false);
  }
  const isOtherZero = (await drafts.shortestZeroLed(id))?.codeKey.length !== zero?.codeKey.length;
  if (isOtherZero && sheet.source.kind === "xlsx") {
    // Codes that are numbers are compared with the shortest code that has its zeros.
    await checkDraft(state, {});
    return await toResult(state, changed.rows, false);
  }
  if (changed.areCodesOther === true && changed.rows.length > MAX_CELLS) {
    await checkDraft(state, {});
    return await toResult(state, changed.rows, false);
  }
  const joined = sheet.hasJoinedRows(checker.mapping) ? await groupDraftRows(context) : [];
  const affected = await findAffected(context, changed, joined);
  await recheckRows(context, affected);
  await drafts.update(id, { state: "ready" });
  if (changed.areRulesOther === true) await noteRules(state);
  return await toResult(state, affected, true);
}

/** Of more rows with the codes of before, the codes that others share are read at once. */
const MANY_ROWS = 200;

async function findAffected(
  { drafts, sheet: { draft } }: CheckContext,
  { rows, codeKeys, alikeKeys, areCodesOther }: ChangedRows,
  joined: readonly number[],
): Promise<readonly number[]> {
  const found = new Set([...rows, ...joined]);
  const isMany = rows.length > MANY_ROWS && areCodesOther !== true;
  const shared = isMany
    ? codeKeys.intersection(new Set(await drafts.repeatedCodes(draft)))
    : codeKeys;
  for (const key of shared) {
    for (const row of await drafts.rowsWithCode(draft, key, MAX_GROUP_ROWS)) found.add(row);
  }
  const alike = isMany ? alikeKeys.intersection(new Set(await drafts.alikeKeys(draft))) : alikeKeys;
  for (const key of alike) {
    for (const row of await drafts.rowsAlike(draft, key, MAX_GROUP_ROWS)) found.add(row);
  }
  return [...found].toSorted((a, b) => a - b);
}

async function toResult(
  state: LiveState,
  rows: readonly number[],
  isAll: boolean,
): Promise<DraftEditResult> {
  const { drafts } = state.connection.memory;
  const draft = await read(state);
  const counts = await drafts.counts(state.id);
  return {
    version: draft.version,
    counts: toCountsView(counts),
    canUndo: draft.doneBatch > 0,
    canRedo: (await drafts.lastBatch(state.id)) > draft.doneBatch,
    openNames: counts.openNames,
    run: toRunView(draft),
    rows: await readRowViews(state, rows.slice(0, MAX_ROWS)),
    isAll: isAll && rows.length <= MAX_ROWS,
  };
}

async function listNames(state: LiveState): Promise<DraftNames> {
  const { drafts } = state.connection.memory;
  return await listDraftNames(
    { drafts, ...needParts(state), suggester: takeSuggester(state) },
    await listAnswers(drafts, await read(state)),
  );
}

/** Changes go on meanwhile, as a search may take as long as a person takes for some names. */
async function searchOpenNames(state: LiveState): ReturnType<DraftChanges["searchNames"]> {
  const { drafts } = state.connection.memory;
  // What has failed before may work now.
  if (state.suggester?.failure() !== undefined) state.suggester = undefined;
  const open = await state.inTurn(() => findOpenNames({ drafts, ...needParts(state) }));
  const suggester = takeSuggester(state);
  return { made: await searchNames(suggester, open), failure: suggester.failure() };
}

function takeSuggester(state: LiveState): NameSuggester {
  const { connection } = state;
  const { lists, mapping } = needParts(state).checker;
  state.suggester ??= createNameSuggester({ connection, lists, platform: mapping.platform?.name });
  return state.suggester;
}

async function answerAll(
  state: LiveState,
  step: DraftStep,
  given: readonly NameAnswerInput[],
): Promise<DraftEditResult> {
  const { drafts } = state.connection.memory;
  const stored = await state.connection.memory.rules.list();
  const answers = await readAnswers({ drafts, ...needParts(state) }, stored, given);
  if (answers.edits.length > MAX_CELLS) throw new CatalogError("E_DRAFT_CELLS", String(MAX_CELLS));
  return await change(state, step, (context, draft) =>
    answerNames(context, draft, step.version, answers),
  );
}
