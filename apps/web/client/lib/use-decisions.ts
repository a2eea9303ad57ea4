import { useState } from "react";

import { type Decisions, formatDecisions, parseDecisions } from "./decisions.ts";

/** Decisions on the plan that is shown; they outlast a reload, and end with the plan. */
export const useDecisions = (
  planHash: string,
): readonly [Decisions, (decisions: Decisions) => void] => {
  const key = `catalog-decisions:${planHash}`;
  const [kept, setKept] = useState({ key, decisions: parseDecisions(sessionStorage.getItem(key)) });
  const decisions = kept.key === key ? kept.decisions : parseDecisions(sessionStorage.getItem(key));
  return [
    decisions,
    (next) => {
      sessionStorage.setItem(key, formatDecisions(next));
      setKept({ key, decisions: next });
    },
  ];
};
