/** Opens the database at a moment that the test chooses, and says how that went. */

import { openDatabase, StoreError } from "../../src/index.ts";
import { argument, say, waitForGo } from "./script-lines.ts";

await waitForGo();
try {
  using database = await openDatabase(argument(0));
  say(`opened ${database.path}`);
} catch (error) {
  say(error instanceof StoreError ? error.message : String(error));
}
