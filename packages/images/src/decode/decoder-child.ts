/** One decoding process: it handles one order at a time and is killed at the time limit. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, sep } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { Clock } from "@catalog/clock";

import type { ImageLimits } from "../image-limits.ts";
import { problem } from "../problem.ts";
import type { DecodeAnswers, DecodeOrder } from "./decode-protocol.ts";

const PROGRAM = fileURLToPath(new URL("./decoder-process.ts", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../../../", import.meta.url));

const MAX_COMPLAINT_CHARS = 2000;

export interface DecoderChildOptions {
  readonly clock: Clock;
  /** The only folder that the process may read and write. */
  readonly folder: string;
  readonly limits: Pick<ImageLimits, "decoderHeapMb" | "decoderSeconds">;
}

export interface DecoderChild extends AsyncDisposable {
  /**
   * Sends an order. A process that dies or exceeds the time limit makes the image one that cannot
   * be opened; a process that does not start is a failure of this machine, and throws.
   */
  obey<Order extends DecodeOrder>(order: Order): Promise<DecodeAnswers[Order["kind"]]>;
  /** Whether the process has ended. */
  isGone(): boolean;
}

/** Starts the process. */
export function startDecoder({ clock, folder, limits }: DecoderChildOptions): DecoderChild {
  const child = spawnChild(folder, limits);
  const lines = createInterface({ input: child.stdout });
  let isGone = false;
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      isGone = true;
      resolve();
    });
  });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-MAX_COMPLAINT_CHARS);
  });
  const dead = ended.then(() => "dead" as const);
  const ready = Promise.race([nextLine(lines), dead]);

  return {
    isGone: () => isGone || child.killed,
    async obey(order) {
      if ((await ready) === "dead") {
        throw new Error(`The decoding process does not start. ${complaint}`);
      }
      const over = new AbortController();
      const late = clock.sleep(limits.decoderSeconds * 1000, over.signal).then(
        () => "late" as const,
        () => "over" as const,
      );
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const answer = await Promise.race([nextLine(lines), late, dead]);
      over.abort();
      if (typeof answer === "object") return JSON.parse(answer.line);
      child.kill("SIGKILL");
      return { ok: false, problem: problem(answer === "late" ? "E_IMG_SLOW" : "E_IMG_CORRUPT") };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
      lines.close();
    },
  };
}

function nextLine(lines: Interface): Promise<{ readonly line: string }> {
  return new Promise((resolve) => {
    lines.once("line", (line) => resolve({ line }));
  });
}

function spawnChild(
  folder: string,
  { decoderHeapMb }: DecoderChildOptions["limits"],
): ChildProcessWithoutNullStreams {
  const flags = [
    `--max-old-space-size=${decoderHeapMb}`,
    "--disable-proto=throw",
    "--permission",
    "--allow-addons",
    `--allow-fs-read=${PROGRAM.endsWith(".ts") ? PACKAGES : dirname(PROGRAM)}`,
    `--allow-fs-read=${modulesRoot()}`,
    `--allow-fs-read=${folder}`,
    `--allow-fs-write=${folder}`,
    "--no-warnings",
  ];
  return spawn(process.execPath, [...flags, PROGRAM], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { VIPS_BLOCK_UNTRUSTED: "1" },
    windowsHide: true,
  });
}

/** The outermost folder of installed packages, which holds the library and its dependencies. */
function modulesRoot(): string {
  const library = createRequire(import.meta.url).resolve("sharp");
  const folder = `${sep}node_modules${sep}`;
  return library.slice(0, library.indexOf(folder) + folder.length);
}
