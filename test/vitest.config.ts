import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { defineConfig, type ViteUserConfig } from "vitest/config";

import { builtChildren } from "./built-children.ts";
import { SlowFirst } from "./slow-first.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const inFolder = (folder: string): string[] =>
  readdirSync(new URL(`../${folder}`, import.meta.url)).map((name) => `${folder}/${name}`);

/** Packages whose tests start processes, which are slow on a busy machine. */
const PATIENT = new Set([
  "cli",
  "export",
  "images",
  "import",
  "sheets",
  "sync",
  "connection",
  "database",
  "report",
  "importer",
  "exporter",
]);

const workspaces = [...inFolder("packages"), ...inFolder("apps"), "test"];

const config: ViteUserConfig = defineConfig({
  root,
  plugins: [builtChildren()],
  test: {
    // These packages hold no state, and loading every module anew for each file takes half of the
    // time.
    isolate: false,
    // Tests make garbage faster than the default new space of 16 MB is collected.
    execArgv: ["--max-semi-space-size=64"],
    // One more than there are cores, as a test that waits for a process or a clock leaves its core
    // idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    projects: workspaces.map((workspace) => {
      const name = workspace.split("/").at(-1) ?? workspace;
      return {
        extends: true,
        root: `${root}${workspace}`,
        test: {
          name,
          include: workspace === "test" ? ["**/*.test.ts"] : ["test/**/*.test.ts"],
          // A test of this folder is made of processes, which may be slow together.
          ...(name === "test"
            ? { testTimeout: 600_000, hookTimeout: 600_000 }
            : { testTimeout: PATIENT.has(name) ? 90_000 : 30_000 }),
        },
      };
    }),
  },
});

export default config;
