/**
 * Products that a feed has named before and names no more. Which they are is remembered with each
 * accepted version of the feed; once two different versions in a row lack a product, it is sold out.
 */

import type { Connection } from "@catalog/connection";
import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import {
  type AbsentProduct,
  planAbsentRows,
  readAllRows,
  type RunRecord,
  type RunWarning,
} from "@catalog/runs";

import { type FeedState, isSameFeed, readFeedRecord } from "./feed-state.ts";
import type { OpenedFeed } from "./open-feed.ts";
import { type FeedPlan, type PlanFeedOptions, toPlanOptions } from "./plan-feed.ts";

/**
 * - `keep`: the products keep their stock.
 * - `zero`: their stock becomes 0.
 * - `hold`: it becomes 0 once a person approves.
 */
export type AbsentPolicy = "keep" | "zero" | "hold";

type AcceptedFeed = Required<Parameters<FeedState["saveAccepted"]>[0]>;
type NamedProduct = AcceptedFeed["named"][number];
type ProductId = NamedProduct["productId"];

/** Versions in a row that lack a product before it counts as sold out. */
const MIN_ABSENCES = 2;

/** A feed that was not accepted for 7 days no longer speaks for its products. */
const SPEAKS_MS = 7 * 24 * 3_600_000;

/** What an accepted version of a feed says about the products that it has named before. */
export interface Absences {
  /** Entries that are new or change, to be saved with the record of the feed. */
  readonly changed: ReadonlyMap<ProductId, NamedProduct>;
  /** Products of the feed, absent ones included. */
  readonly known: number;
  /** Products that this version is the first to lack. */
  readonly first: number;
  /** Absent long enough, in stock as far as is known, and named by no other feed. */
  readonly due: readonly AbsentProduct[];
  /** Absent long enough, and named by another feed of the store. */
  readonly elsewhere: number;
  /** All that are absent long enough. */
  readonly absent: readonly NamedProduct[];
  /** Absent, sold out since, and given a stock by another writer after that. */
  readonly restocked: number;
}

interface ReadAbsencesOptions {
  /** Key of the feed. */
  readonly key: string;
  /** Products that this version names. */
  readonly named: ReadonlySet<ProductId>;
  /** Whether the last accepted version had the same content, so that nothing is counted twice. */
  readonly isSame: boolean;
  readonly nowMs: number;
}

/** Compares what the feed names with what it named before. Changes nothing. */
export async function readAbsences(
  feedState: FeedState,
  { key, named, isSame, nowMs }: ReadAbsencesOptions,
): Promise<Absences> {
  const changed = new Map<ProductId, NamedProduct>();
  const fresh = new Set(named);
  const absent: NamedProduct[] = [];
  let known = 0;
  let first = 0;
  for await (const page of feedState.readNamed(key)) {
    known += page.length;
    for (const one of page) {
      const { productId, absences } = one;
      if (fresh.delete(productId)) {
        if (absences > 0) changed.set(productId, toNamed(productId));
        continue;
      }
      const now = isSame && absences > 0 ? one : toAbsent(one, nowMs);
      if (now !== one) changed.set(productId, now);
      if (now.absences < MIN_ABSENCES) first += 1;
      else absent.push(now);
    }
  }
  for (const productId of fresh) changed.set(productId, toNamed(productId));
  const elsewhere = await findElsewhere(feedState, { key, absent, nowMs });
  const due = absent.filter(({ productId, isEmptied }) => !isEmptied && !elsewhere.has(productId));
  return {
    changed,
    known: known + fresh.size,
    first,
    due: due.map(({ productId, absentSinceMs }) => ({
      productId,
      sinceMs: absentSinceMs ?? nowMs,
    })),
    elsewhere: elsewhere.size,
    absent,
    restocked: await countRestocked(feedState, absent),
  };
}

const toNamed = (productId: ProductId): NamedProduct => ({
  productId,
  absences: 0,
  absentSinceMs: null,
  isEmptied: false,
});

const toAbsent = (one: NamedProduct, nowMs: number): NamedProduct => ({
  ...one,
  absences: one.absences + 1,
  absentSinceMs: one.absentSinceMs ?? nowMs,
});

