/**
 * The questions of the store as the page shows them. They are read by pages when a person asks for
 * it, and kept in memory: the unanswered ones, and the newest answered ones where they are wanted.
 */

import type { Connection } from "@catalog/connection";
import { idSchemas, type Question, readAnswer } from "@catalog/contract";
import { maskName, readTimestamp } from "@catalog/exporter";
import { subjectKey } from "@catalog/runs";
import { z } from "zod";

import { createTextFold } from "../drafts/draft-rows.ts";

/** A question of the list. */
export interface ListedQuestion {
  /** Names the question in orders; the same as long as the list is open. */
  readonly number: number;
  readonly id: string;
  readonly atMs: number | null;
  /** `null` for a question about the store, and where the marketplace does not name the product. */
  readonly product: AskedProduct | null;
  readonly isOfProduct: boolean;
  /** With initials only, as exports have it. */
  readonly name: string;
  /** What the buyer is greeted with; `null` where the marketplace masks the name. */
  readonly firstName: string | null;
  readonly title: string;
  readonly subject: string;
  readonly message: string;
  /** `null` where there is none, or its text was not read. */
  readonly answer: string | null;
  readonly isAnswered: boolean;
  /** What our runs have done with it, or do; `null` for nothing. */
  readonly ours: "sent" | "open" | null;
}

interface AskedProduct {
  readonly id: string | null;
  readonly code: string | null;
  readonly title: string | null;
  /** Its number in the list of products; `null` where it is not in there. */
  readonly number: number | null;
  readonly link: string | null;
}

/** Which questions are listed; all parts hold together. */
interface QuestionFilter {
  readonly show: "unanswered" | "answered";
  /** @default both */
  readonly about?: "product" | "store" | undefined;
  /** Part of its texts, its product or its code; letters fold as in Turkish. */
  readonly text?: string | undefined;
  /** Only these. @default all */
  readonly ids?: ReadonlySet<string> | undefined;
  /** @default false */
  readonly isOldestFirst?: boolean | undefined;
}

type Scope = "unanswered" | "answered";

interface QuestionListState {
  /** Grows with each change of what the list shows. */
  readonly version: number;
  readonly unanswered: number;
  readonly answered: number;
  /** When the listing was read last as a whole; `null` before. */
  readonly readAtMs: Readonly<Record<Scope, number | null>>;
  readonly reading: { readonly done: number; readonly total: number | null } | null;
  /** Why the last reading failed; `undefined` where it did not. */
  readonly error: unknown;
  /** Whether there are older answered questions, which were not read. */
  readonly hasOlder: boolean;
}

/** The questions of one store, for one process. */
export interface QuestionList extends AsyncDisposable {
  state(): Promise<QuestionListState>;
  /** Begins to read a listing and returns; nothing happens while one is read. */
  start(scope: Scope): void;
  /** Stops the reading; the list keeps what was read. */
  stop(): Promise<void>;
  order(filter: QuestionFilter): Promise<Uint32Array>;
  /** Questions by their numbers; a number without a question is left out. */
  rows(numbers: readonly number[]): Promise<readonly ListedQuestion[]>;
  /** Questions by their ids; an id without a question is left out. */
  find(ids: readonly string[]): Promise<readonly ListedQuestion[]>;
}

type ListTools = Pick<Connection, "client" | "clock" | "memory" | "journal">;

/** What is kept of a question. */
interface Entry extends Omit<ListedQuestion, "product" | "ours"> {
  readonly product: Omit<AskedProduct, "number"> | null;
  readonly folded: string;
  /** Number of the reading that has shown it last. */
  readonly seenIn: number;
}

/** Pages of answered questions that are read at most, the newest first; 50 to a page. */
const MAX_ANSWERED_PAGES = 100;
/** A listing that moves while it is read is read again so often at most. */
const MAX_PASSES = 3;
/** Subjects that are looked up in the ledger at a time. */
const LEDGER_KEYS = 500;

interface Reading {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  done: number;
  total: number | null;
}

/** Opens the questions of a store; nothing is read yet. */
export const openQuestionList = (tools: ListTools): QuestionList => new StoreQuestions(tools);

class StoreQuestions implements QuestionList {
  readonly #tools: ListTools;
  readonly #ours: ReturnType<typeof createOurs>;
  readonly #fold = createTextFold();
  readonly #numbers = new Map<string, number>();
  readonly #entries = new Map<number, Entry>();
  readonly #readAtMs: Record<Scope, number | null> = { unanswered: null, answered: null };
  #version = 0;
  #readings = 0;
  #hasOlder = false;
  #reading: Reading | undefined;
  #error: unknown;

