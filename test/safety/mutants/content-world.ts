/**
 * Plans whose updates change texts, brands, categories or images, and the rows of which each guard
 * holds. Every plan trips one guard or none.
 */

import { openMemoryJournal } from "@catalog/database/testing";
import {
  ALL_GUARDS,
  type CandidateRow,
  type GuardName,
  holdContent,
  type RowDecision,
} from "@catalog/runs";
import { toDecision, createPlanChecks } from "@catalog/runs/testing";

type Change = RowDecision["changes"][number];
type Choice = NonNullable<RowDecision["choices"]>[number];

interface Plan {
  readonly what: string;
  readonly rows: number;
  /** Changes of the row with this number, from 1 on. */
  readonly toChange: (number: number) => Change | readonly Change[];
  /** What the row and the store say of a discount, whether it changes or not. @default none */
  readonly toDiscount?: (number: number) => Pick<Choice, "old" | "new">;
  /** Whether the discount of the row is refused. @default false */
  readonly isRefused?: (number: number) => boolean;
  /** @default none */
  readonly allowed?: readonly GuardName[];
  /** State that the other rules have left the rows in. @default "ready" */
  readonly state?: "ready" | "held";
  /** The guard that holds rows, and how many. @default none */
  readonly holds?: readonly [code: string, rows: number];
}

/** Rows that are enough for the guards, and one fewer. */
const ENOUGH = 20;
const TOO_FEW = ENOUGH - 1;

const toText = (field: string, old: string, next: string): Change => ({ field, old, new: next });

const toOneText = (n: number): Change =>
  toText("description", `Kutulu ve altı kişilik, ${n} parça.`, "Kutulu ve altı kişilik, iyidir.");

const toShort = (n: number): Change =>
  toText("sub_title", `Porselen takım, ${n} parça, kutulu`, `Takım ${n}`);

const toOther = (n: number): Change =>
  toText("title", `Lale Serisi Fincan ${n}`, `Uzaylux Koleksiyon ${n + 100}`);

const toStock = (n: number): number => (n * 37) % 101;

const toBrand = (): Change => ({ field: "brand_id", old: "a", new: "b" });

/** Every third product has one of two discounts. */
const toDiscount = (n: number): string => (n % 3 === 0 ? `2 ${n % 2 === 0 ? 10 : 20}` : "none");

const toDiscountAbove = (n: number): string => (n === 1 ? "none" : toDiscount(n - 1));

const DISCOUNTS = Array.from({ length: 2 * ENOUGH }, (_, at) => `2 ${10 + ((at * at) % 11)}`);

/** Every third product has the one discount of a campaign. */
const toCampaign = (n: number): string => (n % 3 === 0 ? "2 10" : "none");

