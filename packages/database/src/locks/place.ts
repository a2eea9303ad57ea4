import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The machine, since its start, and the namespace of its process numbers. */
export function readPlace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // The system is not Linux: no process of it is known to be dead.
    return `${hostname()} ${process.pid}`;
  }
}
