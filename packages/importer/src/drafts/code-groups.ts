/** Rows of a draft that share a product code, or whose codes look alike. */

import { createHash } from "node:crypto";

import { type CodeSuspects, createCodeSuspects, CODE_KEYS } from "@catalog/mapping";
import { createSameRequest } from "@catalog/runs";

import type { RowsOfCode } from "./duplicate-issues.ts";
import type { RowChecker } from "./row-checker.ts";
import type { DraftRepository, DraftRow } from "./stored-draft.ts";

/** What other rows mean for a row. */
export interface CodeGroup extends RowsOfCode {
  readonly suspects: Pick<CodeSuspects, "judge" | "judgeAdd" | "propose"> | undefined;
}

/** Finds the groups of rows. */
export interface CodeGroups {
  read(row: DraftRow, code: string | undefined): Promise<CodeGroup>;
}

/** Rows of one code that are compared; more of them are never the same by chance. */
export const MAX_GROUP_ROWS = 1_000;
const MAX_KEPT = 1_000;

export interface CodeGroupsOptions {
  readonly drafts: DraftRepository;
  readonly draft: string;
  readonly checker: Pick<RowChecker, "toSource" | "prepare" | "toDraft" | "codes">;
  /** Whether all rows are checked, so that it pays to find the groups first. @default false */
  readonly isForAll?: boolean;
}

const ALONE = { rows: [], isIdentical: false, isCut: false };

/** Creates the groups of the rows as they are stored now. */
export async function createCodeGroups(options: CodeGroupsOptions): Promise<CodeGroups> {
  const { drafts, draft, isForAll = false } = options;
  const repeated = isForAll ? new Set(await drafts.repeatedCodes(draft)) : undefined;
  const alike = isForAll ? new Set(await drafts.alikeKeys(draft)) : undefined;
  const zero = await readZeroLed(options);
  const groups = createKept<RowsOfCode>();
  const suspects = createKept<CodeSuspects>();
  const readGroup = async (key: string): Promise<RowsOfCode> => {
    const rows = await drafts.rowsWithCode(draft, key, MAX_GROUP_ROWS + 1);
    const isCut = rows.length > MAX_GROUP_ROWS;
    const isIdentical = rows.length > 1 && !isCut && (await asksForTheSame(options, rows));
    return { rows, isIdentical, isCut };
  };
  return {
    async read({ codeKey, alikeKey }, code) {
      if (codeKey === null || code === undefined) return { ...ALONE, suspects: undefined };
      const isAlone = repeated !== undefined && !repeated.has(codeKey);
      const group = isAlone ? ALONE : await groups(codeKey, () => readGroup(codeKey));
      const key = alikeKey ?? CODE_KEYS.suspect(code);
      const isUnlike = alike !== undefined && !alike.has(key);
      const readSuspects = async (): Promise<CodeSuspects> =>
        toSuspects(options, {
          zero,
          rows: isUnlike ? [] : await drafts.rowsAlike(draft, key, MAX_GROUP_ROWS),
        });
      return { ...group, suspects: await suspects(isUnlike ? "" : key, readSuspects) };
    },
  };
}

/** Keeps the latest results by key. */
function createKept<Value>(): (key: string, make: () => Promise<Value>) => Promise<Value> {
  const kept = new Map<string, Value>();
  return async (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= MAX_KEPT) kept.clear();
    const made = await make();
    kept.set(key, made);
    return made;
  };
}

/** Equal cells with different formats are different, as in the rows of a run. */
async function asksForTheSame(
  { drafts, draft, checker }: CodeGroupsOptions,
  numbers: readonly number[],
): Promise<boolean> {
  const stored = await drafts.readRowsAt(draft, numbers);
  const rows = stored.map((row) => checker.toSource(row));
  const digests = rows.map(({ cells, formats, joined }) =>
    createHash("sha256")
      .update(JSON.stringify([cells, formats ?? null, joined ?? null]))
      .digest("base64"),
  );
  if (new Set(digests).size === 1) return true;
  const isSame = createSameRequest();
  for (const row of rows) {
    await checker.prepare(row);
    if (!isSame(checker.toDraft(row))) return false;
  }
  return true;
}

/** The code that shows that others have lost their leading zeros. */
async function readZeroLed({ drafts, draft }: CodeGroupsOptions): Promise<string | undefined> {
  return (await drafts.shortestZeroLed(draft))?.codeKey;
}

async function toSuspects(
  { drafts, draft, checker }: CodeGroupsOptions,
  { zero, rows }: { readonly zero: string | undefined; readonly rows: readonly number[] },
): Promise<CodeSuspects> {
  const suspects = createCodeSuspects();
  const codes = new Map<number, string>();
  for (const row of await drafts.readRowsAt(draft, rows)) {
    const code = checker.codes.read(checker.toSource(row))?.code;
    if (code !== undefined) codes.set(row.row, code);
  }
  for (const [row, code] of codes) suspects.note(code, row);
  for (const row of suspects.forgotten) {
    const code = codes.get(row);
    if (code !== undefined) suspects.recall(code);
  }
  // Noted last: a code without others like it adds nothing but its zeros.
  if (zero !== undefined && ![...codes.values()].includes(zero)) suspects.note(zero, 0);
  return suspects;
}
