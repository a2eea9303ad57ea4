/** What calls did to questions, packages and templates, so that a test sees what was done twice. */

/** Calls that change something which must not be changed twice, or only by the seller's wish. */
export type ActionName =
  | "question.reply"
  | "order.postpone"
  | "order.accept"
  | "order.acceptReturn"
  | "order.rejectReturn"
  | "shipping.generateCode"
  | "shippingTemplate.create"
  | "shippingTemplate.update";

/**
 * How often each action was carried out, by the endpoint's name and then by the id of the question,
 * package or template; created templates are counted by name.
 */
export type EffectCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Everything that was carried out. Calls without an effect, such as refused ones, do not count. */
export interface Effects {
  readonly effects: EffectCounts;
  /**
   * Those that were carried out more than once, except updates of templates, which are allowed to
   * be.
   */
  readonly repeatedEffects: EffectCounts;
  /** Effects of another person, which are in none of the other counts. */
  readonly otherPersonEffects: EffectCounts;
}

/** All effects in their order, for a snapshot. */
export type SavedEffects = readonly {
  readonly action: string;
  readonly subject: string;
  readonly by: Actor;
  readonly count: number;
}[];

/** "caller" sends calls; "other" is a person whom the sandbox plays. */
export type Actor = "caller" | "other";

export interface EffectLog {
  note(action: ActionName, subject: string, by: Actor): void;
  read(): Effects;
  save(): SavedEffects;
  reset(): void;
  load(saved: SavedEffects): void;
}

const REPEATABLE: ActionName = "shippingTemplate.update";

export function createEffectLog(): EffectLog {
  const noted = new Map<string, SavedEffects[number]>();
  const put = (one: SavedEffects[number]): void =>
    void noted.set(JSON.stringify([one.action, one.subject, one.by]), one);
  const select = (isWanted: (one: SavedEffects[number]) => boolean): EffectCounts => {
    const byAction = Map.groupBy([...noted.values()].filter(isWanted), ({ action }) => action);
    return Object.fromEntries(
      [...byAction].map(([action, same]) => [
        action,
        Object.fromEntries(same.map(({ subject, count }) => [subject, count])),
      ]),
    );
  };

  return {
    note(action, subject, by) {
      const { count = 0 } = noted.get(JSON.stringify([action, subject, by])) ?? {};
      put({ action, subject, by, count: count + 1 });
    },
    read: () => ({
      effects: select(({ by }) => by === "caller"),
      repeatedEffects: select(
        ({ by, count, action }) => by === "caller" && count > 1 && action !== REPEATABLE,
      ),
      otherPersonEffects: select(({ by }) => by === "other"),
    }),
    save: () => [...noted.values()],
    reset: () => noted.clear(),
    load(saved) {
      noted.clear();
      saved.forEach(put);
    },
  };
}
