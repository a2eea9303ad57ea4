/** The result of a case for the benchmark that started it: one line of JSON on stdout. */

/** Cost of one run of a case. */
export interface CaseCost {
  readonly ms: number;
  readonly cpuMs: number;
  /** Peak memory of the whole process, Node included, in megabytes. */
  readonly peakMb: number;
  /** Further counts of the case. */
  readonly counts: Readonly<Record<string, number>>;
}

const KIB_PER_MB = 1024;

/** Runs the work once and prints its cost, without that of the setup before. */
export async function printCost(
  work: () => Promise<Readonly<Record<string, number>>>,
): Promise<void> {
  const cpu = process.cpuUsage();
  const begunMs = performance.now();
  const counts = await work();
  const ms = performance.now() - begunMs;
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = process.resourceUsage().maxRSS / KIB_PER_MB;
  const cost: CaseCost = { ms, cpuMs: (user + system) / 1000, peakMb, counts };
  process.stdout.write(`${JSON.stringify(cost)}\n`);
}
