/**
 * Requests to the server half, the key that they are sent with, whether it answers, and what a
 * person reads where it does not.
 */

import { useCallback, useState, useSyncExternalStore } from "react";

import type { Problem, UploadedView } from "../../src/api/index.ts";
import type { Texts } from "../texts/texts.ts";
import type { Lang } from "./format.ts";
import { inStore } from "./place.ts";

/**
 * The key of changes lives in the storage of the page's own address, which tells ports apart as
 * cookies do not, and opens nothing without the cookie of its session.
 */
const KEY = "catalog-write-key";

/** What a link tells the page: the key of a session, the secret of an invitation, or a failure. */
type LinkPart = "k" | "i" | "e";

/** A part of the link that opened the page; `null` where it has none. */
export const readLinkPart = (hash: string, part: LinkPart): string | null => {
  const value = new URLSearchParams(hash.startsWith("#") ? hash.slice(1) : hash).get(part);
  return value === null || value === "" ? null : value;
};

export const readWriteKey = (): string | null => localStorage.getItem(KEY);

/** Calls back when another tab of this browser has opened a session, or has ended it. */
export const onOtherTab = (listen: (isOpened: boolean) => void): (() => void) => {
  const hear = ({ key, newValue }: StorageEvent): void => {
    if (key === KEY) listen(newValue !== null);
  };
  addEventListener("storage", hear);
  return () => removeEventListener("storage", hear);
};

export const writeWriteKey = (key: string): void => localStorage.setItem(KEY, key);

export const forgetWriteKey = (): void => localStorage.removeItem(KEY);

const COMMAND = "catalog web";

/** The command in the answer about the page, which names it with and without a session. */
export const parseCommand = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("command" in value)) return COMMAND;
    return typeof value.command === "string" ? value.command : COMMAND;
  } catch {
    // The answer came from something else than the program.
    return COMMAND;
  }
};

/** Asks the program for its command; the plain one where it does not answer. */
export const readCommand = async (): Promise<string> => {
  try {
    const response = await fetch("/api/me");
    return parseCommand(await response.text());
  } catch {
    return COMMAND;
  }
};

export interface ExternalValue<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls the listener after each change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Creates a value; setting the same value again notifies nobody. */
export const createExternalValue = <Value>(initial: Value): ExternalValue<Value> => {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useExternal = <Value>(value: ExternalValue<Value>): Value =>
  useSyncExternalStore(value.subscribe, value.get);

interface Unsaved {
  /** Number of things that are changed; one that was changed several times counts once. */
  readonly count: ExternalValue<number>;
  /** Counts the things as unsaved until the returned function is called. */
  readonly hold: (things: readonly unknown[]) => () => void;
}

export const createUnsaved = (): Unsaved => {
  const count = createExternalValue(0);
  /** How many open changes each thing has. */
  const open = new Map<unknown, number>();
  const add = (thing: unknown, by: number): void => {
    const changes = (open.get(thing) ?? 0) + by;
    if (changes > 0) open.set(thing, changes);
    else open.delete(thing);
  };
  return {
    count,
    hold: (things) => {
      for (const thing of things) add(thing, 1);
      count.set(open.size);
      return () => {
        for (const thing of things) add(thing, -1);
        count.set(open.size);
      };
    },
  };
};

export const unsaved: Unsaved = createUnsaved();

/** The server answered, and refused. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, problem: Problem) {
    super(problem.message);
    this.status = status;
    this.code = problem.code;
  }
}

/** No answer came, or the server has refused to begin as it waits for its database. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  /** What the server waits for, in its words; `null` where nothing answered. */
  readonly waitsFor: string | null;

  constructor(path: string, { waitsFor = null, ...options }: NoAnswerOptions = {}) {
    super(path, options);
    this.waitsFor = waitsFor;
  }
}

interface NoAnswerOptions extends ErrorOptions {
  readonly waitsFor?: string | null;
}

/** Whether the last request was answered, by a server whose database answers. */
export const isReachable: ExternalValue<boolean> = createExternalValue(true);
/** What a server waits for that answers, in its words; `null` for nothing. */
export const waitsFor: ExternalValue<string | null> = createExternalValue<string | null>(null);

/** Takes what the server said last: that it waits, or else that it answers. */
export const noteAnswer = (waits: string | null): void => {
  waitsFor.set(waits);
  isReachable.set(waits === null);
};
/** Whether the server has said that there is no session. */
export const isSessionOver: ExternalValue<boolean> = createExternalValue(false);
/** Whether a person has ended the program on this page. */
export const isClosed: ExternalValue<boolean> = createExternalValue(false);

const when = (value: ExternalValue<boolean>, wanted: boolean): Promise<void> =>
  new Promise((resolve) => {
    if (value.get() === wanted) {
      resolve();
      return;
    }
    const end = value.subscribe(() => {
      if (value.get() !== wanted) return;
      end();
      resolve();
    });
  });

/** Makes a change as often as no answer comes, and again once a session that is over is open. */
export const untilAnswered = async <Answer>(change: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (error instanceof NoAnswerError) await when(isReachable, true);
      else if (isOfSession(error)) await when(isSessionOver, false);
      else throw error;
    }
  }
};

const NO_SESSION = 401;

const isOfSession = (error: unknown): boolean =>
  error instanceof RefusedError && error.status === NO_SESSION;

const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  typeof value.code === "string" &&
  "message" in value &&
  typeof value.message === "string";

