/** Row 5: cost of an export beyond its calls, against writing the same rows with papaparse. */

import { join } from "node:path";

import { type Bench, compareCases, type Figure, runCase, serve, sized } from "../bench-tools.ts";
import { type Credentials, toEnvironment } from "../credentials.ts";

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

export async function measureExport(bench: Bench): Promise<readonly Figure[]> {
  const products = sized(bench, 100_000);
  const path = join(bench.folder, "products.csv");
  using sandbox = await serve(bench, ["sandbox", "--json", "--products", String(products)]);
  const told: Credentials = JSON.parse(sandbox.line);
  let home = 0;
  const costs = await compareCases(bench, {
    ours() {
      home += 1;
      const folder = join(bench.folder, `export-${home}`);
      return runCase(bench, ["export", folder, path], toEnvironment(told));
    },
    peer: () => runCase(bench, ["unparse", path, join(bench.folder, "unparsed.csv")]),
  });
  const { rows = 0, calls = 0, callsMs = 0, callsCpuMs = 0, keptCpuMs = 0 } = costs.ours.counts;
  const shareCpuMs = costs.ours.cpuMs - callsCpuMs;
  return [
    {
      row: 5,
      what: `export of ${rows} products to CSV, CPU beside its ${calls} calls`,
      ours: `${seconds(shareCpuMs)}, ${seconds(keptCpuMs)} of it to keep what was read, by the clock ${seconds(costs.ours.ms - callsMs)}, with the calls ${seconds(costs.ours.ms)}, ${Math.round(costs.ours.peakMb)} MB`,
      peer: `papaparse ${seconds(costs.peer.cpuMs)}, by the clock ${seconds(costs.peer.ms)}`,
      value: shareCpuMs / costs.peer.cpuMs,
      limit: 1.5,
      unit: "x",
    },
  ];
}
