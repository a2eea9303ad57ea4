/**
 * What can go wrong with a call. A refusal by the marketplace and a missing answer are different
 * classes. Every error removes secrets from its texts and its causes in its constructor.
 */

import { inspect } from "node:util";

import type { Localized } from "@catalog/i18n";

import type { WirePhase } from "./http/wire-phase.ts";
import { type Redact, redact as redactParameters } from "./redact.ts";

/** Fields that every error of this package is made from. */
export interface ErrorFacts {
  /** Name of the call, such as `product.add`; `undefined` before there is one. */
  readonly endpoint: string | undefined;
  readonly phase: WirePhase;
  readonly cause?: unknown;
  /** @default removes token and secret parameters */
  readonly redact?: Redact;
}

/** What an error says about the answer that caused it. */
export interface AnswerFacts {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly localized?: Partial<Localized> | undefined;
  /** The start of the body. */
  readonly excerpt?: string | undefined;
  /** @default whether the status is 429 */
  readonly isLimit?: boolean | undefined;
  /** @default false */
  readonly isMissingRecord?: boolean | undefined;
}

/** One value that does not match the contract, with its path. */
export interface ContractMismatch {
  /** Field names from the outside in, joined by dots; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** Base of every error that this package throws on purpose. */
export abstract class ClientError extends Error {
  /** Stable; safe to branch on and to write to a journal. `message` is neither. */
  abstract readonly code: string;
  /** Name of the call, such as `product.add`. */
  readonly endpoint: string | undefined;
  /** How far the request got; `none` proves that nothing was sent. */
  readonly phase: WirePhase;

  constructor(message: string, facts: ErrorFacts) {
    const redact = facts.redact ?? redactParameters;
    const cause = scrubCause(facts.cause, redact);
    super(redact(message), cause === undefined ? undefined : { cause });
    this.endpoint = facts.endpoint;
    this.phase = facts.phase;
  }
}

const TOO_MANY = 429;

/** The marketplace answered, and refused. Redirects, which are never followed, end here too. */
export class ApiError extends ClientError {
  override readonly name = "ApiError";
  readonly code = "API_ERROR";
  readonly status: number;
  readonly contentType: string | undefined;
  /**
   * How long the marketplace asked to wait, in milliseconds, at most one hour; `undefined` where it
   * did not ask.
   */
  readonly retryAfterMs: number | undefined;
  readonly localized: Partial<Localized> | undefined;
  /** The start of the body, at most 512 bytes. */
  readonly excerpt: string | undefined;
  /** Whether the hourly limit refused the call: by status 429, or by the text of a 403. */
  readonly isLimit: boolean;
  /**
   * Whether the marketplace says that it has no record with an id that the call named: by status 404
   * and a text of its own. Any other 404 may come from a wrong address.
   */
  readonly isMissingRecord: boolean;

  constructor(message: string, facts: ErrorFacts & AnswerFacts) {
    super(message, facts);
    this.status = facts.status;
    this.isLimit = facts.isLimit ?? facts.status === TOO_MANY;
    this.isMissingRecord = facts.isMissingRecord ?? false;
    this.contentType = redactMaybe(facts.contentType, facts);
    this.retryAfterMs = facts.retryAfterMs;
    this.localized = redactLocalized(facts.localized, facts);
    this.excerpt = redactMaybe(facts.excerpt, facts);
  }
}

/**
 * The marketplace refused the login, or the access token of a call: by 401, or by its text with 403
 * or 200.
 */
export class AuthError extends ClientError {
  override readonly name = "AuthError";
  readonly code = "AUTH_ERROR";
  readonly status: number;
  readonly contentType: string | undefined;
  /** The start of the body, at most 512 bytes. */
  readonly excerpt: string | undefined;
  readonly localized: Partial<Localized> | undefined;

  constructor(message: string, facts: ErrorFacts & AnswerFacts) {
    super(message, facts);
    this.status = facts.status;
    this.contentType = redactMaybe(facts.contentType, facts);
    this.excerpt = redactMaybe(facts.excerpt, facts);
    this.localized = redactLocalized(facts.localized, facts);
  }
}

/** Who has to grant a call that was refused. */
export interface GrantFacts {
  /** Part of the API that the call belongs to, such as `Products`. */
  readonly service?: string;
  /** The store whose owner grants it; absent for a general service, which the platform grants. */
  readonly storeId?: string | undefined;
}

/**
 * The store or the platform has not granted this call to the application (403). Where the answer
 * has no text, a refused token or the hourly limit can also be the cause.
 */
export class PermissionError extends ClientError {
  override readonly name = "PermissionError";
  readonly code = "PERMISSION_ERROR";
  readonly status = 403;
  /** Part of the API that the call belongs to, such as `Products`. */
  readonly service: string | undefined;
  /** The store that has not granted it; `undefined` for a general service of the platform. */
  readonly storeId: string | undefined;
  readonly contentType: string | undefined;
  /** The start of the body, at most 512 bytes. */
  readonly excerpt: string | undefined;
  readonly localized: Partial<Localized> | undefined;

