import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  CHAIN_START,
  chainEntry,
  type ChainedEntry,
  type ChainEnd,
  follows,
  parseEntry,
  toCanonicalJson,
} from "../src/chain.ts";
import type { NewAuditRecord } from "../src/chain.ts";

const records: fc.Arbitrary<NewAuditRecord> = fc.record({
  action: fc.string({ unit: "binary" }),
  store: fc.option(fc.integer({ min: 1 })),
  subject: fc.option(fc.string({ unit: "binary" })),
  before: fc.jsonValue(),
  after: fc.jsonValue(),
  atMs: fc.integer({ min: 0 }),
  actor: fc.record({
    person: fc.option(fc.integer({ min: 1 })),
    key: fc.option(fc.integer({ min: 1 })),
    address: fc.option(fc.string({ unit: "binary" })),
  }),
});

function chain(of: readonly NewAuditRecord[]): readonly ChainedEntry[] {
  const entries: ChainedEntry[] = [];
  for (const record of of) entries.push(chainEntry(entries.at(-1) ?? CHAIN_START, record));
  return entries;
}

const isSound = (entries: readonly ChainedEntry[]): boolean =>
  entries.every((entry, at) => follows(entries[at - 1] ?? CHAIN_START, entry));

/** Everything that somebody may do to stored entries without making the hashes of those after them anew. */
const TAMPERINGS: Readonly<
  Record<string, (entries: ChainedEntry[], at: number) => ChainedEntry[]>
> = {
  "changes the text": (all, at) => changed(all, at, ({ text }) => ({ text: `${text} ` })),
  "changes the time": (all, at) => changed(all, at, ({ atMs }) => ({ atMs: atMs + 1 })),
  "moves it to another store": (all, at) =>
    changed(all, at, ({ store }) => ({ store: (store ?? 0) + 1 })),
  "changes the hash": (all, at) =>
    changed(all, at, ({ hash }) => ({
      hash: hash.replace(/^./u, (digit) => (digit === "0" ? "1" : "0")),
    })),
  "changes it and makes its hash anew": (all, at) =>
    all.toSpliced(at, 1, again(all[at - 1] ?? CHAIN_START, all[at] ?? never())),
  "takes it out": (all, at) => all.toSpliced(at, 1),
  "puts it in twice": (all, at) => all.toSpliced(at, 0, all[at] ?? never()),
  "exchanges it with the next": (all, at) =>
    all.toSpliced(at, 2, all[at + 1] ?? never(), all[at] ?? never()),
};

const changed = (
  all: ChainedEntry[],
  at: number,
  change: (entry: ChainedEntry) => Partial<ChainedEntry>,
): ChainedEntry[] =>
  all.map((entry, index) => (index === at ? { ...entry, ...change(entry) } : entry));

/** The entry with another action, as the program would have written it. */
const again = (end: ChainEnd, entry: ChainedEntry): ChainedEntry =>
  chainEntry(end, { ...parseEntry(entry), action: `${parseEntry(entry).action}!` });

const never = (): never => {
  throw new Error("there is no such entry");
};

describe("the chain of the audit", () => {
  it("returns what was put into it", () => {
    fc.assert(
      fc.property(records, (record) => {
        const entry = chainEntry(CHAIN_START, record);

        const { hash, seq, ...read } = parseEntry(entry);

        // JSON has one zero.
        expect({ seq, hash, read }).toEqual({
          seq: 1,
          hash: entry.hash,
          read: JSON.parse(JSON.stringify(record)),
        });
      }),
    );
  });

  it("keeps only characters in its texts that every database keeps", () => {
    fc.assert(
      fc.property(records, (record) => {
        const { text } = chainEntry(CHAIN_START, record);

        expect(text.isWellFormed() && !text.includes("\0")).toBe(true);
      }),
    );
  });

  it.each(Object.entries(TAMPERINGS))("is broken where somebody %s", (_, tamper) => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 3, maxLength: 6 }), fc.nat(), (given, pick) => {
        const entries = chain(given);
        const at = pick % (entries.length - 1);

        expect([isSound(entries), isSound(tamper([...entries], at))]).toEqual([true, false]);
      }),
    );
  });

  it("writes equal values as the same text, whatever the order of their members", () => {
    const text = toCanonicalJson({ b: [{ d: 1, c: undefined }], a: "ı" });

    expect(text).toBe('{"a":"ı","b":[{"d":1}]}');
    expect(toCanonicalJson({ a: "ı", b: [{ c: undefined, d: 1 }] })).toBe(text);
    expect(toCanonicalJson(undefined)).toBe("null");
  });
});
