/** Opens new databases, each at the same moment as another process, and prints the results. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { argument, say } from "./script-lines.ts";

const [folder, self, other] = [argument(0), argument(1), argument(2)];
let opened = 0;
for (let round = 1; round <= 40; round += 1) {
  writeFileSync(join(folder, `${round}.${self}`), "");
  // Both processes pass this line within microseconds; the test's time limit ends a lonely wait.
  while (!existsSync(join(folder, `${round}.${other}`)));
  using database = await openDatabase(join(folder, `${round}.db`));
  if (existsSync(database.path)) opened += 1;
}
say(`opened ${opened}`);
