/**
 * What a sync does about products that its feed has named before and names no more: once two
 * different versions in a row lack a product, it is sold out.
 */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { planAbsentRows, type RunWarning } from "@catalog/runs";

import { type AbsentCounts, type Absences, readAbsences } from "./absences.ts";
import type { FeedState } from "./feed-state.ts";
import type { OpenedFeed } from "./open-feed.ts";
import { type FeedPlan, type PlanFeedOptions, toPlanOptions } from "./plan-feed.ts";

/**
 * - `keep`: the products keep their stock.
 * - `zero`: their stock becomes 0.
 * - `hold`: it becomes 0 once a person approves.
 */
export type AbsentPolicy = "keep" | "zero" | "hold";

/** The place of these rows in a run; they have none in the feed. */
const SHEET: Localized = { tr: "Beslemede yok", en: "Absent" };

/** What a sync does about absent products. */
export interface AbsentPlan extends Awaited<ReturnType<typeof planAbsentRows>> {
  /** Where the rows stand in the run, beside the sheets of the feed. */
  readonly sheet: { readonly name: string; readonly rowsBefore: number };
}

interface PlanAbsentOptions
  extends
    Omit<PlanFeedOptions, "feedState">,
    Pick<Parameters<typeof readAbsences>[1], "key" | "isSame"> {
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

/** What a sync would come to that is only tried. */
export function countPlanned({
  absences: { first, elsewhere, restocked },
  absent,
}: PlannedAbsences): AbsentCounts {
  const count = (state: "ready" | "held"): number =>
    absent?.rows.filter(({ decision }) => decision.state === state).length ?? 0;
  return { first, elsewhere, restocked, emptied: count("ready"), held: count("held") };
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