/** The problem in the body of a refusal; one without a message where the body is none. */
export const parseProblem = (status: number, text: string): Problem => {
  try {
    const value: unknown = JSON.parse(text);
    if (isProblem(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { code: `HTTP_${status}`, message: "" };
};

/** What the server says while its database is away. */
const DATABASE_AWAY = "E_DATABASE_AWAY";

/** The error of an answer that is not 2xx; ends the session where the server says so. */
export const toRefusal = (status: number, text: string): RefusedError | NoAnswerError => {
  const problem = parseProblem(status, text);
  const waits = problem.code === DATABASE_AWAY ? problem.message : null;
  noteAnswer(waits);
  if (waits !== null) return new NoAnswerError(problem.code, { waitsFor: waits });
  if (status === NO_SESSION) isSessionOver.set(true);
  return new RefusedError(status, problem);
};

export interface RequestOptions {
  readonly lang: Lang;
  readonly method?: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  /** Whether the route is one of the server as a whole, and not of the store. @default false */
  readonly isOfServer?: boolean;
  /** A file that is the body itself, in place of a document. */
  readonly file?: File | undefined;
  readonly signal?: AbortSignal | undefined;
}

const requestHeaders = (lang: Lang, isChange: boolean): Record<string, string> => {
  const headers: Record<string, string> = { "x-catalog-lang": lang };
  const key = readWriteKey();
  if (isChange && key !== null) headers["x-catalog"] = key;
  return headers;
};

const send = async (path: string, options: RequestOptions): Promise<Response> => {
  const headers = requestHeaders(options.lang, options.method !== undefined);
  const { file } = options;
  if (file !== undefined) {
    headers["content-type"] = "application/octet-stream";
    headers["x-file-name"] = encodeURIComponent(file.name);
  } else if (options.body !== undefined) headers["content-type"] = "application/json";
  const text = options.body === undefined ? null : JSON.stringify(options.body);
  try {
    return await fetch(options.isOfServer === true ? path : inStore(path), {
      method: options.method ?? "GET",
      headers,
      body: file ?? text,
      signal: options.signal ?? null,
    });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    waitsFor.set(null);
    isReachable.set(false);
    throw new NoAnswerError(path, { cause: error });
  }
};

const sendOk = async (path: string, options: RequestOptions): Promise<Response> => {
  const response = await send(path, options);
  if (!response.ok) throw toRefusal(response.status, await response.text());
  noteAnswer(null);
  return response;
};

/** The document of an answer or an event; both halves are of one version, so it is not checked. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
export const parseAnswer = <Answer>(text: string): Answer =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the interface says
  (text === "" ? undefined : JSON.parse(text)) as Answer;

export const requestJson = async <Answer>(
  path: string,
  options: RequestOptions,
): Promise<Answer> => {
  const response = await sendOk(path, options);
  const text = await response.text();
  return parseAnswer<Answer>(text);
};

export const requestNumbers = async (
  path: string,
  options: RequestOptions,
): Promise<Uint32Array> => {
  const response = await sendOk(path, options);
  return parseNumbers(await response.arrayBuffer());
};

/** Reads little-endian Uint32 on machines of either byte order. */
export const parseNumbers = (bytes: ArrayBuffer): Uint32Array => {
  const view = new DataView(bytes);
  const numbers = new Uint32Array(Math.floor(bytes.byteLength / 4));
  for (let n = 0; n < numbers.length; n += 1) numbers[n] = view.getUint32(n * 4, true);
  return numbers;
};

interface UploadOptions {
  readonly lang: Lang;
  /** Called with the part that is sent, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a file; rejects with the signal's reason when it is stopped. */
export const uploadFile = (file: File, options: UploadOptions): Promise<UploadedView> => {
  const { promise, resolve, reject } = Promise.withResolvers<UploadedView>();
  const request = new XMLHttpRequest();
  request.open("POST", inStore("/api/uploads"));
  const headers = {
    ...requestHeaders(options.lang, true),
    "content-type": "application/octet-stream",
    "x-file-name": encodeURIComponent(file.name),
  };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) options.onProgress(event.loaded / event.total);
  });
  request.addEventListener("load", () => {
    if (request.status === 201) {
      noteAnswer(null);
      resolve(parseAnswer<UploadedView>(request.responseText));
    } else reject(toRefusal(request.status, request.responseText));
  });
  request.addEventListener("error", () => reject(new NoAnswerError("/api/uploads")));
  request.addEventListener("abort", () => reject(options.signal.reason));
  options.signal.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
};

/** The sentence about an error for a person: that of the server where it gave one. */
export const explainError = (
  error: Error | null,
  { app }: { readonly app: Pick<Texts["app"], "offline" | "notDone" | "badAnswer"> },
): string => {
  if (error instanceof NoAnswerError) return error.waitsFor === null ? app.offline : app.notDone;
  return error instanceof RefusedError && error.message !== "" ? error.message : app.badAnswer;
};

interface Action<Arguments extends readonly unknown[]> {
  readonly run: (...args: Arguments) => void;
  readonly isRunning: boolean;
  readonly error: Error | null;
  readonly clear: () => void;
}

/** A step that takes a while: whether it runs, and why it failed last. */
export const useAction = <Arguments extends readonly unknown[]>(
  act: (...args: Arguments) => Promise<void>,
): Action<Arguments> => {
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const run = (...args: Arguments): void => {
    setIsRunning(true);
    setError(null);
    act(...args)
      .catch((failure: unknown) => {
        setError(failure instanceof Error ? failure : new Error(String(failure)));
      })
      .finally(() => setIsRunning(false));
  };
  const clear = useCallback(() => setError(null), []);
  return { run, isRunning, error, clear };
};