const PLANS: readonly Plan[] = [
  {
    what: "one description for all",
    rows: ENOUGH,
    toChange: toOneText,
    holds: ["E_GUARD_SAME_TEXT", ENOUGH],
  },
  { what: "short texts", rows: ENOUGH, toChange: toShort, holds: ["E_GUARD_SHORT_TEXT", ENOUGH] },
  { what: "other titles", rows: ENOUGH, toChange: toOther, holds: ["E_GUARD_OTHER_TEXT", ENOUGH] },
  {
    what: "other brands",
    rows: ENOUGH,
    toChange: toBrand,
    holds: ["E_GUARD_BRAND_CHANGE", ENOUGH],
  },
  {
    what: "other categories",
    rows: ENOUGH,
    toChange: () => ({ field: "category_id", old: "a", new: "b" }),
    holds: ["E_GUARD_BRAND_CHANGE", ENOUGH],
  },
  {
    what: "no images",
    rows: ENOUGH,
    toChange: (n) => ({ field: "images", old: [`https://a.example/${n}.jpg`], new: [] }),
    holds: ["E_GUARD_NO_IMAGES", ENOUGH],
  },
  {
    what: "equal titles of variants that stay equal",
    rows: ENOUGH,
    toChange: () => toText("title", "Lale Fincan Takımı", "Lale Fincan Takımı 2026"),
  },
  {
    what: "descriptions that have slipped by a row",
    rows: ENOUGH,
    toChange: (n) => toText("description", `Kutulu, ${n} parça.`, `Kutulu, ${n + 1} parça.`),
    holds: ["E_GUARD_MOVED_VALUES", ENOUGH],
  },
  {
    what: "slipped subtitles of which some look right by chance",
    rows: ENOUGH,
    toChange: (n) =>
      toText("sub_title", `Takım ${n}`, n < 5 ? `Takım ${n}, yeni` : `Takım ${n + 1}`),
    holds: ["E_GUARD_MOVED_VALUES", ENOUGH],
  },
  {
    what: "prices that have slipped by a row",
    rows: ENOUGH,
    toChange: (n) => ({ field: "price", old: 1000 + n, new: 1001 + n }),
    holds: ["E_GUARD_MOVED_VALUES", ENOUGH],
  },
  {
    what: "stocks that have slipped by two rows",
    rows: 2 * ENOUGH,
    toChange: (n) => ({ field: "stock_count", old: toStock(n), new: toStock(n + 2) }),
    holds: ["E_GUARD_MOVED_VALUES", 2 * ENOUGH],
  },
  {
    what: "stocks of one column that was sorted alone",
    rows: 2 * ENOUGH,
    toChange: (n) => ({ field: "stock_count", old: (n * 17) % 41, new: n }),
    holds: ["E_GUARD_MOVED_VALUES", 2 * ENOUGH],
  },
  {
    what: "stocks of one column that was sorted alone, of which one was edited",
    rows: 2 * ENOUGH,
    toChange: (n) => ({ field: "stock_count", old: (n * 17) % 41, new: n === 7 ? 999 : n }),
    holds: ["E_GUARD_MOVED_VALUES", 2 * ENOUGH],
  },
  {
    what: "stocks of a count, which are nearly what they were",
    rows: 2 * ENOUGH,
    toChange: (n) => ({ field: "stock_count", old: (n * 17) % 41, new: ((n * 17) % 41) + 1 }),
  },
  {
    what: "prices of a series that was dragged down",
    rows: ENOUGH,
    toChange: (n) => ({ field: "price", old: 1000 + 37 * n * n, new: 328_390 + 100 * n }),
    holds: ["E_GUARD_MOVED_VALUES", ENOUGH],
  },
  {
    what: "stocks that lost their decimal sign",
    rows: 6,
    toChange: (n) => ({ field: "stock_count", old: n, new: n * 100 }),
    holds: ["E_GUARD_MOVED_VALUES", 6],
  },
  {
    what: "first images that have slipped, before others that stay",
    rows: ENOUGH,
    toChange: (n) => ({
      field: "images",
      old: [`https://a.example/${n}.jpg`, `https://a.example/${n}-2.jpg`],
      new: [`https://a.example/${n + 1}.jpg`, `https://a.example/${n}-2.jpg`],
    }),
    holds: ["E_GUARD_MOVED_VALUES", ENOUGH],
  },
  {
    what: "titles that other products have, in no order",
    rows: ENOUGH,
    toChange: (n) =>
      toText(
        "title",
        `Lale Fincan ${n}`,
        `Lale Fincan ${n % 5 === 0 ? n + 100 : ((n * 7) % ENOUGH) + 1}`,
      ),
    holds: ["E_GUARD_MOVED_VALUES", ENOUGH],
  },
  {
    what: "a few prices that have slipped by a row",
    rows: 6,
    toChange: (n) => ({ field: "price", old: 1000 + n, new: 1001 + n }),
    holds: ["E_GUARD_MOVED_VALUES", 6],
  },
  {
    what: "a few stocks of which few differ",
    rows: 6,
    toChange: (n) => ({ field: "stock_count", old: n % 3, new: (n + 1) % 3 }),
  },
  {
    what: "prices without their tax",
    rows: 6,
    toChange: (n) => ({ field: "price", old: 12_000 + 12 * n * n, new: 10_000 + 10 * n * n }),
    holds: ["E_GUARD_MOVED_VALUES", 6],
  },
  {
    what: "one price for all",
    rows: ENOUGH,
    toChange: (n) => ({ field: "price", old: 1000 + n, new: 990 }),
    holds: ["E_GUARD_MOVED_VALUES", ENOUGH],
  },
  {
    what: "one stock for all",
    rows: ENOUGH,
    toChange: (n) => ({ field: "stock_count", old: 10 + n, new: 999 }),
  },
  {
    what: "stocks and prices that were swapped",
    rows: 5,
    toChange: (n) => [
      { field: "stock_count", old: toStock(n), new: 300 + toStock(n + 7) },
      { field: "price", old: 100 * (300 + toStock(n + 7)), new: 100 * toStock(n) },
    ],
    // Each row is held for its stock and for its price.
    holds: ["E_GUARD_MOVED_VALUES", 10],
  },
  {
    what: "stocks that some other product has",
    rows: 5 * ENOUGH,
    toChange: (n) => ({ field: "stock_count", old: n % 25, new: (n * 7 + 3) % 24 }),
  },
  {
    what: "a few common prices",
    rows: 2 * ENOUGH,
    toChange: (n) => ({ field: "price", old: 990 + (n % 5), new: 990 + ((n + 1) % 5) }),
  },
  {
    what: "discounts that have slipped by a row",
    rows: ENOUGH,
    toChange: () => [],
    toDiscount: (n) => ({ old: toDiscount(n), new: toDiscountAbove(n) }),
    holds: ["E_GUARD_MOVED_VALUES", 12],
  },
  {
    what: "discounts that have slipped by a row, the empty cells of which leave others as they are",
    rows: ENOUGH,
    toChange: () => [],
    toDiscount: (n) => ({
      old: toDiscount(n),
      new: toDiscountAbove(n) === "none" ? undefined : toDiscountAbove(n),
    }),
    holds: ["E_GUARD_MOVED_VALUES", 6],
  },
  {
    what: "a discount for those below a discounted product, which stays",
    rows: ENOUGH,
    toChange: () => [],
    toDiscount: (n) => ({
      old: toDiscount(n),
      new: n % 3 === 1 ? toDiscountAbove(n) : toDiscount(n),
    }),
  },
  {
    what: "a few products that get the discount of the one above",
    rows: ENOUGH,
    toChange: () => [],
    toDiscount: (n) => ({
      old: toCampaign(n),
      new: n > 1 && n % 3 === 1 ? toCampaign(n - 1) : undefined,
    }),
  },
  {
    what: "discounts of one column that was sorted alone",
    rows: DISCOUNTS.length,
    toChange: () => [],
    toDiscount: (n) => ({ old: DISCOUNTS[n - 1], new: DISCOUNTS.toSorted()[n - 1] }),
    holds: ["E_GUARD_MOVED_VALUES", 31],
  },
  {
    what: "discounts of one column that was sorted alone, of which one was edited",
    rows: DISCOUNTS.length,
    toChange: () => [],
    toDiscount: (n) => ({
      old: DISCOUNTS[n - 1],
      new: n === 3 ? "2 7" : DISCOUNTS.toSorted()[n - 1],
    }),
    holds: ["E_GUARD_MOVED_VALUES", 31],
  },
  {
    what: "values of discounts that have slipped, of which few fit their kind",
    rows: ENOUGH,
    toChange: () => [],
    isRefused: (n) => n > 2,
    toDiscount: (n) => ({ old: toDiscount(n), new: n > 2 ? undefined : "2 7" }),
    holds: ["E_GUARD_MOVED_VALUES", 2],
  },
  {
    what: "one discount for all",
    rows: ENOUGH,
    toChange: () => [],
    toDiscount: (n) => ({ old: toDiscount(n), new: "2 10" }),
  },
  {
    what: "titles and subtitles that were swapped",
    rows: 5,
    toChange: (n) => [
      toText("title", `Lale Fincan Takımı ${n}`, `Lale Fincan ${n}`),
      toText("sub_title", `Lale Fincan ${n}`, `Lale Fincan Takımı ${n}`),
    ],
    // Each row is held for its title and for its subtitle.
    holds: ["E_GUARD_MOVED_VALUES", 10],
  },
  {
    what: "one image for all",
    rows: ENOUGH,
    toChange: (n) => ({
      field: "images",
      old: [`https://a.example/${n}.jpg`],
      new: ["https://a.example/logo.jpg"],
    }),
    holds: ["E_GUARD_SAME_TEXT", ENOUGH],
  },
  { what: "a few rows", rows: TOO_FEW, toChange: toOther },
  {
    what: "a few of many rows",
    rows: 5 * ENOUGH,
    toChange: (n) => (n <= ENOUGH ? toBrand() : { field: "stock_count", old: 1, new: 2 }),
  },
  { what: "allowed brands", rows: ENOUGH, toChange: toBrand, allowed: ["brand-change"] },
  { what: "rows that wait for a person", rows: ENOUGH, toChange: toBrand, state: "held" },
];