/** The products among them that another feed of the store names. */
async function findElsewhere(
  feedState: FeedState,
  {
    key,
    absent,
    nowMs,
  }: Pick<ReadAbsencesOptions, "key" | "nowMs"> & { readonly absent: readonly NamedProduct[] },
): Promise<ReadonlySet<ProductId>> {
  const found = new Set<ProductId>();
  const ids = absent.filter(({ isEmptied }) => !isEmptied).map(({ productId }) => productId);
  if (ids.length === 0) return found;
  for (const other of await feedState.listFeeds()) {
    if (isSameFeed(key, other)) continue;
    const { acceptedAtMs = -Infinity } = (await readFeedRecord(feedState, other)) ?? {};
    if (nowMs - acceptedAtMs > SPEAKS_MS) continue;
    for (const productId of await feedState.findNamed(other, ids)) found.add(productId);
  }
  return found;
}

async function countRestocked(
  feedState: FeedState,
  absent: readonly NamedProduct[],
): Promise<number> {
  const emptied = absent.filter(({ isEmptied }) => isEmptied).map(({ productId }) => productId);
  const products = await feedState.readById(emptied);
  return products.filter(({ shown, sent }) => (sent.stock_count ?? shown.stock ?? 0) !== 0).length;
}

/** The place of these rows in a run; they have none in the feed. */
const SHEET: Localized = { tr: "Beslemede yok", en: "Absent" };

/** What a sync does about absent products. */
export interface AbsentPlan extends Awaited<ReturnType<typeof planAbsentRows>> {
  /** Where the rows stand in the run, beside the sheets of the feed. */
  readonly sheet: { readonly name: string; readonly rowsBefore: number };
}

interface PlanAbsentOptions
  extends Omit<PlanFeedOptions, "feedState">, Pick<ReadAbsencesOptions, "key" | "isSame"> {
  readonly feedState: FeedState;
  readonly policy: AbsentPolicy;
  /** The feed's own rows, as they are planned. */
  readonly plan: Pick<FeedPlan, "stock" | "named">;
  readonly lang: Lang;
}

/** What a version of a feed says about absent products, and what is done about them. */
interface PlannedAbsences {
  readonly absences: Absences;
  /** `undefined` where nothing is done. */
  readonly absent: AbsentPlan | undefined;
}

/** Reads which products are absent, and plans the rows of those that are due. */
export async function planAbsent(options: PlanAbsentOptions): Promise<PlannedAbsences> {
  const { plan, policy, lang, feed, scan } = options;
  const absences = await readAbsences(options.feedState, { ...options, named: plan.named });
  const { due, known } = absences;
  if (policy === "keep" || due.length === 0) return { absences, absent: undefined };
  const sheet = { name: SHEET[lang], rowsBefore: scan.lastRow };
  const planned = await planAbsentRows({
    ...toPlanOptions(options),
    absent: due,
    isHeld: policy === "hold",
    counts: { rows: known, emptied: plan.stock.emptied },
    firstRow: scan.lastRow + 1,
    sheet: sheet.name,
    toCells: createCodeCells(feed),
  });
  return { absences, absent: { ...planned, sheet } };
}

/** Rows have nothing but the code of their product. */
function createCodeCells({
  mapping,
  sheet,
}: OpenedFeed): Parameters<typeof planAbsentRows>[0]["toCells"] {
  const { columns } = mapping;
  const at = columns.find(
    ({ target }) => target.kind === "field" && target.field === "product_code",
  )?.index;
  return (code) => sheet.header.cells.map((_, index) => (index === at ? code : null));
}

/** What a sync came to for absent products. */
export interface AbsentCounts extends Pick<Absences, "first" | "elsewhere" | "restocked"> {
  /** Rows of products whose stock became 0. */
  readonly emptied: number;
  readonly held: number;
}

/** What a sync would come to that is only tried. */
export function countPlanned({
  absences: { first, elsewhere, restocked },
  absent,
}: PlannedAbsences): AbsentCounts {
  const count = (state: "ready" | "held"): number =>
    absent?.rows.filter(({ decision }) => decision.state === state).length ?? 0;
  return { first, elsewhere, restocked, emptied: count("ready"), held: count("held") };
}

