/** Writes the committed workbooks again. */

import { fileURLToPath } from "node:url";

import { makeTemplates } from "./make-templates.ts";

const folder = fileURLToPath(new URL("../../../templates", import.meta.url));
await makeTemplates(folder, `${folder}/ornek-katalog.csv`);
