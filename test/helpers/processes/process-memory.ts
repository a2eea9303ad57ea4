/** Memory of a process with all its children, as Linux reports it. */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const POLL_MS = 30;
const KIB_PER_MB = 1024;

/**
 * Waits for the end of the process and returns the maximum of the resident memory that it and its
 * children had at any one time, in megabytes; 0 where the system does not report it.
 */
export async function watchPeakMb(child: ChildProcess): Promise<number> {
  const ended = once(child, "close").then(() => "ended" as const);
  let peakMb = 0;
  while ((await Promise.race([ended, setTimeout(POLL_MS, "running" as const)])) === "running") {
    const mb = listTree(child.pid ?? 0).reduce((sum, pid) => sum + residentMb(pid), 0);
    peakMb = Math.max(peakMb, mb);
  }
  return peakMb;
}

/** The process and its descendants; a process that ends meanwhile is left out. */
function listTree(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`)
      .map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8"))
      .flatMap((text) => text.split(" ").filter((word) => word !== ""));
    return [pid, ...children.flatMap((word) => listTree(Number(word)))];
  } catch {
    return [];
  }
}

/** Resident memory of one process in megabytes; 0 where it has ended. */
export function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1] ?? 0) / KIB_PER_MB;
  } catch {
    return 0;
  }
}
