/** Rules that keep a run safe from what a store, another machine or an older copy does. */

import { type Mutant, mutant } from "./mutant.ts";

export const STORE_MUTANTS: readonly Mutant[] = [
  mutant("address-as-typed", "the same store under another spelling gets another ledger", {
    file: "client:market-address.ts",
    from: "const url = URL.parse(text);",
    to: "if (text !== undefined) return text;\n  const url = URL.parse(text);",
  }),
  mutant("believes-totals", "a listing ends where its total says so", {
    file: "client:paging.ts",
    from: "if (count.note(total, position)) return;",
    to: "count.note(total, position);\n    if (position >= total) return;",
  }),
  mutant(
    "unproven-filter",
    "a filter is believed that was never seen to find anything",
    {
      file: "filters/may-trust.ts",
      from: "return (await marketplace.mayTrust?.(filter, signal)) ?? true;",
      to: "return filter !== undefined || marketplace !== signal;",
    },
    {
      file: "filters/proven-filters.ts",
      from: 'if (await trust.mayTrust("product_code", signal)) return;',
      to: "if (signal?.aborted !== true) return;",
    },
  ),
  mutant(
    "no-second-look",
    "what a person has thought about for long is sent without another look",
    {
      file: "toolkit:look-for-adds.ts",
      from: "if (first === undefined) return;",
      to: "if (first === undefined || !isDoubted) return;",
    },
    {
      file: "look/look-at-adds.ts",
      from: "if (adds === undefined) return looks;",
      to: "if (adds === undefined || adds !== undefined) return looks;",
    },
  ),
  mutant("letters-tell-codes-apart", "a code is added that only looks like one of the store", {
    file: "plan-row.ts",
    from: "return alike.length > 0",
    to: "return alike.length < 0",
  }),
  mutant("knows-no-copy", "what a lost copy may have sent is sent again where nothing is shown", {
    file: "toolkit:hold-unseen.ts",
    from: "if (rows.length === 0 || (await isSeen(toolkit, stop))) return;",
    to: "if (rows.length >= 0) return;",
  }),
  mutant("refused-is-absent", "a refused add goes again without a proof that it left nothing", {
    file: "unknown/absence.ts",
    from: "const isProven = isProvenAbsent(doubt, visibility, doubt.lookedMs);",
    to: "const isProven = visibility.samples >= 0;",
  }),
  mutant(
    "refused-gives-its-code",
    "the code of a refused add is free before a look has proven it",
    {
      file: "reconcile.ts",
      from: "const keepsCode = !isProven;",
      to: "const keepsCode = isProven && !isProven;",
    },
  ),
  mutant("resume-is-young", "a plan that a later start goes on with is taken for a fresh one", {
    file: "look/looks.ts",
    from: "const { keptAtMs = -Infinity } = look;",
    to: "const keptAtMs = look.keptAtMs ?? options.clock.now() - 1;",
  }),
  mutant(
    "sheet-tells-the-unit",
    "the unit of the store's prices is learnt from the sheet",
    {
      file: "learn-price-unit.ts",
      from: "return { ...nothing, priceUnitQuestion: question };",
      to: `const { unit = "unknown" } = question.suggestion ?? {};
  return { priceUnit: unit, priceUnitBy: "sheet" };`,
    },
    {
      file: "learn-price-unit.ts",
      from: "const FEWEST_PAIRS = 20;",
      to: "const FEWEST_PAIRS = 1;",
    },
  ),
  mutant("guards-no-unknown-unit", "a price is sent that could be compared with nothing", {
    file: "guards/guard-update.ts",
    from: "if (!doubted) return sure;",
    to: "if (!doubted || doubted) return sure;",
  }),
];
