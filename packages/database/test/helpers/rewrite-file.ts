/** Writes a database anew, over and over, until it is killed. */

import { openDatabase } from "../../src/index.ts";
import { rewriteFile } from "../../src/sqlite/free-space.ts";
import { argument, say } from "./script-lines.ts";

using database = await openDatabase(argument(0));
for (;;) {
  say("rewriting");
  rewriteFile(database);
}
