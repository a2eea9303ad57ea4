/**
 * What the plan of a file depends on besides the file: the rules, defaults, limits and unit of
 * prices of its store. A plan that was made before one of them changed is out of date.
 */

import { hash } from "node:crypto";

import { type Connection, fieldLabel, CatalogError, priceUnitOf } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { CODE_KEYS, codeKey, type ColumnMapping, findField } from "@catalog/mapping";
import { refusedInUpdates, type RunRecord } from "@catalog/runs";

import { readDefaultValues } from "../columns/column-profiles.ts";
import { hashFile } from "../file/open-table.ts";
import { readPricesStamp } from "../pricing/price-rules.ts";

/** A digest of the rules and the default values as they are now, by which cells are read. */
export async function readRulesBasis({
  rules,
  profiles,
}: Pick<Connection["memory"], "rules" | "profiles">): Promise<string> {
  return digest([await rules.list(), [...(await readDefaultValues(profiles))]]);
}

/** A digest of the rules, also those of prices, the default values and the limits as they are now. */
export async function readPlanBasis({
  memory,
  settings,
}: Pick<Connection, "memory" | "settings">): Promise<string> {
  const version = await readPricesStamp({ memory });
  const { guardLimits = {} } = await settings.effective();
  const limits = Object.entries(guardLimits).toSorted(([one], [other]) => one.localeCompare(other));
  const prices = version === undefined ? [] : [version];
  return digest([await readRulesBasis(memory), limits, ...prices]);
}

const digest = (parts: readonly unknown[]): string =>
  hash("sha256", JSON.stringify(parts)).slice(0, 16);

/**
 * Whether a plan was made with the present settings. A plan without a known price unit is outdated once the unit is known.
 */
export async function isPlannedAsSet(
  connection: Connection,
  { facts, progress: { basis } }: Pick<RunRecord, "facts" | "progress">,
): Promise<boolean> {
  if (basis !== undefined && basis !== (await readPlanBasis(connection))) return false;
  const { set, remembered } = await priceUnitOf(connection).known();
  const unit = set ?? remembered;
  return facts === null || unit === undefined || unit === facts.priceUnit;
}

/** Plans older than this are stale. */
const MAX_PLAN_AGE_MS = 15 * 60_000;

/**
 * Throws {@link CatalogError}: `E_RUN_DRY` for a dry run, `E_RUN_UNPLANNED` and `E_RUN_BEGUN` where
 * there is no plan to apply, `E_PLAN_RULES` where price rules, costs or base prices have changed,
 * `E_PLAN_FILE` where the file has, `E_PLAN_DRAFT` where its draft has, `E_PLAN_OLD` where the plan is stale. A
 * plan from the future is stale too, as the clock was put back. Where the rows are rechecked, there
 * only has to be a plan.
 */
export async function assertPlanCurrent(
  { clock, memory }: Pick<Connection, "clock" | "memory">,
  run: RunRecord,
  { isRechecked = false }: { readonly isRechecked?: boolean } = {},
): Promise<void> {
  assertPlanned(run);
  await assertPricedAsRuled({ memory }, run);
  if (isRechecked) return;
  await assertDraftCurrent({ memory }, run);
  if (!(await isSameFile(run))) throw new CatalogError("E_PLAN_FILE", run.id);
  const ageMs = clock.now() - run.updatedAtMs;
  if (ageMs < 0 || ageMs > MAX_PLAN_AGE_MS) throw new CatalogError("E_PLAN_OLD", run.id);
}

/** A plan of older rules has other prices than the shop wants now; an undo has none of its own. */
async function assertPricedAsRuled(
  { memory }: Pick<Connection, "memory">,
  { id, progress: { prices, undoOf, actions } }: RunRecord,
): Promise<void> {
  if (
    undoOf !== undefined ||
    actions !== undefined ||
    prices === (await readPricesStamp({ memory }))
  )
    return;
  throw new CatalogError("E_PLAN_RULES", id);
}

function assertPlanned({ id, state, settings }: RunRecord): void {
  if (settings.isDryRun === true) throw new CatalogError("E_RUN_DRY", id);
  if (state === "planning") throw new CatalogError("E_RUN_UNPLANNED", id);
  if (state === "planned") return;
  throw new CatalogError("E_RUN_BEGUN", state === "finished" ? describeEnd(id) : describeStop(id));
}