interface SettledAbsences extends Pick<AcceptedFeed, "named" | "forgotten"> {
  readonly counts: AbsentCounts;
}

/** The entries to save with the record of the feed, once its run has ended. */
export async function settleAbsent(
  { journal }: Pick<Connection, "journal">,
  { changed, absent, first, elsewhere, restocked }: Absences,
  {
    planned,
    run,
  }: { readonly planned: AbsentPlan | undefined; readonly run: Pick<RunRecord, "id"> },
): Promise<SettledAbsences> {
  const named = new Map(changed);
  const counts = { first, elsewhere, restocked, emptied: 0, held: 0 };
  if (planned === undefined) return { named: [...named.values()], forgotten: [], counts };
  const emptied = new Set(planned.empty);
  const after = planned.sheet.rowsBefore;
  for await (const rows of readAllRows(journal, run.id, { states: ["done", "held"], after })) {
    for (const { state, productId } of rows) {
      if (state === "held") counts.held += 1;
      else if (productId !== null) emptied.add(productId);
    }
  }
  counts.emptied = emptied.size - planned.empty.length;
  for (const one of absent) {
    if (emptied.has(one.productId)) named.set(one.productId, { ...one, isEmptied: true });
  }
  return { named: [...named.values()], forgotten: planned.gone, counts };
}

/** Tells of products that the feed has named before and names no more. */
export function noteAbsent(planned: PlannedAbsences, policy: AbsentPolicy): readonly RunWarning[] {
  if (policy === "keep") return [];
  const { first, elsewhere, restocked, held, emptied } = countPlanned(planned);
  return [
    ...note(first, "W_FEED_ABSENT_ONCE", {
      tr: (n) =>
        `Beslemede daha önce olan ${n} ürün bu sürümünde yok; şimdilik dokunulmadı. İçeriği başka olan sıradaki sürümünde de yoksa ${policy === "zero" ? "stokları 0 yapılır" : "onayınızı bekler"}.`,
      en: (n) =>
        `Products that the feed had before and this version lacks: ${n}. Nothing is done yet. If the next version with other content lacks them too, ${policy === "zero" ? "their stock becomes 0" : "they wait for your approval"}.`,
    }),
    ...note(emptied, "W_FEED_ABSENT", {
      tr: (n) => `Besleme ${n} ürünü artık vermiyor; stokları 0 yapılıyor.`,
      en: (n) => `Products that are absent from the feed, so that their stock becomes 0: ${n}.`,
    }),
    ...note(held, "W_FEED_ABSENT_HELD", {
      tr: (n) =>
        `Besleme ${n} ürünü artık vermiyor; stokları 0 yapılmadan önce onayınızı bekliyor.`,
      en: (n) => `Products that are absent from the feed and wait for your approval: ${n}.`,
    }),
    ...note(elsewhere, "W_FEED_ABSENT_ELSEWHERE", {
      tr: (n) =>
        `Bu beslemede artık olmayan ${n} ürünü mağazanın başka bir beslemesi veriyor; dokunulmadı.`,
      en: (n) =>
        `Products that are absent from this feed and named by another feed of the store: ${n}. They were left alone.`,
    }),
    ...note(restocked, "W_FEED_ABSENT_RESTOCKED", {
      tr: (n) =>
        `Beslemede olmadığı için stoğu biten ${n} ürüne sonradan başka bir yerden stok girilmiş; dokunulmadı.`,
      en: (n) =>
        `Products that are absent from the feed, were sold out for it and have been given a stock since: ${n}. They were left alone.`,
    }),
  ];
}

const note = (
  products: number,
  code: string,
  text: Readonly<Record<Lang, (count: string) => string>>,
): readonly RunWarning[] =>
  products === 0
    ? []
    : [
        {
          code,
          message: {
            tr: text.tr(formatNumber(products, "tr")),
            en: text.en(formatNumber(products, "en")),
          },
        },
      ];
