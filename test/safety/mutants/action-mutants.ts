/** Rules of actions, such as answers to questions, each switched off. */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { type Mutant, mutant } from "./mutant.ts";

export const ACTION_MUTANTS: readonly Mutant[] = [
  mutant("action-before-written", "an action leaves before it is written down", {
    file: SOURCE_PATHS.sendRow,
    from: "if (!isRepeated) begin();",
    to: "if (!isRepeated) rechecked?.record.call === undefined ? begin() : setImmediate(begin);",
  }),
  mutant("action-sent-again", "an action whose answer was lost is sent again without waiting", {
    file: SOURCE_PATHS.reconcileActions,
    from: "return isMine && (mayRepeat(options, history) || maySetAgain(record, history))",
    to: 'return isMine && record.state === "ambiguous"',
  }),
  mutant("held-action-sent", "a resume sends an action that is held", {
    file: SOURCE_PATHS.reconcileActions,
    from: "return isMine && (mayRepeat(options, history) || maySetAgain(record, history))",
    to: 'return isMine && (mayRepeat(options, history) || record.state === "held")',
  }),
  mutant(
    "action-twice",
    "a subject takes an action twice that it takes once",
    {
      file: SOURCE_PATHS.beginAttempt,
      from: "together([inFlight(claim), taken(claim), call(claim)])",
      to: "together([inFlight(claim), call(claim)])",
    },
    {
      file: SOURCE_PATHS.databaseRules,
      from: "CREATE UNIQUE INDEX one_action_per_subject",
      to: "CREATE INDEX one_action_per_subject",
    },
  ),
  mutant(
    "two-actions-at-once",
    "another action is sent for a subject while one may still be carried out",
    {
      file: SOURCE_PATHS.beginAttempt,
      from: "together([inFlight(claim), taken(claim), call(claim)])",
      to: "together([taken(claim), call(claim)])",
    },
    {
      file: SOURCE_PATHS.databaseRules,
      from: "CREATE UNIQUE INDEX one_action_in_flight",
      to: "CREATE INDEX one_action_in_flight",
    },
  ),
  mutant("held-action-is-over", "an action that is held counts as one that is over", {
    file: SOURCE_PATHS.beginAttempt,
    from: 'const OPEN_ACTION = ["sending", "ambiguous", "held"] as const;',
    to: 'const OPEN_ACTION = ["sending", "ambiguous"] as const;',
  }),
  mutant("changed-subject", "an action is sent for a subject that has changed since the plan", {
    file: SOURCE_PATHS.actionRechecks,
    from: 'if (found === "before" || found === "hidden") {',
    to: 'if (found !== "gone") {',
  }),
  mutant("old-look-at-subject", "a look at subjects counts however old it is", {
    file: SOURCE_PATHS.actionRechecks,
    from: "return ageMs >= 0 && ageMs <= mayAgeMs + tookMs;",
    to: "return ageMs >= 0 && mayAgeMs >= 0;",
  }),
  mutant("refused-action-is-undone", "a refused action counts as not carried out without a look", {
    file: SOURCE_PATHS.sendRow,
    from: 'const mayLeaveAgain = to === "ready" && isAbsolute(action);',
    to: 'const mayLeaveAgain = action !== "update";',
  }),
  mutant("limited-action-is-undone", "an action leaves again after a limit without a look", {
    file: SOURCE_PATHS.sendRow,
    from: 'const mayLeaveAgain = to === "ready" && isAbsolute(action);',
    to: 'const mayLeaveAgain = to === "ready";',
  }),
  mutant("reached-is-unknown", "an action that the store shows as done is not recognized", {
    file: SOURCE_PATHS.judgeView,
    from: 'if (wanted !== undefined && isSame(wanted, shown)) return "reached";',
    to: 'if (wanted !== undefined && isSame(wanted, shown)) return "moved";',
  }),
  mutant(
    "released-though-done",
    "a person's release sends what the store shows as done",
    {
      file: SOURCE_PATHS.releaseRow,
      from: 'if (judgeView(record, view) === "reached") return keep("E_RELEASE_FOUND", code ?? "");',
      to: 'if (judgeView(record, view) === "gone") return keep("E_RELEASE_FOUND", code ?? "");',
    },
    {
      file: SOURCE_PATHS.actionRechecks,
      from: 'if (found === "before" || found === "hidden") {',
      to: 'if (found === "before" || found === "hidden" || found === "reached") {',
    },
  ),
  mutant("copy-sends-unseen", "a restored copy sends what its store would not show", {
    file: SOURCE_PATHS.actionRechecks,
    from: 'if (found === "hidden" && (await isOfCopy(options, record))) {',
    to: 'if (found === "gone" && (await isOfCopy(options, record))) {',
  }),
];
