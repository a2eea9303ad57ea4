import type { Lang } from "@catalog/i18n";

import type { DraftView } from "../../api/drafts.ts";
import type { ReceivedFile } from "../uploads/receive-file.ts";

/** An uploaded file that a draft is made of. */
export interface DraftFile extends ReceivedFile {
  readonly name: string;
  readonly by: string;
}

/** Makes a draft and begins to read it. */
export type CreateDraft = (file: DraftFile, lang: Lang) => Promise<DraftView>;
