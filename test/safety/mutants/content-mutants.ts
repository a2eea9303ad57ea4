/**
 * Guards over texts, brands, categories and images, each switched off. The worlds of the simulation
 * write no texts, so that plans of a kind of their own judge them.
 */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { type Mutant, mutant } from "./mutant.ts";

const inWatch = (name: string, breaks: string, from: string, to: string): Mutant =>
  mutant(name, breaks, { file: SOURCE_PATHS.contentWatch, from, to });

const inMoved = (name: string, breaks: string, from: string, to: string): Mutant =>
  mutant(name, breaks, { file: SOURCE_PATHS.movedValues, from, to });

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
  inMoved(
    "moved-values-pass",
    "values that other products have now are sent",
    "replaced.has(next[index] ?? 0)",
    "replaced.has(-1)",
  ),
  inMoved(
    "moved-prices-pass",
    "prices that other products have now are sent",
    "if (isNumberChange(change)) note(field",
    "if (isNumberChange(change) && change.old === change.new) note(field",
  ),
  inMoved(
    "moved-stocks-pass",
    "stocks that the row above has now are sent",
    "by !== 0 && oldOf.get(row - by) === next[index]",
    "by === 0 && oldOf.get(row - by) === next[index]",
  ),
  inMoved(
    "common-stocks-are-held",
    "stocks that some other product has are held",
    'field === "stock_count" ? slipped',
    'field === "title" ? slipped',
  ),
  inMoved(
    "few-slipped-pass",
    "a few rows that have slipped are sent",
    "if (isMost(slipped) && isTelling)",
    "if (isMost(slipped) && isTelling && slipped.length >= MIN_NUMBERS)",
  ),
  inMoved(
    "few-stocks-are-held",
    "a few stocks that a row above has are held, however few differ",
    "given.size >= Math.max(MIN_SLIPPED, slipped.length / 2)",
    "given.size >= 1",
  ),
  inMoved(
    "swapped-pass",
    "columns of stock and price that were swapped are sent",
    "price.new === Number(stock.old) * MINOR_UNITS;",
    "price.new === Number(stock.old) * -MINOR_UNITS;",
  ),
  inMoved(
    "untaxed-pass",
    "prices that lose exactly their tax are sent",
    "Math.abs(next - old / factor) <= 1",
    "Math.abs(next - old / factor) < 0",
  ),
  inMoved(
    "shuffled-pass",
    "values of a column that was sorted alone are sent",
    "if (isVaried && isShuffled(field, changes))",
    "if (!isVaried && isShuffled(field, changes))",
  ),
  inMoved(
    "edited-since-passes",
    "a column that was sorted alone is sent once one of its cells was edited",
    "common * 100 >= all * REARRANGED_PERCENT",
    "common > all",
  ),
  inMoved(
    "counts-are-held",
    "stocks of a count are held, as many products have the stock that others had",
    "return isTelling && correlate(old, next) <= MAX_CORRELATION;",
    "return isTelling && correlate(old, next) <= 1;",
  ),
  inMoved(
    "restocked-are-held",
    "stocks that others had are held, although few differ and they are in no order",
    "const isTelling = new Set(old).size * 2 >= rows.length || isInOrder(next);",
    "const isTelling = rows.length >= 0;",
  ),
  inMoved(
    "misfits-pass",
    "discounts that fit their kind by chance are sent, where most do not",
    "if (isMisfit) return",
    "if (!isMisfit && refused < 0) return",
  ),
  inMoved(
    "series-passes",
    "a series that was dragged down is sent",
    "if (isSeries && !isMost(",
    "if (!isSeries && !isMost(",
  ),
  inMoved(
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
  inMoved(
    "one-price-passes",
    "one price for all products is sent",
    "return isVaried && isMost(alike) ?",
    "return !isVaried && isMost(alike) ?",
  ),
  inMoved(
    "common-prices-are-held",
    "a few prices that many products have are held",
    "isMost(moved) && isVaried",
    "isMost(moved) && replaced.size >= 0",
  ),
  inWatch(
    "right-by-chance-is-sent",
    "rows of slipped texts that look right by chance are sent",
    "held: changing, total: changing.length",
    "held: [...found.rows], total: changing.length",
  ),
  inWatch(
    "same-images-pass",
    "images that become equal for many products are sent",
    "else if (isListChange(change)) moved.noteText(",
    "else if (isListChange(change) && change.old === change.new) moved.noteText(",
  ),
  inMoved(
    "slipped-choices-pass",
    "discounts of the row above are sent",
    "oldOf.get(row - by) === nextOf.get(row)",
    "oldOf.get(row - by) !== nextOf.get(row)",
  ),
  inMoved(
    "ended-discounts-pass",
    "discounts that end because they have slipped are sent",
    'const sent = field === "discount_value" ? "has_discount" : field;',
    "const sent: string = field;",
  ),
  inMoved(
    "choices-of-others-are-held",
    "a choice is held that some rows above have, and others have not",
    "if (isNearlyAll(telling.filter(hasSlipped), telling)) return found;",
    "if (isNearlyAll(found, changed)) return found;",
  ),
  inMoved(
    "a-few-choices-are-held",
    "a few products that get the one choice of the product above are held",
    "given.size > 1 ? MIN_SLIPPED : MIN_MOVED_CHOICES",
    "given.size > 1 ? MIN_SLIPPED : MIN_SLIPPED",
  ),
  inMoved(
    "sorted-choices-pass",
    "discounts of a column that was sorted alone are sent",
    "&& hasSameChoices(column);",
    "&& !hasSameChoices(column);",
  ),
  inMoved(
    "swapped-texts-pass",
    "columns of title and subtitle that were swapped are sent",
    "return isPriceStock ? [...NUMBERS, ...texts] : texts;",
    "return isPriceStock ? [...NUMBERS] : texts.slice(texts.length);",
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
    "(isEvident || total >= limits.contentRows)",
    "total >= 0",
  ),
  inWatch(
    "no-share",
    "a small share of a file is held like the whole of it",
    "rows.length > (total * limits.contentPercent) / 100,",
    "rows.length > 0,",
  ),
  inWatch(
    "waiting-rows-count",
    "rows of which a person decides count among those that leave",
    'if (decision.action !== "update" || !isLeaving(decision)) return;',
    'if (decision.action !== "update") return;',
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
    file: SOURCE_PATHS.planRun,
    from: "await holdContent(plan.checks.content, {",
    to: "void holdContent;\n  void ({",
  }),
  ...CONTENT_MUTANTS.filter(({ name }) => name === "unwatched" || name === "other-text-passes"),
];
