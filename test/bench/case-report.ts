/** What a case tells the benchmark that started it: one line of JSON on stdout. */

/** What one run of a case cost. */
export interface CaseCost {
  readonly ms: number;
  readonly cpuMs: number;
  /** Of the whole process, Node itself included. */
  readonly peakMb: number;
  /** Whatever else the case counted. */
  readonly counts: Readonly<Record<string, number>>;
}

const KIB_PER_MB = 1024;

/** Does the work once, after whatever came before, and prints what it cost. */
export async function tellCost(
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
