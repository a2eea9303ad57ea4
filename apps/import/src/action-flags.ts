/** Flags of the commands that do something to each row of a list. */

import { SHARED_FLAGS } from "@catalog/console";

import {
  FILE_FLAGS,
  type FlagTable,
  LIMIT_FLAGS,
  PACE_FLAGS,
  PLAN_FLAG,
  UNKNOWN_FLAG,
  VERIFY_FLAG,
  YES_FLAG,
} from "./flags.ts";

const { sheet, encoding, delimiter } = SHARED_FLAGS.reading;
const { report } = FILE_FLAGS;

/** How the list is read, whether it is only planned, and how it is sent. */
export const ACTION_FLAGS: FlagTable = {
  sheet,
  "header-row": SHARED_FLAGS.reading["header-row"],
  encoding,
  delimiter,
  ...(report === undefined ? {} : { report }),
  ...LIMIT_FLAGS,
  ...UNKNOWN_FLAG,
  ...VERIFY_FLAG,
  ...PLAN_FLAG,
  ...YES_FLAG,
  ...PACE_FLAGS,
};
