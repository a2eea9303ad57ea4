import { fileURLToPath } from "node:url";

import { beforeAll, describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { startCatalog } from "../../helpers/processes/catalog-process.ts";
import { runScript } from "../../helpers/processes/run-script.ts";
import { writeText } from "../../helpers/product-sheet.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";
import { CONTENT_MUTANTS, PROGRAM_CONTENT_MUTANTS } from "./content-mutants.ts";
import { readSource, replaceIn } from "./replace-source.ts";

interface PlayedPlans {
  readonly name: string | null;
  readonly broken: readonly string[];
}

describe("by plans that change texts, brands and images it is noticed that", () => {
  const played = new Map<string | null, readonly string[]>();

  beforeAll(async () => {
    const { out } = await runScript("safety/mutants/content-main.ts", []);
    for (const line of out.split("\n").filter(Boolean)) {
      const { name, broken }: PlayedPlans = JSON.parse(line);
      played.set(name, broken);
    }
  });

  it("nothing is wrong without a mutant", () => {
    expect(played.get(null)).toEqual([]);
  });

  for (const { name, breaks } of CONTENT_MUTANTS) {
    it(`${breaks} (${name})`, () => {
      expect(played.get(name)).not.toBeUndefined();
      expect(played.get(name)).not.toEqual([]);
    });
  }
});

describe("by the plan of a file whose titles are others", () => {
  const HOOK = fileURLToPath(new URL("program-hook.ts", import.meta.url));
  const PRODUCTS = 30;

  /** Plans the file with a rule of the program broken; returns how many rows are held. */
  async function planTitles(mutant: string | undefined): Promise<number> {
    const { sandbox, folder, env } = await openTestStore({ products: PRODUCTS });
    const lines = sandbox
      .products()
      .map(({ product_code: code }, index) => `${code};Xyzzy qwert yuiop asdfg hjkl ${index}\n`);
    const file = writeText(folder, "basliklar.csv", `Ürün Kodu;Başlık\n${lines.join("")}`);
    const broken = mutant === undefined ? {} : { CATALOG_TEST_MUTANT: mutant };
    const hooked = { ...env, NODE_OPTIONS: `--import ${HOOK}`, ...broken };
    const started = startCatalog(["plan", file, "--json"], {
      env: hooked,
      cwd: folder,
      program: toAbsolutePath(SOURCE_PATHS.cliMain),
    });
    const { out, err } = await started.finished;
    expect(out, err).not.toBe("");
    return JSON.parse(out).counts.held;
  }

  it("nothing is wrong without a mutant", async () => {
    expect(await planTitles(undefined)).toBe(PRODUCTS);
  });

  for (const { name, breaks } of PROGRAM_CONTENT_MUTANTS) {
    it(`it is noticed that ${breaks} (${name})`, async () => {
      expect(await planTitles(name)).toBe(0);
    });
  }
});

describe("a fragment that is replaced by a mutant of a plan", () => {
  for (const { name, replacements } of [...CONTENT_MUTANTS, ...PROGRAM_CONTENT_MUTANTS]) {
    it(`occurs exactly once in the source (${name})`, () => {
      for (const replacement of replacements) {
        const source = readSource(replacement.file);

        expect(replaceIn(source, [replacement])).not.toBe(source);
      }
    });
  }
});
