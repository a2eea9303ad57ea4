/** Why rows wait for a person, in groups: every held row is in at least one. */

import type { Localized } from "@catalog/i18n";
import { type GuardName, guardOf, type RowIssue, type RowRecord } from "@catalog/runs";

import { describeGuard } from "../guard-texts.ts";

/** A guard, a suspect code, or any other reason. */
export type HeldGroup = GuardName | "alike" | "other";

const OTHER_TEXTS: Readonly<Record<Exclude<HeldGroup, GuardName>, Localized>> = {
  alike: { tr: "Ürün kodu kuşkulu", en: "Suspect product code" },
  other: { tr: "Başka bir nedenle bekleyenler", en: "Held for another reason" },
};

const groupOf = (issue: RowIssue): Exclude<HeldGroup, "other"> | undefined =>
  issue.code === "E_CODE_SUSPECT" ? "alike" : guardOf(issue);

/** The groups of a row, each with its name; none where the row is not held. */
export function readHeldGroups({
  state,
  issues,
}: Pick<RowRecord, "state" | "issues">): ReadonlyMap<HeldGroup, Localized> {
  const groups = new Map<HeldGroup, Localized>();
  if (state !== "held") return groups;
  for (const issue of issues) {
    const group = groupOf(issue);
    if (group === undefined || groups.has(group)) continue;
    groups.set(group, describeGuard(issue) ?? OTHER_TEXTS.alike);
  }
  if (groups.size === 0) groups.set("other", OTHER_TEXTS.other);
  return groups;
}
