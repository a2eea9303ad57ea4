/**
 * Actions: calls that do one thing to one subject of the store, such as answering a question. None
 * of them can be repeated blindly, and none can be undone by the marketplace.
 */

import type { Localized } from "@catalog/i18n";

import type { Answer, SendOptions } from "./marketplace.ts";

/** What an action is about, and how often a subject may take it. */
interface ActionRule {
  readonly subject: SubjectKind;
  /** Whether a subject takes the action once, over all runs. */
  readonly isOnce: boolean;
  /** Whether any value in an empty field shows that the action was carried out. @default false */
  readonly isFilled?: boolean;
  /** Whether it may be done to a subject that shows what it makes of one. @default false */
  readonly mayFollowItself?: boolean;
  /** Whether it sets values, so that it may be sent again where the store shows the old ones. @default false */
  readonly isSetting?: boolean;
}

/** Kinds of things that actions are about. */
export type SubjectKind = "question" | "package" | "template";

/** What a row may do to a subject (sections Orders, Shipping templates, Shipping and Questions). */
export type ActionName =
  | "reply"
  | "accept"
  | "postpone"
  | "accept-return"
  | "reject-return"
  | "shipping-code"
  | "create-template"
  | "update-template";

/** A package that was postponed may be postponed again; an accepted one is never accepted again. */
export const ACTIONS: Readonly<Record<ActionName, ActionRule>> = {
  reply: { subject: "question", isOnce: true },
  accept: { subject: "package", isOnce: true },
  postpone: { subject: "package", isOnce: false, mayFollowItself: true },
  "accept-return": { subject: "package", isOnce: false },
  "reject-return": { subject: "package", isOnce: false },
  "shipping-code": { subject: "package", isOnce: true, isFilled: true },
  "create-template": { subject: "template", isOnce: false },
  "update-template": { subject: "template", isOnce: false, isSetting: true },
};

/** The actions that a subject takes once. */
export const ONCE_ACTIONS: readonly ActionName[] = Object.keys(ACTIONS)
  .filter(isAction)
  .filter((action) => ACTIONS[action].isOnce);

/** Whether a row with this action does something to a subject, and is about no product. */
export function isAction(action: string | null): action is ActionName {
  return action !== null && Object.hasOwn(ACTIONS, action);
}

/** Key of a subject in the ledger: its kind and its id, or the name of a template to create. */
export const subjectKey = (action: ActionName, subject: string): string =>
  `${ACTIONS[action].subject} ${subject}`;

/** Body of an action's call, by the names of the API. */
export type ActionCall = Readonly<Record<string, unknown>>;

/**
 * A subject as the store shows it now, by the fields of the rows' changes. A field that is missing
 * is not shown, so that nobody can tell by it whether an action was carried out; `null` is shown as
 * empty.
 */
export interface SubjectView {
  readonly fields: Readonly<Record<string, unknown>>;
  /** What values mean, such as the marketplace's word for a status. @default the values say it */
  readonly words?: Readonly<Record<string, Localized>> | undefined;
}

/** What one reading of subjects has shown, of further subjects too. */
export interface SubjectReading {
  /** By the id of the subject; one that is missing is in no listing. */
  readonly views: ReadonlyMap<string, SubjectView>;
  /** Calls that the reading took. */
  readonly calls: number;
}

/** A field that an action has changed, as reading back shows it. */
export interface ActionEffect {
  readonly action: ActionName;
  readonly field: string;
  readonly old: unknown;
  readonly shown: unknown;
}

/** An effect, and how often it was seen. */
export interface LearnedEffect extends ActionEffect {
  readonly rows: number;
}

/** The calls of actions. They throw as the other calls of the marketplace port do. */
export interface ActionPort {
  /** Sends an action, for which the caller has taken a slot. */
  send(action: ActionName, call: ActionCall, options: SendOptions): Promise<Answer>;
  /** Reads subjects as they are now; makes no call where none is asked for. */
  readSubjects(
    kind: SubjectKind,
    subjects: readonly string[],
    signal?: AbortSignal,
  ): Promise<SubjectReading>;
  /** Remembers what actions that were carried out have made of fields. */
  learn?(effects: readonly ActionEffect[]): Promise<void>;
  /** Reads what was learned of this marketplace. @default nothing is known */
  readLearned?(): Promise<readonly LearnedEffect[]>;
}