  constructor(tools: ListTools) {
    this.#tools = tools;
    this.#ours = createOurs(tools);
  }

  async state(): Promise<QuestionListState> {
    await this.#refresh();
    const total = this.#entries.size;
    const unanswered = [...this.#entries.values()].filter((entry) => this.#isOpen(entry)).length;
    const reading = this.#reading;
    return {
      version: this.#version,
      unanswered,
      answered: total - unanswered,
      readAtMs: { ...this.#readAtMs },
      reading: reading === undefined ? null : { done: reading.done, total: reading.total },
      error: this.#error,
      hasOlder: this.#hasOlder,
    };
  }

  start(scope: Scope): void {
    if (this.#reading !== undefined) return;
    this.#error = undefined;
    this.#reading = this.#begin(scope);
  }

  async stop(): Promise<void> {
    this.#reading?.stop.abort(new Error("the reading was stopped"));
    await this.#reading?.ended;
  }

  async order({
    show,
    about,
    text = "",
    ids,
    isOldestFirst = false,
  }: QuestionFilter): Promise<Uint32Array> {
    await this.#refresh();
    // Signs fold to nothing: they find none, and not everything.
    const sought = this.#fold(text) || text.trim();
    const found = [...this.#entries.values()].filter(
      (entry) =>
        this.#isOpen(entry) === (show === "unanswered") &&
        (about === undefined || entry.isOfProduct === (about === "product")) &&
        (ids === undefined || ids.has(entry.id)) &&
        (sought === "" || entry.folded.includes(sought)),
    );
    const sign = isOldestFirst ? 1 : -1;
    const sorted = found.toSorted((one, other) => sign * ((one.atMs ?? 0) - (other.atMs ?? 0)));
    return Uint32Array.from(sorted, ({ number }) => number);
  }

  async rows(numbers: readonly number[]): Promise<readonly ListedQuestion[]> {
    const entries = numbers.flatMap((number) => this.#entries.get(number) ?? []);
    const products = await readProducts(this.#tools, entries);
    return entries.map((entry) => toListed(entry, products, this.#ours.of(entry.id)));
  }

  async find(ids: readonly string[]): Promise<readonly ListedQuestion[]> {
    await this.#ours.read(ids);
    return await this.rows(ids.flatMap((id) => this.#numbers.get(id) ?? []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #isOpen({ id, isAnswered }: Entry): boolean {
    return !isAnswered && this.#ours.of(id) !== "sent";
  }

  /** Looks up what our runs have done since. */
  async #refresh(): Promise<void> {
    const waiting = [...this.#entries.values()].filter(({ isAnswered }) => !isAnswered);
    if (await this.#ours.read(waiting.map(({ id }) => id))) this.#version += 1;
  }

  #begin(scope: Scope): Reading {
    const stop = new AbortController();
    const settle = async (): Promise<void> => {
      // The reading begins once it can be seen.
      await Promise.resolve();
      try {
        await this.#read(scope, begun);
      } catch (failure) {
        this.#error = stop.signal.aborted ? undefined : failure;
      } finally {
        this.#reading = undefined;
        this.#version += 1;
      }
    };
    const begun: Reading = { stop, ended: settle(), done: 0, total: null };
    return begun;
  }

  async #read(scope: Scope, begun: Reading): Promise<void> {
    this.#readings += 1;
    const atMs = this.#tools.clock.now();
    // Pages move up while questions are answered, so that one may be passed over.
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      if (await this.#readOnce(scope, begun)) break;
    }
    if (scope === "unanswered") this.#settleLeft();
    this.#readAtMs[scope] = atMs;
  }

  /** Returns whether the listing stood still. */
  async #readOnce(scope: Scope, begun: Reading): Promise<boolean> {
    const { signal } = begun.stop;
    const { question } = this.#tools.client;
    const isAnswered = scope === "answered";
    const filter = isAnswered ? ({ answered: 1 } as const) : ({ unanswered: 1 } as const);
    let isSteady = true;
    let pages = 0;
    begun.done = 0;
    const onEnd = (end: { readonly isSteady: boolean }): void => void ({ isSteady } = end);
    for await (const { result, total } of question.list.pages(filter, { signal, onEnd })) {
      for (const one of result) this.#take(one);
      begun.done += result.length;
      begun.total = total;
      this.#version += 1;
      pages += 1;
      if (!isAnswered || pages < MAX_ANSWERED_PAGES) continue;
      this.#hasOlder = begun.done < total;
      return true;
    }
    if (isAnswered) this.#hasOlder = false;
    return isSteady;
  }

  #take(question: Question): void {
    const number = this.#numbers.get(question.id) ?? this.#numbers.size + 1;
    this.#numbers.set(question.id, number);
    const entry = toEntry(question, { number, seenIn: this.#readings, fold: this.#fold });
    this.#entries.set(number, entry);
  }

  /** Those that have left the unanswered were answered meanwhile; nobody has read by whom. */
  #settleLeft(): void {
    for (const entry of this.#entries.values()) {
      if (entry.isAnswered || entry.seenIn === this.#readings) continue;
      this.#entries.set(entry.number, { ...entry, isAnswered: true });
    }
  }
}

function toListed(
  entry: Entry,
  products: Awaited<ReturnType<typeof readProducts>>,
  ours: ListedQuestion["ours"],
): ListedQuestion {
  const { folded: _, seenIn: __, product, ...question } = entry;
  const listed = products.get(product?.id ?? "");
  return { ...question, product: product && { ...product, number: null, ...listed }, ours };
}

/** The specification does not describe the product of a question: the likely names are tried. */
const askedProduct = z.object({
  id: z.string().nullish(),
  product_code: z.string().nullish(),
  title: z.string().nullish(),
  product_name: z.string().nullish(),
  url: z.string().nullish(),
});

interface EntryOptions {
  readonly number: number;
  readonly seenIn: number;
  readonly fold: (text: string) => string;
}

function toEntry(question: Question, { number, seenIn, fold }: EntryOptions): Entry {
  const { id, answer, created_at: at, question_for: about } = question;
  const texts = readTexts(question);
  const product = readProduct(question);
  const given = readAnswer(answer)?.message ?? null;
  const all = [...Object.values(texts), given, product?.title, product?.code];
  return {
    ...texts,
    number,
    id,
    atMs: readTimestamp(at) ?? null,
    product,
    isOfProduct: about === "product" || (about !== "store" && product !== null),
    firstName: readFirstName(question.full_name ?? ""),
    answer: given,
    isAnswered: answer !== null && answer !== undefined,
    folded: fold(all.filter(Boolean).join("\n")),
    seenIn,
  };
}

const readTexts = ({
  title,
  subject,
  message,
  full_name: name,
}: Question): Pick<Entry, "title" | "subject" | "message" | "name"> => ({
  title: title ?? "",
  subject: subject ?? "",
  message: message ?? "",
  name: maskName(name ?? ""),
});

function readProduct({ product }: Question): Entry["product"] {
  const found = askedProduct.safeParse(product).data;
  if (found === undefined) return null;
  const { id = null, product_code: code = null, title, product_name: name, url = null } = found;
  return { id, code, title: title ?? name ?? null, link: url };
}

/** A masked name greets nobody. */
function readFirstName(fullName: string): string | null {
  const [first = ""] = fullName.trim().split(/\s+/u);
  return first === "" || first.includes("*") ? null : first;
}

/** Reads where the products of questions stand in the list of products. */
async function readProducts(
  { memory }: ListTools,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Pick<AskedProduct, "number" | "link">>> {
  const ids = new Set(
    entries.flatMap(({ product }) => idSchemas.product.safeParse(product?.id).data ?? []),
  );
  if (ids.size === 0) return new Map();
  const found = await memory.storeProducts.readById([...ids]);
  return new Map(
    found.map(({ number, product }) => [product.id, { number, link: product.url ?? null }]),
  );
}

/** What our runs have done with questions, by the ledger. */
function createOurs({ journal }: Pick<ListTools, "journal">) {
  const known = new Map<string, "sent" | "open">();
  return {
    of: (id: string): "sent" | "open" | null => known.get(id) ?? null,
    /** Returns whether something is new. */
    async read(ids: readonly string[]): Promise<boolean> {
      let isNew = false;
      for (let at = 0; at < ids.length; at += LEDGER_KEYS) {
        const some = ids.slice(at, at + LEDGER_KEYS);
        const keys = new Map(some.map((id) => [subjectKey("reply", id), id]));
        const found = new Map<string, "sent" | "open">();
        for (const { subjectKey: key, state } of await journal.readActions([...keys.keys()])) {
          const id = keys.get(key);
          if (id === undefined) continue;
          found.set(id, state === "done" || found.get(id) === "sent" ? "sent" : "open");
        }
        for (const id of some) {
          const now = found.get(id);
          if (known.get(id) === now) continue;
          isNew = true;
          if (now === undefined) known.delete(id);
          else known.set(id, now);
        }
      }
      return isNew;
    },
  };
}
