import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import type { DraftView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { draftQuery } from "../../lib/queries.ts";
import { requestJson } from "../../lib/requests.ts";
import { goTo } from "../../lib/route.ts";
import { uploadFile } from "../../lib/upload.ts";
import { useAction } from "../../lib/use-action.ts";

export interface Sending {
  readonly name: string;
  /** From 0 to 1; 1 while the server reads the file. */
  readonly part: number;
}

const isStop = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Makes drafts of files, links and pasted cells, and opens them. */
export const useUpload = () => {
  const { lang, texts } = usePage();
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending | null>(null);
  const stopper = useRef<AbortController | null>(null);
  const open = (draft: DraftView): void => {
    client.setQueryData(draftQuery(draft.id, lang).queryKey, draft);
    void client.invalidateQueries({ queryKey: ["drafts"] });
    goTo({ page: "draft", id: draft.id, step: "file" });
  };
  const file = useAction(async (chosen: File) => {
    const { name } = chosen;
    stopper.current = new AbortController();
    setSending({ name, part: 0 });
    const onProgress = (part: number): void => setSending({ name, part });
    try {
      open(await uploadFile(chosen, { lang, onProgress, signal: stopper.current.signal }));
    } catch (error) {
      if (!isStop(error)) throw error;
    } finally {
      setSending(null);
    }
  });
  const post = (path: string, body: object): Promise<DraftView> =>
    requestJson<DraftView>(path, { lang, method: "POST", body });
  const cells = useAction(async (text: string) => {
    open(await post("/api/uploads/cells", { text, name: texts.upload.pasteName }));
  });
  const link = useAction(async (url: string) => {
    open(await post("/api/uploads/link", { url }));
  });
  return { sending, file, cells, link, stop: () => stopper.current?.abort() };
};

export type Uploading = ReturnType<typeof useUpload>;
