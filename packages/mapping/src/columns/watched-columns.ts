import type { Watch } from "./column-cells.ts";
import { type ColumnFacts, findHolder } from "./column-facts.ts";
import { isNumberSuspect } from "./column-questions.ts";
import type { FieldKey } from "./fields/field.ts";
import { isCodeLike } from "./likely-columns.ts";

/** Fields whose empty column matters, or whose values a message quotes. */
const QUOTED: readonly FieldKey[] = ["price", "list_price", "discount_value", "currency"];

/** The columns whose cells decide about a question, and those that a message quotes. */
export function listWatched(facts: ColumnFacts): ReadonlyMap<number, Watch> {
  const sampled = [...listQuoted(facts), ...listCodeLike(facts)];
  const watched = new Map<number, Watch>(sampled.map((index) => [index, "sample"]));
  for (const index of facts.idColumns) watched.set(index, "id");
  for (const [index, { kind }] of facts.targets.entries()) {
    const isLeftOut = kind === "unknown" && facts.headers[index] !== "";
    if (isLeftOut || isLostCurrency(facts, index)) watched.set(index, "text");
    if (kind === "other-id" && !facts.idColumns.has(index)) watched.set(index, "sample");
    if (isNumberSuspect(facts, index)) watched.set(index, "code");
  }
  // Samples are collected whatever else is watched.
  const deciding = [...facts.deciding].filter(
    ([index, watch]) => watch !== "sample" || !watched.has(index),
  );
  return new Map([...watched, ...deciding]);
}

/** The column of the product code, and those that may be proposed where it is missing or empty. */
function listCodeLike(facts: ColumnFacts): readonly number[] {
  const holder = findHolder(facts, "product_code");
  const others = facts.targets.flatMap(({ kind }, index) =>
    kind === "never-sent" && isCodeLike(facts.headers[index] ?? "") ? [index] : [],
  );
  return holder === undefined ? others : [holder, ...others];
}

function listQuoted(facts: ColumnFacts): readonly number[] {
  // A message names a column that may be a field together with the column that has the field.
  const suggested = facts.matches.flatMap(({ target }) =>
    target.kind === "unknown" && target.suggestion !== undefined ? [target.suggestion] : [],
  );
  const holders = [...QUOTED, ...suggested].map((field) => findHolder(facts, field));
  const beaten = facts.beaten.flatMap(({ index, winner }) => [index, winner]);
  return [...holders, ...beaten].filter((index) => index !== undefined);
}

function isLostCurrency({ matches, targets }: ColumnFacts, index: number): boolean {
  const target = matches[index]?.target;
  const isCurrency = target?.kind === "field" && target.field === "currency";
  return isCurrency && targets[index]?.kind !== "field";
}
