/** Makes runs older than they are, as if their home had been left alone. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const DAY_MS = 86_400_000;

/** Makes all runs but the newest older, and due to be looked at. */
export function ageRuns(home: string, days: number): void {
  using database = new DatabaseSync(join(home, "catalog.db"));
  database
    .prepare(
      `UPDATE run SET archive_at_ms = iif(archive_at_ms IS NULL, NULL, 0),
         updated_at_ms = updated_at_ms - ?
       WHERE id <> (SELECT id FROM run ORDER BY created_at_ms DESC, id DESC LIMIT 1)`,
    )
    .run(days * DAY_MS);
}
