import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const ROOMS = ["packages", "apps"].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
);

/** The TypeScript blocks of a README. */
const examplesOf = (text: string): string[] =>
  [...text.matchAll(/```ts\n([\s\S]*?)```/gu)].map(([, code = ""]) => code);

describe("the READMEs", () => {
  it.each(ROOMS)("tell what %s is for", (room) => {
    const path = join(root, room, "README.md");

    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, "utf8").split("\n").length).toBeGreaterThan(5);
  });

  it.each(ROOMS.filter((room) => room.startsWith("packages/")))(
    "show one example for %s that runs",
    { timeout: 120_000 },
    (room) => {
      const examples = examplesOf(readFileSync(join(root, room, "README.md"), "utf8"));
      expect(examples).toHaveLength(1);
      // Inside the package, so that it may import the package by its own name.
      const folder = mkdtempSync(join(root, room, ".readme-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const script = join(folder, "example.ts");
      writeFileSync(script, examples[0] ?? "");

      const { status, stderr } = spawnSync(process.execPath, [script], {
        cwd: folder,
        encoding: "utf8",
      });

      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    },
  );

  it("name only paths that exist in the root README", () => {
    const text = readFileSync(join(root, "README.md"), "utf8");
    const paths = [...text.matchAll(/`((?:packages|apps|templates|test)\/[^`\s]*)`/gu)];

    expect(paths.length).toBeGreaterThan(10);
    expect(
      paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path))),
    ).toEqual([]);
  });
});
