/** The sample file of the demo, as a draft that waits for its person. */

import { basename, join } from "node:path";

import type { Drafts } from "../../server/drafts/drafts.ts";
import type { Site } from "../../server/site.ts";
import { resaveFile } from "../../server/uploads/resave-file.ts";

/** Uploads the sample, unless a draft of an earlier start is there. */
export async function addSample(site: Site, drafts: Drafts, path: string): Promise<void> {
  if ((await drafts.list("tr")).length > 0) return;
  const file = await resaveFile(path, join(site.folder, "uploads"));
  await drafts.create({ ...file, name: basename(path), by: site.user }, "tr");
}
