/** A sandbox in a process of its own, whose violations are checked before it ends. */

import type { Inspection } from "@catalog/sandbox";
import { onTestFinished } from "vitest";

import type { TestStore } from "../markets/test-store.ts";
import { assertLawful } from "../markets/watched-sandbox.ts";

/** The line that the sandbox prints. */
export interface Announcement {
  readonly base_url: string;
  readonly client_key: string;
  readonly client_secret: string;
  readonly store_id: string;
  readonly seed: string;
}

export interface SandboxProcess extends Announcement {
  /** Checks violations and ends the process; returns its exit code. */
  readonly end: () => Promise<number | null>;
}

/** Starts `catalog sandbox --json` and reads the line that it prints. */
export async function startSandboxProcess(
  shop: TestStore,
  ...args: readonly string[]
): Promise<SandboxProcess> {
  const { child, finished } = shop.start("sandbox", "--json", ...args);
  onTestFinished(() => void child.kill("SIGKILL"));
  const told: Announcement = JSON.parse(await firstLine(child.stdout));
  return {
    ...told,
    async end() {
      const answer = await fetch(`${told.base_url}/_sandbox/inspection`);
      const { data }: { readonly data: Inspection } = JSON.parse(await answer.text());
      assertLawful(data.violations);
      child.kill("SIGTERM");
      return (await finished).code;
    },
  };
}

/** The first line that the process prints. */
async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) throw new Error("the process has no such stream");
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}
