import type { DraftSummary, SentSummary } from "../../src/api/index.ts";
import type { Texts } from "../texts/texts.ts";
import { describeUndone } from "./describe-undone.ts";

interface SortedDrafts {
  readonly open: readonly DraftSummary[];
  readonly sent: readonly DraftSummary[];
}

/** Files on their way, those that are half sent first, and files that were sent. */
export const sortDrafts = (drafts: readonly DraftSummary[]): SortedDrafts => {
  const halfSent = drafts.filter(({ sent }) => sent !== null && sent.state !== "finished");
  const unsent = drafts.filter(({ sent }) => sent === null);
  return {
    open: [...halfSent, ...unsent],
    sent: drafts.filter(({ sent }) => sent?.state === "finished"),
  };
};

const REST = ["waiting", "held", "wrong", "cancelled"] as const;

const STATES = { sending: "beingSent", stopped: "halfSent", finished: "sent" } as const;

/** What became of a file that was sent, with the rows that did not reach the store. */
export const describeSent = (sent: SentSummary, words: Texts["upload"]): string =>
  [
    sent.undone === null ? words[STATES[sent.state]] : describeUndone(sent.undone, words),
    ...REST.filter((key) => sent[key] > 0).map((key) => words.rest[key](sent[key])),
  ].join(", ");

/** What can be sent of a file without errors, and whether that is something. */
export const describePlanned = (
  planned: DraftSummary["planned"],
  words: Texts["upload"],
): { readonly text: string; readonly isGood: boolean } => {
  if (planned === null) return { text: words.noErrors, isGood: true };
  if (planned.ready > 0) return { text: words.planned, isGood: true };
  const text = planned.held > 0 ? words.rest.held(planned.held) : words.nothingPlanned;
  return { text, isGood: false };
};
