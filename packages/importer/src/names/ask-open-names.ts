import type { OpenNameCount } from "@catalog/runs";

import type { ActiveRules } from "./active-rules.ts";
import { createCaseFinder, findOpenNames, type FindOpenNamesOptions } from "./find-open-names.ts";

/**
 * A person's answer about one text: its meaning, that it stays open, or the end of all questions.
 */
export type NameAnswer =
  | { readonly kind: "means"; readonly target: string }
  | { readonly kind: "leave" }
  | { readonly kind: "stop" };

/** Asks a person about a text, once for all rows that have it. */
export type AskName = (name: OpenNameCount) => Promise<NameAnswer>;

export interface AskOpenNamesOptions extends FindOpenNamesOptions {
  readonly rules: ActiveRules;
  /** @default no question is asked */
  readonly ask?: AskName | undefined;
}

/**
 * Finds the names that match nothing, and asks about each that has candidates. An answer becomes a
 * rule at once. Names below a wrong category are found only once it is resolved, so this repeats
 * until there is no new question. Returns the names that stay open.
 */
export async function askOpenNames(
  options: AskOpenNamesOptions,
): Promise<readonly OpenNameCount[]> {
  const { rules, ask } = options;
  const findCases = createCaseFinder(options);
  const asked = new Set<string>();
  for (;;) {
    const open = await findOpenNames(options, await findCases());
    const waiting = open.filter((name) => name.choices.length > 0 && !asked.has(keyOf(name)));
    if (ask === undefined || waiting.length === 0) return open;
    let isOver = false;
    let answers = 0;
    for (const name of waiting) {
      asked.add(keyOf(name));
      const answer: NameAnswer = isOver ? { kind: "leave" } : await ask(name);
      isOver ||= answer.kind === "stop";
      if (answer.kind !== "means") continue;
      const { field, value } = name;
      await rules.add({ field, value, target: answer.target, targetId: null });
      answers += 1;
    }
    if (answers === 0) return open;
    if (isOver) return await findOpenNames(options, await findCases());
  }
}

const keyOf = ({ field, value }: OpenNameCount): string => `${field}\n${value}`;
