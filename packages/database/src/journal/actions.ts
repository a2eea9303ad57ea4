/** Requests about subjects, such as questions and packages, over all runs of the store. */

import {
  isAction,
  type Journal,
  type KnownAction,
  type ProductAction,
  STATE_TABLE,
} from "@catalog/runs";
import type { RawBuilder } from "kysely";

import type { Steps } from "../sql/database.ts";
import { prepareLookup, toLiteral } from "../sql/queries.ts";
import type { JournalContext } from "./transitions.ts";

/** Kinds of requests that are about products; literals, so that SQLite uses the partial indexes. */
export const PRODUCT_KINDS: readonly RawBuilder<ProductAction>[] = [
  toLiteral("add"),
  toLiteral("update"),
];

export function createActionLedger(context: JournalContext): Pick<Journal, "readActions"> {
  const read = prepareActions(context);
  return {
    readActions: (keys) => context.database.execute(read(keys)),
  };
}

function prepareActions({
  database,
  store,
}: JournalContext): (keys: readonly string[]) => Steps<readonly KnownAction[]> {
  const read = prepareLookup<string, Found>(database, (list) =>
    database.build
      .selectFrom("op")
      .select(["code_key", "kind", "state", "run_id", "row_no"])
      .where("store", "=", store)
      .where("code_key", "in", list)
      .where("kind", "not in", PRODUCT_KINDS)
      .where("state", "in", STATE_TABLE.takingCode.map(toLiteral)),
  );
  return function* readActions(keys) {
    return (yield* read(keys)).flatMap(({ code_key, kind, state, run_id, row_no }) =>
      isAction(kind)
        ? [{ subjectKey: code_key ?? "", action: kind, state, runId: run_id, row: row_no }]
        : [],
    );
  };
}

interface Found {
  readonly code_key: string | null;
  readonly kind: KnownAction["action"] | ProductAction;
  readonly state: KnownAction["state"];
  readonly run_id: string;
  readonly row_no: number;
}
