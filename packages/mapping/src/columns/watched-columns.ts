import type { Watch } from "./column-cells.ts";
import { type ColumnFacts, findHolder } from "./column-facts.ts";
import { isNumberSuspect } from "./column-questions.ts";
import type { FieldKey } from "./fields/field.ts";

/** Fields whose empty column matters, or whose values a message quotes. */
const QUOTED: readonly FieldKey[] = ["price", "list_price", "discount_value", "currency"];

/** The columns whose cells decide about a question, and those that a message quotes. */
export function listWatched(facts: ColumnFacts): ReadonlyMap<number, Watch> {
  const watched = new Map<number, Watch>(listQuoted(facts).map((index) => [index, "sample"]));
  for (const [index, watch] of facts.deciding) watched.set(index, watch);
  for (const index of facts.idColumns) watched.set(index, "id");
  for (const [index, { kind }] of facts.targets.entries()) {
    const isLeftOut = kind === "unknown" && facts.headers[index] !== "";
    if (isLeftOut || isLostCurrency(facts, index)) watched.set(index, "text");
    if (kind === "other-id" && !facts.idColumns.has(index)) watched.set(index, "sample");
    if (isNumberSuspect(facts, index)) watched.set(index, "code");
  }
  return watched;
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
