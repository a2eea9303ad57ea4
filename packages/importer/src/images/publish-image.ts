/** Publishes an image, so that it has a URL for the marketplace. */

import { readFile } from "node:fs/promises";

import type { ProductImage } from "@catalog/contract";
import {
  type Decoded,
  type ImageChecker,
  type ImageProblem,
  type ImageShape,
  type PreparedFile,
  type PreparedImages,
  problem,
  type Uploader,
} from "@catalog/images";

import type { CheckedImage } from "./check-row-images.ts";

export interface PublishImageTools {
  readonly send: ImageShape;
  readonly checker: Pick<ImageChecker, "readBytes">;
  readonly prepared: PreparedImages;
  /** `undefined` where no upload is configured. */
  readonly uploader: Uploader | undefined;
}

/** Returns the entry of `images` for the image, or a problem where it cannot be sent. */
export async function publishImage(
  checked: CheckedImage,
  tools: PublishImageTools,
): Promise<Decoded<ProductImage>> {
  if (tools.send === "data-uri") return await toDataAddress(checked, tools);
  const address = await toAddress(checked, tools);
  if (!address.ok || tools.send === "address") return address;
  return { ok: true, value: { url: address.value } };
}

/**
 * Why an image that was opened cannot be sent, as far as that is known before any is uploaded;
 * `undefined` where nothing prevents it.
 */
export function findRefusal(
  { image, facts }: CheckedImage,
  { send, uploader }: Pick<PublishImageTools, "send" | "uploader">,
): ImageProblem | undefined {
  const needsUpload = image.kind === "file" && send !== "data-uri";
  if (!needsUpload || uploader !== undefined || facts === undefined) return undefined;
  return problem("E_IMG_NO_UPLOAD", { value: image.text });
}

async function toAddress(
  checked: CheckedImage,
  tools: PublishImageTools,
): Promise<Decoded<string>> {
  const { kind, text } = checked.image;
  if (kind === "address") return { ok: true, value: text };
  if (tools.uploader === undefined) {
    return { ok: false, problem: problem("E_IMG_NO_UPLOAD", { value: text }) };
  }
  const file = await prepare(checked, tools);
  return file.ok ? await tools.uploader.upload(file.value) : file;
}

async function toDataAddress(
  checked: CheckedImage,
  tools: PublishImageTools,
): Promise<Decoded<string>> {
  const file = await prepare(checked, tools);
  if (!file.ok) return file;
  const bytes = await readFile(file.value.path);
  return { ok: true, value: `data:image/jpeg;base64,${bytes.toString("base64")}` };
}

async function prepare(
  { image, facts, problems }: CheckedImage,
  { checker, prepared }: PublishImageTools,
): Promise<Decoded<PreparedFile>> {
  if (facts !== undefined) {
    return await prepared.prepare(facts.sha256, () => checker.readBytes(image));
  }
  const [first = problem("E_IMG_CORRUPT")] = problems;
  return { ok: false, problem: first };
}
