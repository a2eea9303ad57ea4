/** Rules that protect a run from the behavior of a store, another machine or an older copy. */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { type Mutant, mutant } from "./mutant.ts";

export const SHOP_MUTANTS: readonly Mutant[] = [
  mutant("address-as-typed", "the same store under another spelling gets another ledger", {
    file: SOURCE_PATHS.marketAddress,
    from: "const url = URL.parse(text);",
    to: "if (text !== undefined) return text;\n  const url = URL.parse(text);",
  }),
  mutant("believes-totals", "a listing ends at its stated total", {
    file: SOURCE_PATHS.paging,
    from: "return mayEnd && stated.size === 1 && total === position && !isFull;",
    to: "return total <= position;",
  }),
  mutant(
    "unproven-filter",
    "a filter is trusted that was never seen to find anything",
    {
      file: SOURCE_PATHS.filterTrust,
      from: "return (await marketplace.trustsFilter?.(filter, signal)) ?? true;",
      to: "return filter !== undefined || marketplace !== signal;",
    },
    {
      file: SOURCE_PATHS.filterProof,
      from: 'if (await trust.trustsFilter("product_code", signal)) return;',
      to: "if (signal?.aborted !== true) return;",
    },
  ),
  mutant(
    "no-second-look",
    "a plan that a person confirmed late is sent without another recheck",
    {
      file: SOURCE_PATHS.suspectAdds,
      from: "if (first === undefined) return;",
      to: "if (first === undefined || !isQuestioned) return;",
    },
    {
      file: SOURCE_PATHS.withAddRechecks,
      from: "if (adds === undefined) return rechecks;",
      to: "if (adds === undefined || adds !== undefined) return rechecks;",
    },
  ),
  mutant("letters-tell-codes-apart", "a code is added that looks like one of the store", {
    file: SOURCE_PATHS.decideRow,
    from: "if (lookAlike.length > 0) {",
    to: "if (lookAlike.length < 0) {",
  }),
  mutant(
    "knows-no-copy",
    "a request that a lost copy may have sent is sent again in a store that shows nothing",
    {
      file: SOURCE_PATHS.holdUnprovenAdds,
      from: "if (rows.length === 0 || (await isStoreVisible({ ...sender, signal: sender.stop }))) return;",
      to: "if (rows.length >= 0) return;",
    },
  ),
  mutant("refused-is-absent", "a refused add is sent again without a proof that it had no effect", {
    file: SOURCE_PATHS.absence,
    from: "const isProven = isProvenAbsent(history, visibility, history.lookedUpMs);",
    to: "const isProven = visibility.samples >= 0;",
  }),
  mutant(
    "refused-gives-its-code",
    "the code of a refused add is free before a lookup has proven it",
    {
      file: SOURCE_PATHS.recordLookup,
      from: "const keepsCode = !isProven;",
      to: "const keepsCode = isProven && !isProven;",
    },
  ),
  mutant("resume-is-young", "a plan that a later start resumes counts as a fresh one", {
    file: SOURCE_PATHS.updateRechecks,
    from: "const { keptAtMs = -Infinity } = recheck;",
    to: "const keptAtMs = recheck.keptAtMs ?? options.clock.now() - 1;",
  }),
  mutant(
    "sheet-tells-the-unit",
    "the unit of the store's prices is learned from the sheet",
    {
      file: SOURCE_PATHS.priceUnit,
      from: "return { ...UNKNOWN_UNIT, priceUnitQuestion: question };",
      to: `const { unit = "unknown" } = question.suggestion ?? {};
  return { priceUnit: unit, priceUnitBy: "sheet" };`,
    },
    {
      file: SOURCE_PATHS.priceUnitCount,
      from: "const MIN_PAIRS = 20;",
      to: "const MIN_PAIRS = 1;",
    },
  ),
  mutant("guards-no-unknown-unit", "a price is sent that could not be compared", {
    file: SOURCE_PATHS.guardUpdate,
    from: "if (!questioned) return sure;",
    to: "if (!questioned || questioned) return sure;",
  }),
];
