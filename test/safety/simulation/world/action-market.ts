/** Questions, packages and templates of a simulated store: what is true, and what it shows. */

import type { ActionCall, ActionName, SubjectView } from "@catalog/runs";

type Fields = Readonly<Record<string, unknown>>;

/** What a subject is from a moment on. */
interface Standing {
  /** When the listings begin to show it. */
  readonly shownMs: number;
  readonly fields: Fields;
  readonly by: "store" | "us" | "other";
}

export interface ActionMarket {
  /** Carries out an action of ours; `tag` names its row. */
  carryOut(
    action: ActionName,
    subject: string,
    by: { readonly tag: string; readonly call: ActionCall },
  ): void;
  /** Another person does something to a subject. */
  act(subject: string, fields: Fields): void;
  /** What the listings show; a subject that is missing is in none. */
  views(): ReadonlyMap<string, SubjectView>;
  /** Each value of a field that they have shown since a moment, that of the moment included. */
  shownSince(subject: string, field: string, sinceMs: number): readonly unknown[];
  isHidden(field: string): boolean;
  /** How often an action was carried out for a subject by us, by the tags of its rows. */
  effects(action: ActionName, subject: string): ReadonlyMap<string, number>;
  /** Whether another person has changed it. */
  wasTouched(subject: string): boolean;
  /** Whether another person has undone an action of ours, so that the status is one of before. */
  wasPutBack(subject: string): boolean;
}

export interface ActionMarketOptions {
  readonly nowMs: () => number;
  /** How long a change is hidden. */
  readonly lagMs: () => number;
  /** Fields that no listing shows. */
  readonly hidden: ReadonlySet<string>;
}

const FIRST: Readonly<Record<string, Fields>> = {
  q1: { answer: null },
  q2: { answer: null },
  p1: { status: 1, shipping_code: null },
  p2: { status: 1, shipping_code: null },
  t1: { shipping_note: "old" },
};

/** What an action of ours makes of its subject. */
function toFields(action: ActionName, call: ActionCall, times: number): Fields {
  if (action === "reply") return { answer: call["message"] };
  if (action === "shipping-code") return { shipping_code: `CODE ${times}` };
  if (action === "create-template") return { template_name: call["template_name"] };
  if (action === "update-template") return { shipping_note: call["message"] };
  return { status: action === "accept" ? 3 : 2 };
}

export function createActionMarket({ nowMs, lagMs, hidden }: ActionMarketOptions): ActionMarket {
  const subjects = new Map<string, Standing[]>(
    Object.entries(FIRST).map(([id, fields]) => [
      id,
      [{ shownMs: -Infinity, fields, by: "store" }],
    ]),
  );
  const effects = new Map<string, Map<string, number>>();
  const change = (id: string, fields: Fields, by: Standing["by"]): void => {
    const past = subjects.get(id) ?? [];
    subjects.set(id, past);
    const last = past.at(-1);
    // Changes are shown in their order.
    const shownMs = Math.max(nowMs() + lagMs(), last?.shownMs ?? -Infinity);
    past.push({ shownMs, fields: { ...last?.fields, ...fields }, by });
  };
  const shownAt = (id: string, atMs: number): Standing | undefined =>
    subjects.get(id)?.findLast(({ shownMs }) => shownMs <= atMs);
  return {
    carryOut(action, subject, { tag, call }) {
      const key = `${action} ${subject}`;
      const tags = effects.get(key) ?? new Map<string, number>();
      effects.set(key, tags.set(tag, (tags.get(tag) ?? 0) + 1));
      change(subject, toFields(action, call, tags.size), "us");
    },
    act: (subject, fields) => change(subject, fields, "other"),
    views() {
      const shown = [...subjects.keys()].flatMap((id): [string, SubjectView][] => {
        const standing = shownAt(id, nowMs());
        if (standing === undefined) return [];
        const fields = Object.entries(standing.fields).filter(([field]) => !hidden.has(field));
        return [[id, { fields: Object.fromEntries(fields) }]];
      });
      return new Map(shown);
    },
    shownSince(subject, field, sinceMs) {
      const past = subjects.get(subject) ?? [];
      const first = shownAt(subject, sinceMs);
      const later = past.filter(({ shownMs }) => shownMs > sinceMs && shownMs <= nowMs());
      return [first, ...later].map((standing) => standing?.fields[field] ?? null);
    },
    isHidden: (field) => hidden.has(field),
    effects: (action, subject) => effects.get(`${action} ${subject}`) ?? new Map(),
    wasTouched: (subject) => subjects.get(subject)?.some(({ by }) => by === "other") ?? false,
    wasPutBack(subject) {
      const past = subjects.get(subject) ?? [];
      return past.some(({ by, fields }, at) => {
        if (by !== "other") return false;
        const ours = past.slice(0, at).findLastIndex((each) => each.by === "us");
        return past
          .slice(0, Math.max(ours, 0))
          .some((each) => each.fields["status"] === fields["status"]);
      });
    },
  };
}
