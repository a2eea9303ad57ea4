/** Where a server keeps what it has: a file of its home, or a database of PostgreSQL. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { createTestDatabase, findPostgres, hasPostgres } from "@catalog/database/testing";
import { expect, onTestFinished } from "vitest";

export interface DatabasePlace {
  /** Settings of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** All rows of PostgreSQL besides the tokens of the marketplace; a file is its own dump. */
  readonly dump: () => string;
}

interface PlaceKind {
  readonly name: string;
  readonly isOn: boolean;
  /** The place is removed when the test ends. */
  readonly make: () => Promise<DatabasePlace>;
}

/** For `describe.each`. */
export const DATABASE_PLACES: readonly PlaceKind[] = [
  { name: "a file", isOn: true, make: async () => ({ env: {}, dump: () => "" }) },
  {
    name: "PostgreSQL",
    isOn: hasPostgres(),
    async make() {
      const server = await createTestDatabase();
      onTestFinished(() => server[Symbol.asyncDispose]());
      const program = join(findPostgres() ?? "", "pg_dump");
      return {
        env: { CATALOG_DATABASE_URL: server.url },
        dump() {
          const words = ["--inserts", "--exclude-table-data=token", server.superuserUrl];
          const { status, stdout } = spawnSync(program, words, { encoding: "utf8" });
          expect(status).toBe(0);
          return stdout;
        },
      };
    },
  },
];