const describeEnd = (run: string): Localized => ({
  tr: `${run} zaten bitmiş. Ne olduğunu görmek için: catalog runs ${run}`,
  en: `${run} is finished. To see what it did: catalog runs ${run}`,
});

const describeStop = (run: string): Localized => ({
  tr: `${run} gönderilmeye başlanmış, bitmemiş. Sürdürmek için: catalog resume ${run}`,
  en: `${run} has begun to be sent and is not finished. To go on with it: catalog resume ${run}`,
});

/** Rejects with {@link CatalogError} `E_PLAN_DRAFT` where the draft of a plan has changed since. */
export async function assertDraftCurrent(
  { memory: { drafts } }: { readonly memory: Pick<Connection["memory"], "drafts"> },
  run: RunRecord,
): Promise<void> {
  if (!(await isSameDraft(drafts, run))) throw new CatalogError("E_PLAN_DRAFT", run.id);
}

/** A draft that was deleted counts as changed. */
const isSameDraft = async (
  drafts: Pick<Connection["memory"]["drafts"], "read">,
  { progress: { draft } }: RunRecord,
): Promise<boolean> =>
  draft === undefined || (await drafts.read(draft.id))?.version === draft.version;

/** A file that is missing or cannot be read counts as changed. */
async function isSameFile({ file, progress }: RunRecord): Promise<boolean> {
  // An undo and a list of ids have no file; a draft keeps the cells of its file.
  const hasFile = file.path !== "" && progress.undoOf === undefined && progress.draft === undefined;
  return !hasFile || (await hashFile(file.path)) === file.sha256;
}

/** How a code of a new product is compared with the codes in use. */
export const ALIKE_CODES: {
  readonly suspectKey: typeof CODE_KEYS.lookAlike;
  readonly areApart: typeof CODE_KEYS.areApart;
  readonly rewrittenKey: typeof CODE_KEYS.suspect;
} = {
  suspectKey: CODE_KEYS.lookAlike,
  areApart: CODE_KEYS.areApart,
  // A store rewrites case, width and marks; a code with other zeros was replaced by a person.
  rewrittenKey: CODE_KEYS.suspect,
};

interface CodeKeys {
  readonly codeKey: (code: string) => string;
  readonly looseCodeKey: (code: string) => string;
  /** How the store normalizes codes, where it was seen to change them. */
  readonly normalization: Awaited<ReturnType<Connection["codes"]["readNormalization"]>>;
}

/** Reads how a store normalizes codes. */
interface CodeNormalizations {
  readonly codes: Connection["codes"];
}

export async function readCodeKeys({ codes }: CodeNormalizations): Promise<CodeKeys> {
  return {
    codeKey,
    looseCodeKey: CODE_KEYS.loose,
    normalization: await codes.readNormalization(),
  };
}

/** Fields that updates leave out; none where they are to be tried again. */
export async function readRefusedFields(
  { verificationLog }: Pick<Connection, "verificationLog">,
  isTriedAgain: boolean = false,
): Promise<ReadonlySet<string>> {
  return isTriedAgain ? new Set() : refusedInUpdates(await verificationLog.readCapabilities());
}

/** One line where the file has columns of fields that the store does not take in updates. */
export function toRefusedFieldNotes(
  { columns }: Pick<ColumnMapping, "columns">,
  refused: ReadonlySet<string>,
): readonly Localized[] {
  const fields = new Set(
    columns.flatMap(({ target }) =>
      target.kind === "field" ? (findField(target.field)?.apiFields ?? []) : [],
    ),
  );
  const left = [...refused].filter((field) => [...fields].some((one) => one === field));
  if (left.length === 0) return [];
  const describe = (lang: Lang): string =>
    left.map((field) => `${fieldLabel(field, lang)} (${field})`).join(", ");
  return [
    {
      tr: `Mağaza güncellemede uygulamadığı ya da reddettiği için gönderilmeyecek: ${describe("tr")}; yeniden denemek için --try-refused.`,
      en: `Not sent in updates, because the store did not apply or refused it: ${describe("en")}; --try-refused tries again.`,
    },
  ];
}
