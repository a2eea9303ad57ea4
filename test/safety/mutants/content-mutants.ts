/**
 * Guards over texts, brands, categories and images, each switched off. The worlds of the simulation
 * write no texts, so that plans of a kind of their own judge them.
 */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { type Mutant, mutant } from "./mutant.ts";

const inWatch = (name: string, breaks: string, from: string, to: string): Mutant =>
  mutant(name, breaks, { file: SOURCE_PATHS.contentWatch, from, to });

export const CONTENT_MUTANTS: readonly Mutant[] = [
  inWatch(
    "same-text-passes",
    "texts that become equal for many products are sent",
    "return count >= MIN_SHARING && differs;",
    "return count < 0 && differs;",
  ),
  inWatch(
    "variants-are-held",
    "equal texts that stay equal are held",
    "return count >= MIN_SHARING && differs;",
    "return count >= MIN_SHARING || differs;",
  ),
  inWatch(
    "short-text-passes",
    "texts that lose most of their length are sent",
    "if (next.trim().length * 3 < old.trim().length)",
    "if (next.trim().length < 0)",
  ),
  inWatch(
    "other-text-passes",
    "titles that keep no word are sent",
    'if (field === "title" && !sharesWord(old, next))',
    'if (field === "title" && old === next)',
  ),
  inWatch(
    "moved-values-pass",
    "values that other products have now are sent",
    "replaced.has(next[index] ?? 0)",
    "replaced.has(-1)",
  ),
  inWatch(
    "moved-prices-pass",
    "prices that other products have now are sent",
    "if (isNumberChange(change)) noteNumber(field",
    "if (isNumberChange(change) && change.old === change.new) noteNumber(field",
  ),
  inWatch(
    "moved-stocks-pass",
    "stocks that the row above has now are sent",
    "by !== 0 && oldOf.get(row - by) === next[index]",
    "by === 0 && oldOf.get(row - by) === next[index]",
  ),
  inWatch(
    "common-stocks-are-held",
    "stocks that some other product has are held",
    'field === "stock_count" ? slipped',
    'field === "title" ? slipped',
  ),
  inWatch(
    "few-slipped-pass",
    "a few rows that have slipped are sent",
    "return { rows: slipped, isEvident: true };",
    "return { rows: slipped, isEvident: false };",
  ),
  inWatch(
    "few-stocks-are-held",
    "a few stocks that a row above has are held, however few differ",
    "given.size >= Math.max(MIN_SLIPPED, slipped.length / 2)",
    "given.size >= 1",
  ),
  inWatch(
    "swapped-pass",
    "columns of stock and price that were swapped are sent",
    "return price.new === Number(stock.old) * MINOR_UNITS;",
    "return price.new === Number(stock.old) * -MINOR_UNITS;",
  ),
  inWatch(
    "untaxed-pass",
    "prices that lose exactly their tax are sent",
    "Math.abs(next - old / factor) <= 1",
    "Math.abs(next - old / factor) < 0",
  ),
  inWatch(
    "shuffled-pass",
    "values of a column that was sorted alone are sent",
    "if (isVaried && isShuffled(changes))",
    "if (!isVaried && isShuffled(changes))",
  ),
  inWatch(
    "series-passes",
    "a series that was dragged down is sent",
    "if (isSeries && !isMost(",
    "if (!isSeries && !isMost(",
  ),
  inWatch(
    "scaled-pass",
    "stocks that lost their decimal sign are sent",
    "stock.new === old * scale",
    "stock.new === old * -scale",
  ),
  inWatch(
    "first-images-pass",
    "images are compared as lists, so that a slipped first one is sent",
    'String(list[0] ?? "")',
    'String(list ?? "")',
  ),
  inWatch(
    "one-price-passes",
    "one price for all products is sent",
    "return isVaried && isMost(alike) ?",
    "return !isVaried && isMost(alike) ?",
  ),
  inWatch(
    "common-prices-are-held",
    "a few prices that many products have are held",
    "isMost(moved) && isVaried",
    "isMost(moved) && replaced.size >= 0",
  ),
  inWatch(
    "right-by-chance-is-sent",
    "rows of slipped texts that look right by chance are sent",
    "const rowsToHold = isOfAll ? (changing ?? found) : found;",
    "const rowsToHold = isOfAll ? found : found;",
  ),
  inWatch(
    "same-images-pass",
    "images that become equal for many products are sent",
    "else if (isListChange(change)) noteValue(",
    "else if (isListChange(change) && change.old === change.new) noteValue(",
  ),
  inWatch(
    "brand-change-passes",
    "brands and categories that move are sent",
    '} else if (isMove(change)) watch("brand-change"',
    '} else if (change === undefined) watch("brand-change"',
  ),
  inWatch(
    "category-change-passes",
    "brands alone are watched, and no categories",
    '  "brand_id",\n  "category_id",\n  "images",\n];',
    '  "brand_id",\n  "images",\n];',
  ),
  inWatch(
    "no-images-pass",
    "images that are removed are sent as removed",
    'if (isRemoval(change)) watch("no-images"',
    'if (change === undefined) watch("no-images"',
  ),
  inWatch(
    "allowed-is-held",
    "what a person has allowed is held all the same",
    "!allowed.has(guard) &&",
    "",
  ),
  inWatch(
    "few-are-held",
    "an edit of a few rows is held like a file",
    "each.isEvident === true || rows >= limits.contentRows",
    "rows >= 0",
  ),
  inWatch(
    "no-share",
    "a small share of a file is held like the whole of it",
    "changed > (rows * limits.contentPercent) / 100,",
    "changed > 0,",
  ),
  inWatch(
    "waiting-rows-count",
    "rows of which a person decides count among those that leave",
    "if (!isLeaving(decision)) return;\n      updated.rows += 1;",
    "updated.rows += 1;",
  ),
  mutant("unwatched", "the decisions of a plan are not watched", {
    file: SOURCE_PATHS.decideRows,
    from: "content.observe(single);",
    to: "void single;",
  }),
  inWatch(
    "found-and-sent",
    "what is found is not held",
    "for (const row of watched) {",
    "for (const row of watched.slice(watched.length)) {",
  ),
];

/** Noticed only by the program as a whole. */
export const PROGRAM_CONTENT_MUTANTS: readonly Mutant[] = [
  mutant("plan-holds-nothing", "a plan does not hold what the guards have found", {
    file: SOURCE_PATHS.planRows,
    from: "await holdContent(plan.checks.content, {",
    to: "void holdContent;\n  void ({",
  }),
  ...CONTENT_MUTANTS.filter(({ name }) => name === "unwatched" || name === "other-text-passes"),
];
