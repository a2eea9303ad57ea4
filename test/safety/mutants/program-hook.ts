/** Loaded by `node --import` before the program: breaks the rule that the environment names. */

import { PROGRAM_CONTENT_MUTANTS } from "./content-mutants.ts";
import { replaceWhileLoading } from "./replace-source.ts";

const name = process.env["CATALOG_TEST_MUTANT"];
const mutant = PROGRAM_CONTENT_MUTANTS.find((each) => each.name === name);
if (name !== undefined && mutant === undefined) throw new RangeError(`no mutant is named ${name}`);
replaceWhileLoading(mutant?.replacements ?? []);