const RUN = "r-1";

/** Plays all plans; returns what the guards held wrongly or let pass, in words. */
export async function playContentPlans(): Promise<readonly string[]> {
  const broken = await Promise.all(PLANS.map(playPlan));
  return broken.flat();
}

async function playPlan(plan: Plan): Promise<readonly string[]> {
  const { what, rows: count, allowed = [], holds = ["", 0] } = plan;
  const journal = await openMemoryJournal();
  const decisions = Array.from({ length: count }, (_, index) => toPlanned(plan, index + 1));
  await journal.appendRows(
    RUN,
    decisions.map(({ row }) => ({
      row,
      cells: [`C-${row}`],
      code: `C-${row}`,
      codeKey: `C-${row}`,
    })),
  );
  const checks = createPlanChecks();
  await journal.saveDecisions(RUN, checks.check(decisions.map(toCandidate), decisions));
  await holdContent(checks.content, {
    runId: RUN,
    journal,
    locationOf: ({ row }) => locate(row),
    guards: { ...ALL_GUARDS, allowed: new Set(allowed) },
  });
  const records = await journal.readRows(RUN, { limit: count });
  const codes = records.flatMap(({ state, issues }) =>
    state === "held" ? issues.map(({ code }) => code) : [],
  );
  const held = codes.filter((code) => code === holds[0]).length;
  const others = codes.length - held;
  if (held === holds[1] && others === 0) return [];
  return [`${what}: ${held} rows of ${holds[1]} are held as they must be, ${others} for nothing`];
}

