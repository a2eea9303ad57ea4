import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { defineConfig, type ViteUserConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

const inFolder = (folder: string): string[] =>
  readdirSync(new URL(`../${folder}`, import.meta.url)).map((name) => `${folder}/${name}`);

const rooms = [...inFolder("packages"), ...inFolder("apps"), "test"];

const config: ViteUserConfig = defineConfig({
  root,
  test: {
    testTimeout: 10_000,
    projects: rooms.map((room) => ({
      extends: true,
      root: `${root}${room}`,
      test: {
        name: room.split("/").at(-1) ?? room,
        include: room === "test" ? ["**/*.test.ts"] : ["test/**/*.test.ts"],
      },
    })),
  },
});

export default config;
