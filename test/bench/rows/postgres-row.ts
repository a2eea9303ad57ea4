/** Row 24: the journal and a plan on PostgreSQL, and the same plan on SQLite. */

import { join } from "node:path";

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";

import { createBenchProducts, writeBenchCsv } from "../bench-sheet.ts";
import {
  type Bench,
  compareCases,
  type Figure,
  runCase,
  seconds,
  serve,
  sized,
} from "../bench-tools.ts";
import type { CaseCost } from "../case-report.ts";
import { type Credentials, toEnvironment } from "../credentials.ts";

/** Rows that lanes begin together. */
const LANES = 8;
const MIN_ROWS_PER_SECOND = 1_000;

export async function measurePostgres(bench: Bench): Promise<readonly Figure[]> {
  if (!hasPostgres()) throw new Error("there is no PostgreSQL");
  return [await measureLedger(bench), await measurePlan(bench)];
}

async function measureLedger(bench: Bench): Promise<Figure> {
  const rows = sized(bench, 10_000);
  let home = 0;
  const ledger = async (env: Readonly<Record<string, string>>): Promise<CaseCost> => {
    home += 1;
    return await runCase(bench, ["ledger", join(bench.folder, `ledger-${home}`), rows, LANES], env);
  };
  const costs = await compareCases(bench, {
    sqlite: () => ledger({}),
    async postgres() {
      await using server = await createTestDatabase();
      return await ledger({ CATALOG_DATABASE_URL: server.url });
    },
  });
  const perSecond = (ms: number): string => `${Math.round(rows / (ms / 1000))} rows/s`;
  return {
    row: 24,
    what: `begin and settle ${rows} rows in groups of ${LANES} on PostgreSQL`,
    ours: perSecond(costs.postgres.ms),
    peer: `SQLite ${perSecond(costs.sqlite.ms)}`,
    value: costs.postgres.ms / rows,
    limit: 1000 / MIN_ROWS_PER_SECOND,
    unit: "ms",
  };
}

/** Row 26: the same work for a role that is held to row-level security, and for one that is not. */
export async function measureIsolation(bench: Bench): Promise<readonly Figure[]> {
  if (!hasPostgres()) throw new Error("there is no PostgreSQL");
  const rows = sized(bench, 10_000);
  let home = 0;
  const ledger = async (url: string): Promise<CaseCost> => {
    home += 1;
    const words = ["ledger", join(bench.folder, `isolation-${home}`), rows, LANES] as const;
    return await runCase(bench, words, { CATALOG_DATABASE_URL: url });
  };
  const costs = await compareCases(bench, {
    async free() {
      await using server = await createTestDatabase();
      return await ledger(server.superuserUrl);
    },
    async held() {
      await using server = await createTestDatabase();
      return await ledger(server.url);
    },
  });
  return [
    {
      row: 26,
      what: `begin and settle ${rows} rows where the server holds stores apart`,
      ours: seconds(costs.held.ms),
      peer: `as a superuser ${seconds(costs.free.ms)}`,
      value: costs.held.ms / costs.free.ms,
      limit: 1.05,
      unit: "x",
    },
  ];
}

async function measurePlan(bench: Bench): Promise<Figure> {
  const rows = sized(bench, 100_000);
  const path = join(bench.folder, "postgres.csv");
  writeBenchCsv(path, rows, createBenchProducts());
  const warm = join(bench.folder, "postgres-warm.csv");
  writeBenchCsv(warm, 400, createBenchProducts());
  using sandbox = await serve(bench, ["sandbox", "--json"]);
  const told: Credentials = JSON.parse(sandbox.line);
  const plan = async (env: Readonly<Record<string, string>>, home: string): Promise<CaseCost> => {
    const at = join(bench.folder, home);
    const all = { ...toEnvironment(told), ...env };
    await runCase(bench, ["plan", told.base_url, at, warm, 400], all);
    return await runCase(bench, ["plan", told.base_url, at, path, rows], all);
  };
  let home = 0;
  const costs = await compareCases(bench, {
    sqlite: () => plan({}, `plan-sqlite-${(home += 1)}`),
    async postgres() {
      await using server = await createTestDatabase();
      return await plan({ CATALOG_DATABASE_URL: server.url }, `plan-postgres-${(home += 1)}`);
    },
  });
  return {
    row: 24,
    what: `plan of ${rows} rows on PostgreSQL`,
    ours: seconds(costs.postgres.ms),
    peer: `SQLite ${seconds(costs.sqlite.ms)}`,
    value: costs.postgres.ms / costs.sqlite.ms,
    limit: 1.5,
    unit: "x",
  };
}
