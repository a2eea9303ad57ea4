/**
 * Questions, packages and templates in memory. An action that comes twice is carried out twice, and
 * counted. The outcome of each call can be scripted.
 */

import {
  type ActionCall,
  type ActionName,
  type ActionPort,
  ACTIONS,
  type LearnedEffect,
  type SubjectView,
} from "../ports/action.ts";
import type { Reply } from "./fake-marketplace.ts";

/** The subjects of a fake store, and its scripted behaviour. */
export interface FakeActionsOptions {
  /** Fields of each subject by its id. */
  readonly subjects: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /**
   * Replies for each call, such as `accept p1`: the first reply answers the first such call, and so
   * on; after the last one all calls succeed.
   */
  readonly script?: Readonly<Record<string, readonly Reply[]>>;
  /** Fields that no reading shows. @default all are shown */
  readonly hidden?: readonly string[];
  /** Called when a call has come in (and was carried out), before it is answered. */
  readonly onCall?: (call: string) => void;
}

/** Actions that a test can inspect. */
export interface FakeActions extends ActionPort {
  /** Calls that came in, such as `accept p1` and `READ package p1`. */
  readonly log: readonly string[];
  /** How often each action was carried out, such as `accept p1: 1`. */
  readonly effects: ReadonlyMap<string, number>;
  readonly learned: readonly string[];
  /** Somebody else sets fields of a subject. */
  set(id: string, fields: Readonly<Record<string, unknown>>): void;
  /** Removes a subject from the listings. */
  remove(id: string): void;
}

/** What an action makes of its subject. */
const toFields = (action: ActionName, call: ActionCall): Readonly<Record<string, unknown>> => {
  if (action === "reply") return { answer: call["message"] };
  if (action === "shipping-code") return { shipping_code: `CODE-${String(call["package_id"])}` };
  if (ACTIONS[action].subject === "template") return call;
  return { status: `after ${action}` };
};

const SUBJECT_FIELDS = [
  "product_question_id",
  "package_id",
  "shipping_template_id",
  "template_name",
] as const;

const subjectOf = (call: ActionCall): string => {
  const field = SUBJECT_FIELDS.find((name) => call[name] !== undefined);
  return String(field === undefined ? "" : call[field]);
};

export function createFakeActions(options: FakeActionsOptions): FakeActions {
  const { script = {}, hidden = [], onCall } = options;
  const subjects = new Map(Object.entries(options.subjects).map(([id, of]) => [id, { ...of }]));
  const replies = new Map(Object.entries(script).map(([call, of]) => [call, [...of]]));
  const log: string[] = [];
  const effects = new Map<string, number>();
  const learned: string[] = [];
  const known: LearnedEffect[] = [];
  const carryOut = (action: ActionName, call: ActionCall): void => {
    const id = subjectOf(call);
    subjects.set(id, { ...subjects.get(id), ...toFields(action, call) });
    const name = `${action} ${id}`;
    effects.set(name, (effects.get(name) ?? 0) + 1);
  };
  return {
    log,
    effects,
    learned,
    set: (id, fields) => void subjects.set(id, { ...subjects.get(id), ...fields }),
    remove: (id) => void subjects.delete(id),
    async send(action, call, { beforeSend }) {
      const name = `${action} ${subjectOf(call)}`;
      const reply = replies.get(name)?.shift();
      if (reply?.kind === "failure") throw reply.error;
      if (reply === undefined || reply.begins) {
        beforeSend();
        log.push(name);
      }
      if (reply === undefined || reply.effect === "now") carryOut(action, call);
      onCall?.(name);
      const data = { success: true, status: "ok", ...toResult(action, call) };
      return reply?.answer ?? { kind: "answered", data, phase: "body" };
    },
    async readSubjects(kind, ids) {
      if (ids.length > 0) log.push(`READ ${kind} ${ids.join(" ")}`);
      const shown = [...subjects].map(([id, fields]): [string, SubjectView] => [
        id,
        { fields: Object.fromEntries(Object.entries(fields).filter(([f]) => !hidden.includes(f))) },
      ]);
      return { views: new Map(shown), calls: 1 };
    },
    async learn(seen) {
      for (const { action, field, old, shown } of seen) {
        learned.push(`${action} ${field}: ${String(old)} → ${String(shown)}`);
        known.push({ action, field, old, shown, rows: 1 });
      }
    },
    readLearned: async () => known,
  };
}

const toResult = (action: ActionName, call: ActionCall): object =>
  action === "shipping-code" ? { shippingCode: `CODE-${String(call["package_id"])}` } : {};
