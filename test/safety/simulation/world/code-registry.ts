/** The registry of look-alike codes of a home, which the real one stores in its database. */

import { CODE_KEYS } from "@catalog/mapping";
import {
  type CodeRegistry,
  type Journal,
  type RowRecord,
  type ListedProductRow,
  type TakenCode,
  STATE_TABLE,
} from "@catalog/runs";

export interface SimCodeRegistry extends CodeRegistry {
  /** Wraps the journal, so that its last listing is stored here. */
  watch<J extends Journal>(journal: J): J;
}

/** Creates the registry of one home's runs, which may read each other's rows. */
export function createSimCodeRegistry(runIds: readonly string[]): SimCodeRegistry {
  let seen: readonly ListedProductRow[] = [];
  let journal: Journal | undefined;
  const readRows = async (runId: string): Promise<readonly RowRecord[]> =>
    (await journal?.readRows(runId, { limit: 100 })) ?? [];
  const readTaken = async (runId: string): Promise<readonly TakenCode[]> => {
    const taken = seen.map(({ codeKey: code, product: { id } }) => toTaken({ code, id }, "store"));
    for (const id of runIds) {
      if (id === runId) continue;
      for (const { action, state, codeKey: code } of await readRows(id)) {
        if (action !== "add" || code === null) continue;
        if (state === "ready") taken.push(toTaken({ code, id }, "waiting"));
        else if (STATE_TABLE.takingCode.includes(state)) taken.push(toTaken({ code, id }, "sent"));
      }
    }
    return taken;
  };
  return {
    watch: (watched) => {
      journal = watched;
      return {
        ...watched,
        async clearSeen() {
          seen = [];
          await watched.clearSeen();
        },
        async saveSeen(products) {
          seen = [...seen, ...products];
          await watched.saveSeen(products);
        },
      };
    },
    async readLookAlikes(runId, suspectKeys) {
      const taken = await readTaken(runId ?? "");
      return taken.filter(({ suspectKey }) => suspectKeys.includes(suspectKey));
    },
    // The normalization of codes is tested elsewhere.
    readPairs: async () => [],
    readNormalization: async () => undefined,
    saveNormalization: async () => undefined,
  };
}

const toTaken = (
  { code, id }: Pick<TakenCode, "code" | "id">,
  where: TakenCode["where"],
): TakenCode => ({ code, id, where, suspectKey: CODE_KEYS.lookAlike(code) });
