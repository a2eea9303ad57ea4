import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import {
  BuildError,
  buildPage,
  hashSources,
  type PageSources,
} from "../../src/build/build-page.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));

type Sources = PageSources & { readonly built: string };

/** The sources of a small page. */
function createSources(): Sources {
  const root = createFolder({
    "client/index.html":
      '<!doctype html><div id="root"></div><script type="module" src="./main.tsx"></script>',
    "client/main.tsx":
      'import { createRoot } from "react-dom/client";\n' +
      'createRoot(document.body).render(<p>{"hello"}</p>);\n',
    "api/index.ts": "export {};",
    "pnpm-lock.yaml": "packages:\n\n  react@19.0.0:\n    x: 1\n\n  other@1.0.0:\n    y: 1\n",
  });
  symlinkSync(PACKAGES, join(root, "client", "node_modules"), "junction");
  const at = (name: string): string => join(root, name);
  return {
    client: at("client"),
    api: at("api"),
    lockfile: at("pnpm-lock.yaml"),
    built: at("built"),
  };
}

describe("buildPage", { timeout: 60_000 }, () => {
  it("builds the page once for each state of its sources, and removes earlier ones", async () => {
    const sources = createSources();
    let builds = 0;
    const build = (): Promise<string> => buildPage({ ...sources, onBuild: () => (builds += 1) });

    const first = await build();
    expect([await build(), builds]).toEqual([first, 1]);
    appendFileSync(join(sources.client, "main.tsx"), "// changed\n");
    const second = await build();

    expect(second).not.toBe(first);
    expect(readdirSync(sources.built).map((name) => join(sources.built, name))).toEqual([second]);
    const [script = ""] = readdirSync(join(second, "assets"));
    expect(script).toMatch(/^index-[\w-]+\.js$/u);
  });

  it("may be called by two starts at the same moment", async () => {
    const sources = createSources();

    const pages = await Promise.all([buildPage(sources), buildPage(sources)]);

    expect(pages[0]).toBe(pages[1]);
    expect(existsSync(join(pages[0], "index.html"))).toBe(true);
    expect(readdirSync(sources.built)).toHaveLength(1);
  });

  it("leaves nothing of a build that failed", async () => {
    const sources = createSources();
    appendFileSync(join(sources.client, "main.tsx"), "const = ;");

    await expect(buildPage(sources)).rejects.toThrow(BuildError);

    expect(readdirSync(sources.built)).toEqual([]);
  });

  it("takes the page that a package brings, without building one", async () => {
    const sources = createSources();
    const packed = join(sources.built, "..", "packed");
    mkdirSync(packed);
    writeFileSync(join(packed, "index.html"), "");

    expect(await buildPage({ ...sources, packed })).toBe(packed);
    expect(existsSync(sources.built)).toBe(false);
  });
});

const LOCKFILE = `packages:

  '@tanstack/react-query@5.0.0':
    resolution: {integrity: sha512-a}

  react@19.0.0:
    resolution: {integrity: sha512-b}

  kysely@1.0.0:
    resolution: {integrity: sha512-c}
`;

it("changes with each source and each version that shows in the page", () => {
  const root = createFolder({
    "client/main.tsx": "a",
    "client/grid/cell.tsx": "b",
    "api/index.ts": "c",
    lock: LOCKFILE,
  });
  const at = { client: join(root, "client"), api: join(root, "api"), lockfile: join(root, "lock") };
  const seen = [hashSources(at)];
  const change = (work: () => void): void => {
    work();
    seen.push(hashSources(at));
  };

  expect(hashSources(at)).toBe(seen[0]);
  writeFileSync(at.lockfile, LOCKFILE.replace("kysely@1.0.0", "kysely@1.0.1"));
  expect(hashSources(at)).toBe(seen[0]);
  change(() => writeFileSync(at.lockfile, LOCKFILE.replace("react@19.0.0", "react@19.0.1")));
  change(() =>
    writeFileSync(at.lockfile, LOCKFILE.replace("react-query@5.0.0", "react-query@5.0.1")),
  );
  change(() => appendFileSync(join(at.client, "grid/cell.tsx"), "x"));
  change(() => appendFileSync(join(at.api, "index.ts"), "x"));
  change(() => writeFileSync(join(at.client, "new.css"), ""));

  expect(new Set(seen).size).toBe(6);
});
