/**
 * The record of what was done, as a chain: the hash of each entry covers its text and the hash before
 * it, so that an entry that was changed, taken out or put in no longer fits to those after it.
 */

import { createHash } from "node:crypto";

import type { Actor, AuditEntry, AuditRecord } from "./team.ts";

/** An entry before it has its place in the chain. */
export interface NewAuditRecord extends AuditEntry {
  readonly atMs: number;
  readonly actor: Actor;
}

/** An entry as it is stored: its text is what the hash was made of. */
export interface ChainedEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly store: number | null;
  readonly text: string;
  readonly hash: string;
}

/** The end of a chain. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

/** Where a chain begins. */
export const CHAIN_START: ChainEnd = { seq: 0, hash: "0".repeat(64) };

/** Appends an entry. */
export function chainEntry(end: ChainEnd, record: NewAuditRecord): ChainedEntry {
  const { action, actor, after, atMs, before, store, subject } = record;
  const seq = end.seq + 1;
  const { person, key, address } = actor;
  const text = toCanonicalJson({
    seq,
    atMs,
    actor: { person, key, address },
    action,
    store,
    subject,
    before: before ?? null,
    after: after ?? null,
  });
  return { seq, atMs, store, text, hash: hashOf(end, text) };
}

/** Whether a stored entry follows from the end of the chain, and its columns are those of its text. */
export function follows(end: ChainEnd, entry: ChainedEntry): boolean {
  if (entry.seq !== end.seq + 1 || entry.hash !== hashOf(end, entry.text)) return false;
  const { seq, atMs, store } = parseEntry(entry);
  return seq === entry.seq && atMs === entry.atMs && store === entry.store;
}

/** An exported record, as it is checked entry by entry, the oldest first. */
export interface RecordCheck {
  /** Takes the next entry; false where it does not follow from those before it. */
  take(record: AuditRecord): boolean;
  /** The last entry that follows; its hash is what is kept elsewhere as a proof. */
  readonly end: ChainEnd;
}

/** Checks entries by themselves, without the database that they were exported from. */
export function createRecordCheck(): RecordCheck {
  let end = CHAIN_START;
  return {
    take(record) {
      const { seq, hash } = chainEntry(end, record);
      const isNext = record.seq === seq && record.hash === hash;
      if (isNext) end = { seq, hash };
      return isNext;
    },
    get end() {
      return end;
    },
  };
}

/** Reads an entry from its text. */
export function parseEntry({ text, hash }: Pick<ChainedEntry, "text" | "hash">): AuditRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `chainEntry`, and covered by its hash
  return { ...(JSON.parse(text) as Omit<AuditRecord, "hash">), hash };
}

const hashOf = (end: ChainEnd, text: string): string =>
  createHash("sha256").update(`${end.hash}\n${text}`).digest("hex");

/**
 * JSON whose members are sorted, so that equal values have one text (RFC 8785). What JSON leaves out
 * is left out, and what it escapes makes the text one that every database keeps as it is.
 */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
