/** Uploads: a raw body with progress, which `fetch` does not tell. */

import type { DraftView } from "../../src/api/index.ts";
import type { Lang } from "./language.ts";
import { NoAnswerError, noteAnswer, parseAnswer, requestHeaders, toRefusal } from "./requests.ts";

export interface UploadOptions {
  readonly lang: Lang;
  /** Called with the part that is sent, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a file; rejects with the signal's reason when it is stopped. */
export const uploadFile = (file: File, options: UploadOptions): Promise<DraftView> => {
  const { promise, resolve, reject } = Promise.withResolvers<DraftView>();
  const request = new XMLHttpRequest();
  request.open("POST", "/api/uploads");
  const headers = {
    ...requestHeaders(options.lang, true),
    "content-type": "application/octet-stream",
    "x-file-name": encodeURIComponent(file.name),
  };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) options.onProgress(event.loaded / event.total);
  });
  request.addEventListener("load", () => {
    if (request.status === 201) {
      noteAnswer(null);
      resolve(parseAnswer<DraftView>(request.responseText));
    } else reject(toRefusal(request.status, request.responseText));
  });
  request.addEventListener("error", () => reject(new NoAnswerError("/api/uploads")));
  request.addEventListener("abort", () => reject(options.signal.reason));
  options.signal.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
};
