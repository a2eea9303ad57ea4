/** Names the workbook of held rows in advice by the path that a person types. */

import { existsSync } from "node:fs";

import { heldPathOf, nameIssueCommands } from "@catalog/report";
import type { RowIssue, RunRecord } from "@catalog/runs";

import type { CommandContext } from "../context.ts";

type Shell = Pick<CommandContext, "terminal">;

/** The path of the workbook, which the command writes before it ends. */
export const plannedHeldFile = ({ terminal }: Shell, run: RunRecord): string =>
  terminal.shown(heldPathOf(run));

/** The path of the workbook; `null` where it is not there. */
export const findHeldFile = (shell: Shell, run: RunRecord): string | null =>
  existsSync(heldPathOf(run)) ? plannedHeldFile(shell, run) : null;

/** The issue whose advice names this workbook; the terminal itself names the program. */
export const nameHeldFile = <Issue extends RowIssue>(issue: Issue, held: string | null): Issue =>
  nameIssueCommands(issue, { program: "catalog", held });
