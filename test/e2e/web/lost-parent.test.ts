import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { PROCESS_ENV } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
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
  child.on("message", (message) => console.log(JSON.stringify(message)));
`;

interface Parent {
  /** Reads progress until one is of the phase, and has begun. */
  reach(phase: string): Promise<void>;
  kill(): void;
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
  };
}

const POLL = { timeout: 60_000, interval: 5 };

const readText = (path: string): string => {
  closeSync(openSync(path, "a"));
  return readFileSync(path, "utf8");
};

it(
  "a command goes on to its end after the program that started it was killed",
  { timeout: 120_000 },
  async () => {
    const shop = await openTestStore({ latencyMs: 20 });
    const file = await writeWorkbook(shop.folder, "a.xlsx", goodRows(30));
    const out = join(shop.folder, "out.json");
    const words = ["import", file, "--yes", "--json", "--concurrency", "2"];
    const parent = startParent(shop, out, words);

    await parent.reach("send");
    const sentBefore = shop.sandbox.stats().adds;
    parent.kill();
    await expect.poll(() => readText(out), POLL).toContain("\n");

    expect(sentBefore).toBeLessThan(30);
    expect(JSON.parse(readText(out))).toMatchObject({ exit: 0, counts: { added: 30 } });
    expect(shop.sandbox.products()).toHaveLength(30);
  },
);
