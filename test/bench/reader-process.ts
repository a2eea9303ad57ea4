/**
 * Runs one reader of workbooks in a process of its own, and measures the process that it may start.
 */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import type { ReadCost } from "./read-workbook.ts";

const PROGRAM = fileURLToPath(new URL("./read-workbook.ts", import.meta.url));
const SAMPLE_MS = 20;
const KIB_PER_MB = 1024;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** Cost of a reader; that of the process that it started is known on Linux only. */
export interface Measured extends ReadCost {
  readonly childPeakMb: number;
  /** CPU time of both processes with all their threads, in milliseconds. */
  readonly bothCpuMs: number;
}

export async function measureReader(reader: string, path: string): Promise<Measured> {
  const child = spawn(process.execPath, [PROGRAM, reader, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const seen = new Map<string, Seen>();
  const sampling = setInterval(() => sample(child.pid ?? 0, seen), SAMPLE_MS);
  const output = await text(child.stdout);
  clearInterval(sampling);
  if (output === "") throw new Error(`${reader} read nothing.`);
  const cost: ReadCost = JSON.parse(output);
  const children = [...seen.values()];
  return {
    ...cost,
    childPeakMb: Math.round(Math.max(0, ...children.map(({ peakMb }) => peakMb))),
    bothCpuMs: cost.cpuMs + children.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  };
}

interface Seen {
  readonly peakMb: number;
  readonly cpuMs: number;
}

function sample(parent: number, seen: Map<string, Seen>): void {
  for (const pid of read(`/proc/${parent}/task/${parent}/children`).split(" ")) {
    const peakKb = Number(/VmHWM:\s+(\d+)/u.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
    // The fields after the name, which is in brackets, begin with the state.
    const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    if (peakKb > 0 && cpuMs >= 0) seen.set(pid, { peakMb: peakKb / KIB_PER_MB, cpuMs });
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