function toPlanned(plan: Plan, number: number): RowDecision {
  const { toChange, toDiscount: choose, isRefused = () => false, state = "ready" } = plan;
  const decision = toDecision({ row: number + 1, productId: `p-${number}` }, state);
  const changes = [toChange(number)].flat();
  if (choose === undefined) return { ...decision, changes };
  const choice = choose(number);
  const isChanged = choice.new !== undefined && choice.old !== choice.new;
  const choices: RowDecision["choices"] = [
    { field: "discount_value", key: "discount_value", ...choice },
  ];
  if (isRefused(number)) {
    const text = { tr: "İndirim eksik.", en: "The discount is not whole." };
    const issue = { code: "E_DISCOUNT", ...locate(number + 1), message: text, suggestion: text };
    const refused = { state: "invalid", action: null, payload: null, issues: [issue] } as const;
    return { ...decision, ...refused, choices };
  }
  const ended: Change = { field: "has_discount", old: true, new: choice.new !== "none" };
  return {
    ...decision,
    changes: isChanged ? [...changes, ended] : changes,
    choices,
  };
}

const locate = (row: number): ReturnType<CandidateRow["locationOf"]> => ({
  sheet: "Ürünler",
  row,
  column: "Başlık",
  cell: `B${row}`,
  value: "",
});

function toCandidate({ row, productId }: RowDecision): CandidateRow {
  return {
    row,
    code: `C-${row}`,
    codeKey: `C-${row}`,
    productId,
    action: "update",
    changes: {},
    categoryName: undefined,
    issues: [],
    completeAdd: () => ({ ok: false, issues: [] }),
    codeLocation: locate(row),
    locationOf: () => locate(row),
  };
}
