/** Runs a script of the tests in a process of its own, on the same Node. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface ScriptResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const FOLDER = new URL("../../", import.meta.url);

/** `script` is a path below the folder of the tests. */
export function runScript(script: string, args: readonly string[]): Promise<ScriptResult> {
  const path = fileURLToPath(new URL(script, FOLDER));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const { promise, resolve, reject } = Promise.withResolvers<ScriptResult>();
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.on("error", reject);
  child.on("close", (code) => resolve({ code, out, err }));
  return promise;
}