  constructor(message: string, facts: ErrorFacts & AnswerFacts & GrantFacts) {
    super(message, facts);
    this.service = facts.service;
    this.storeId = facts.storeId;
    this.contentType = redactMaybe(facts.contentType, facts);
    this.excerpt = redactMaybe(facts.excerpt, facts);
    this.localized = redactLocalized(facts.localized, facts);
  }
}

/** No complete answer came. Unless `phase` is `none`, the request may have been carried out. */
export class NetworkError extends ClientError {
  override readonly name = "NetworkError";
  readonly code: "NETWORK_ERROR" | "TIMEOUT";

  constructor(message: string, facts: ErrorFacts & { readonly code?: NetworkError["code"] }) {
    super(message, facts);
    this.code = facts.code ?? "NETWORK_ERROR";
  }
}

/** Why an answer is not what the contract says. */
export type ShapeReason = "not-json" | "too-large" | "mismatch";

/** An answer came that says nothing trustworthy about what the marketplace did. */
export class ShapeError extends ClientError {
  override readonly name = "ShapeError";
  readonly code = "SHAPE_ERROR";
  readonly reason: ShapeReason;
  readonly status: number;
  /** Which values were wrong; empty unless `reason` is `mismatch`. */
  readonly misfits: readonly ContractMismatch[];
  /** The start of the body, at most 512 bytes. */
  readonly excerpt: string | undefined;

  constructor(
    message: string,
    facts: ErrorFacts &
      AnswerFacts & {
        readonly reason: ShapeReason;
        readonly misfits?: readonly ContractMismatch[];
      },
  ) {
    super(message, facts);
    this.reason = facts.reason;
    this.status = facts.status;
    this.misfits = redactMisfits(facts.misfits ?? [], facts);
    this.excerpt = redactMaybe(facts.excerpt, facts);
  }
}

/** The caller's input does not fit the contract; nothing was sent. */
export class InputError extends ClientError {
  override readonly name = "InputError";
  readonly code = "INPUT_ERROR";
  readonly misfits: readonly ContractMismatch[];

  constructor(
    message: string,
    facts: ErrorFacts & { readonly misfits: readonly ContractMismatch[] },
  ) {
    super(message, facts);
    this.misfits = redactMisfits(facts.misfits, facts);
  }
}

/** The client was set up wrongly, or used after it was closed; nothing was sent. */
export class SettingsError extends ClientError {
  override readonly name = "SettingsError";
  readonly code = "SETTINGS_ERROR";
  /**
   * What is wrong, in both languages; mistakes that only a program can make are in English alone.
   */
  readonly localized: Localized;

  constructor(text: string | Localized, cause?: unknown) {
    const localized = typeof text === "string" ? { tr: text, en: text } : text;
    super(localized.en, { endpoint: undefined, phase: "none", cause });
    this.localized = { tr: redactParameters(localized.tr), en: this.message };
  }
}

function redactMaybe(text: string | undefined, facts: ErrorFacts): string | undefined {
  return text === undefined ? undefined : (facts.redact ?? redactParameters)(text);
}

function redactLocalized(
  text: Partial<Localized> | undefined,
  facts: ErrorFacts,
): Partial<Localized> | undefined {
  if (text === undefined) return undefined;
  const redact = facts.redact ?? redactParameters;
  return Object.fromEntries(Object.entries(text).map(([lang, words]) => [lang, redact(words)]));
}

function redactMisfits(
  misfits: readonly ContractMismatch[],
  facts: ErrorFacts,
): readonly ContractMismatch[] {
  const redact = facts.redact ?? redactParameters;
  return misfits.map(({ path, message }) => ({ path: redact(path), message: redact(message) }));
}

/** Causes deeper than this are cut off. */
const MAX_CAUSES = 5;

/**
 * Copies the texts of a foreign error and nothing else, because network libraries attach requests
 * and raw answers, which can hold a token.
 */
function scrubCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (cause === undefined || cause instanceof ClientError) return cause;
  if (!(cause instanceof Error)) return redact(inspect(cause, { depth: 1 }));
  const next = depth < MAX_CAUSES ? scrubCause(cause.cause, redact, depth + 1) : undefined;
  const copy = new Error(redact(textOf(cause)), next === undefined ? undefined : { cause: next });
  copy.name = cause.name;
  copy.stack = redact(cause.stack ?? "");
  if ("code" in cause && typeof cause.code === "string") Object.assign(copy, { code: cause.code });
  return copy;
}

/**
 * The text of an error; an attempt at several addresses has one error for each and an empty
 * message.
 */
function textOf(error: Error): string {
  if (error.message !== "" || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((each) => (each instanceof Error ? each.message : "")).join("; ");
}

/** Statuses with which a marketplace may refuse a page after the last one. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 416, 422]);

/** Whether a page of a listing was refused as one that may not exist. */
export function isNoSuchPage(error: unknown): error is ApiError {
  return error instanceof ApiError && NO_SUCH_PAGE.has(error.status);
}
