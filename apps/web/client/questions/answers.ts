/**
 * The answers that are being written. What is typed is in the storage of this browser at once, and
 * stays there until the server has it: neither a reload nor a server that is away loses a word.
 */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";

import type { WrittenAnswer, WrittenAnswerView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { readAnswers, saveAnswers } from "../lib/questions.ts";
import { RefusedError, untilAnswered } from "../lib/requests.ts";

/** So long after the last key the server is told. */
const SAVE_AFTER_MS = 400;
/** What the server has refused is offered again after so long. */
const AGAIN_MS = 10_000;
/** Answers that are saved with one request. */
const MAX_SAVED = 500;

interface AnswersOptions {
  /** Names the store, so that two stores do not mix in one browser. */
  readonly store: string;
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;
  readonly save: (answers: readonly WrittenAnswer[]) => Promise<void>;
}

export class Answers {
  readonly #options: AnswersOptions;
  readonly #listeners = new Set<() => void>();
  readonly #texts = new Map<string, string>();
  /** Answers that the server does not have yet. */
  readonly #pending = new Set<string>();
  /** When each answer was last typed or saved, counted in such changes. */
  readonly #changedAt = new Map<string, number>();
  #changes = 0;
  /** Questions that wait no more, of which answers are left. */
  #settled: ReadonlySet<string> = new Set();
  #ready: readonly WrittenAnswer[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | undefined;

  constructor(options: AnswersOptions) {
    this.#options = options;
    const { storage } = options;
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
    const prefix = this.#key("");
    for (const key of keys.filter((one) => one.startsWith(prefix))) {
      const id = key.slice(prefix.length);
      this.#texts.set(id, storage.getItem(key) ?? "");
      this.#pending.add(id);
    }
    this.#change();
    if (this.#pending.size > 0) this.#saveSoon();
  }

  get(id: string): string {
    return this.#texts.get(id) ?? "";
  }

  /** Whether the server does not have the answer yet. */
  isPending(id: string): boolean {
    return this.#pending.has(id);
  }

  /** Answers with a text whose questions wait for one. */
  ready(): readonly WrittenAnswer[] {
    return this.#ready;
  }

  /** Answers whose questions were answered by somebody else, or are gone. */
  leftOver(): number {
    return [...this.#settled].filter((id) => this.get(id) !== "").length;
  }

  /** How much has changed here, by which {@link take} knows what was read before a change. */
  changes(): number {
    return this.#changes;
  }

  set(answers: readonly WrittenAnswer[]): void {
    for (const { id, text } of answers) {
      this.#note(id);
      this.#texts.set(id, text);
      this.#pending.add(id);
      this.#options.storage.setItem(this.#key(id), text);
    }
    this.#change();
    this.#saveSoon();
  }

  /** Takes what the server had; what was changed here since, or is not saved yet, stays. */
  take(stored: readonly WrittenAnswerView[], changes: number): void {
    const known = new Set(stored.map(({ id }) => id));
    const isOld = (id: string): boolean =>
      this.#pending.has(id) || (this.#changedAt.get(id) ?? 0) > changes;
    for (const { id, text } of stored) if (!isOld(id)) this.#texts.set(id, text);
    for (const id of this.#texts.keys()) if (!known.has(id) && !isOld(id)) this.#texts.delete(id);
    this.#settled = new Set(stored.filter(({ isWaiting }) => !isWaiting).map(({ id }) => id));
    this.#change();
  }

  removeLeftOver(): void {
    this.set([...this.#settled].map((id) => ({ id, text: "" })));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #key(id: string): string {
    return `catalog-answer ${this.#options.store} ${id}`;
  }

  #note(id: string): void {
    this.#changes += 1;
    this.#changedAt.set(id, this.#changes);
  }

  #change(): void {
    this.#ready = [...this.#texts]
      .filter(([id, text]) => text.trim() !== "" && !this.#settled.has(id))
      .map(([id, text]) => ({ id, text }));
    for (const listener of this.#listeners) listener();
  }

  #saveSoon(afterMs: number = SAVE_AFTER_MS): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), afterMs);
  }

  /** Saves what is not saved yet, and waits for it; also for a server that is away. */
  async flush(): Promise<void> {
    await this.#saving;
    await this.#save();
  }

  async #save(): Promise<void> {
    // A later one follows, as answers may have changed meanwhile.
    if (this.#saving !== undefined || this.#pending.size === 0) return;
    this.#saving = this.#saveSome();
    await this.#saving;
  }

  async #saveSome(): Promise<void> {
    const sent = [...this.#pending].slice(0, MAX_SAVED).map((id) => ({ id, text: this.get(id) }));
    try {
      await this.#options.save(sent);
      for (const { id, text } of sent) {
        if (this.get(id) !== text) continue;
        this.#note(id);
        this.#pending.delete(id);
        this.#options.storage.removeItem(this.#key(id));
      }
    } catch (error) {
      // They stay in this browser, which the page says at each of them.
      if (!(error instanceof RefusedError)) throw error;
    } finally {
      this.#saving = undefined;
      this.#change();
    }
    if (this.#pending.size > 0) this.#saveSoon(this.#hasSaved(sent) ? SAVE_AFTER_MS : AGAIN_MS);
  }

  #hasSaved(sent: readonly WrittenAnswer[]): boolean {
    return sent.some(({ id }) => !this.#pending.has(id));
  }
}

/** The answers of the store that the page works on; they are read anew with each version of the list. */
export const useAnswers = (version: number): Answers => {
  const { me, lang, account } = usePage();
  // What somebody else has typed in this browser is theirs.
  const person = account === null ? "" : ` ${account.person.login}`;
  const store = `${me.store?.baseUrl} ${me.store?.storeId}${person}`;
  const spoken = useRef(lang);
  spoken.current = lang;
  // Another language must not begin anew, as it would not know what was typed last.
  const answers = useMemo(
    () =>
      new Answers({
        store,
        storage: localStorage,
        save: (some) => untilAnswered(() => saveAnswers({ answers: some }, spoken.current)),
      }),
    [store],
  );
  const { data } = useQuery({
    queryKey: ["written-answers", store, version],
    queryFn: async ({ signal }) => {
      const changes = answers.changes();
      return { changes, stored: await readAnswers(spoken.current, signal) };
    },
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (data !== undefined) answers.take(data.stored, data.changes);
  }, [answers, data]);
  return answers;
};

export const useAnswer = (answers: Answers, id: string): string =>
  useSyncExternalStore(
    (listener) => answers.subscribe(listener),
    () => answers.get(id),
  );

export const useReadyAnswers = (answers: Answers): readonly WrittenAnswer[] =>
  useSyncExternalStore(
    (listener) => answers.subscribe(listener),
    () => answers.ready(),
  );

export const useIsPending = (answers: Answers, id: string): boolean =>
  useSyncExternalStore(
    (listener) => answers.subscribe(listener),
    () => answers.isPending(id),
  );

/** What the placeholders of a saved reply stand for; `null` where it is not known. */
interface ReplyFacts {
  readonly firstName: string | null;
  readonly product: { readonly title: string | null } | null;
}

const PLACEHOLDER = /(?<before> ?)\{(?<name>ad|name|urun|ürün|product)\}/giu;

/** A saved reply for one question; a placeholder of which nothing is known leaves no gap. */
export const fillReply = (text: string, { firstName, product }: ReplyFacts): string =>
  text.replaceAll(PLACEHOLDER, (_whole, before: string, name: string) => {
    const isName = /^(?:ad|name)$/iu.test(name);
    const value = isName ? firstName : (product?.title ?? null);
    return value === null ? "" : before + value;
  });
