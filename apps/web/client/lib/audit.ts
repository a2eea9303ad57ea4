/** What the audit says, as words, and as a file that a spreadsheet opens. */

import type { AuditView } from "../../src/api/index.ts";
import type { TeamTexts } from "../texts/team-tr.ts";
import { foldText } from "./format.ts";

export type AuditKind = keyof TeamTexts["audit"]["kinds"];

/** What the first word of an action is about. */
const KINDS: Readonly<Record<string, AuditKind>> = {
  session: "session",
  password: "session",
  person: "person",
  role: "person",
  invitation: "person",
  people: "person",
  run: "run",
  runs: "run",
  comment: "run",
  upload: "draft",
  uploads: "draft",
  draft: "draft",
  drafts: "draft",
  "shared-file": "draft",
  "shared-files": "draft",
  products: "draft",
  questions: "draft",
  key: "key",
  keys: "key",
};

const REFUSED = ".refused";

/** What an entry is about; everything that is not named above belongs to the store. */
export const kindOf = ({ action }: Pick<AuditView, "action">): AuditKind =>
  KINDS[action.split(".")[0] ?? ""] ?? "store";

const isRefused = ({ action }: Pick<AuditView, "action">): boolean => action.endsWith(REFUSED);

export interface AuditFilter {
  readonly text: string;
  readonly person: string;
  readonly kind: AuditKind | "";
  /** Days as forms take them; empty for any. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: AuditFilter = { text: "", person: "", kind: "", from: "", to: "" };

type Words = Pick<TeamTexts["audit"], "actions" | "refused">;

/** The action in words; one that has none as it is. */
export const describeAction = (action: string, { actions, refused }: Words): string => {
  const names: Readonly<Record<string, string>> = actions;
  const own = names[action];
  if (own !== undefined || !action.endsWith(REFUSED)) return own ?? action;
  const tried = action.slice(0, -REFUSED.length);
  return refused(names[tried] ?? tried);
};

/** A value before or after a change, as one line; names and codes as the page calls them. */
export const describeValue = (
  value: unknown,
  words: Readonly<Record<string, string>> = {},
): string | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return words[value] ?? value;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((part) => describeValue(part, words)).join(", ");
  const parts = Object.entries(value)
    .filter(([, part]) => part !== null && part !== undefined)
    .map(([name, part]) => `${words[name] ?? name}: ${describeValue(part, words) ?? ""}`);
  return parts.length === 0 ? null : parts.join(", ");
};

interface MatchOptions {
  readonly words: Words;
  /** The day of a time, as forms take it. */
  readonly dayOf: (iso: string) => string;
}

/** Whether the filter lets the entry through. */
export const matchesAudit = (
  entry: AuditView,
  { text, person, kind, from, to }: AuditFilter,
  { words, dayOf }: MatchOptions,
): boolean => {
  const day = dayOf(entry.at);
  if (from !== "" && day < from) return false;
  if (to !== "" && day > to) return false;
  if (person !== "" && entry.person !== person) return false;
  if (kind === "refused" ? !isRefused(entry) : kind !== "" && kindOf(entry) !== kind) return false;
  const sought = foldText(text.trim());
  const { subject, address, key, store } = entry;
  const all = [
    describeAction(entry.action, words),
    entry.action,
    entry.person,
    subject,
    address,
    key,
    store,
    describeValue(entry.before),
    describeValue(entry.after),
  ];
  return sought === "" || all.some((part) => part !== null && foldText(part).includes(sought));
};

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/u;

const toCell = (text: string): string => {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[";\n\r]/u.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

/** Rows as CSV that a Turkish Excel opens as a table. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(toCell).join(";")}\r\n`).join("")}`;
