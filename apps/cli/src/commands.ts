/** Every command of the program. */

import {
  importCommand,
  lookupCommand,
  planCommand,
  reportCommand,
  resumeCommand,
  runsCommand,
} from "@catalog/import";
import { type Command } from "@catalog/toolkit";

import { demoCommand } from "./commands/demo.ts";
import { sandboxCommand } from "./commands/sandbox.ts";

export const COMMANDS: readonly Command[] = [
  planCommand,
  importCommand,
  resumeCommand,
  runsCommand,
  reportCommand,
  lookupCommand,
  sandboxCommand,
  demoCommand,
];
