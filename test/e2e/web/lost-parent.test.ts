import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { PROCESS_ENV } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";

/** Starts the program as the page does, and tells each phase that it reports. */
const PARENT = `
  import { spawn } from "node:child_process";
  import { openSync } from "node:fs";
  const [program, out, err, ...words] = process.argv.slice(1);
  const child = spawn(process.execPath, [program, ...words], {
    detached: true,
    stdio: ["ignore", openSync(out, "w"), openSync(err, "w"), "ipc"],
  });
  console.log(JSON.stringify({ pid: child.pid }));
  child.on("message", (message) => console.log(JSON.stringify(message)));
`;

interface Parent {
  /** Reads progress until one is of the phase, and has begun. */
  reach(phase: string): Promise<void>;
  kill(): void;
  /** Whether the program that it started has ended. */
  hasChildEnded(): boolean;
}

function startParent({ env, folder }: TestStore, out: string, words: readonly string[]): Parent {
  const program = toAbsolutePath(SOURCE_PATHS.catalogProgram);
  const args = ["--input-type=module", "-e", PARENT, program, out, `${out}.err`, ...words];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...PROCESS_ENV, HOME: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (told += text));
  return {
    reach: (phase) =>
      expect.poll(() => told, POLL).toMatch(new RegExp(`"${phase}","done":[1-9]`, "u")),
    kill: () => void child.kill("SIGKILL"),
    hasChildEnded: () => !isRunning(Number(/"pid":(\d+)/u.exec(told)?.[1])),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const POLL = { timeout: 60_000, interval: 5 };

it(
  "a command goes on to its end after the program that started it was killed",
  { timeout: 120_000 },
  async () => {
    const shop = await openTestStore({ latencyMs: 20 });
    const file = writeCsv(shop.folder, "a.csv", goodRows(30));
    const out = join(shop.folder, "out.json");
    const words = ["import", file, "--yes", "--json", "--concurrency", "2"];
    const parent = startParent(shop, out, words);

    await parent.reach("send");
    const sentBefore = shop.sandbox.stats().adds;
    parent.kill();
    await expect.poll(() => parent.hasChildEnded(), POLL).toBe(true);

    expect(sentBefore).toBeLessThan(30);
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ exit: 0, counts: { added: 30 } });
    expect(shop.sandbox.products()).toHaveLength(30);
  },
);
