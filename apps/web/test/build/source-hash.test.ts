import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { hashSources } from "../../src/build/build-page.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

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
