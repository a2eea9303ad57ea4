import { useCallback, useState } from "react";

import { type Decisions, formatDecisions, parseDecisions } from "./decisions.ts";

/** Changes what is decided now, which another tick may have changed while rows were read. */
export type ChangeDecisions = (decide: (decisions: Decisions) => Decisions) => void;

/** Decisions on the plan that is shown; they outlast a reload, and end with the plan. */
export const useDecisions = (planHash: string): readonly [Decisions, ChangeDecisions] => {
  const key = `catalog-decisions:${planHash}`;
  const [kept, setKept] = useState({ key, decisions: parseDecisions(sessionStorage.getItem(key)) });
  const decisions = kept.key === key ? kept.decisions : parseDecisions(sessionStorage.getItem(key));
  const change: ChangeDecisions = useCallback(
    (decide) => {
      const next = decide(parseDecisions(sessionStorage.getItem(key)));
      sessionStorage.setItem(key, formatDecisions(next));
      setKept({ key, decisions: next });
    },
    [key],
  );
  return [decisions, change];
};
