/** Publishes an image, so that it has a URL for the marketplace. */

import { readFile } from "node:fs/promises";

import { type ProductImage } from "@catalog/contract";
import {
  type Decoded,
  type PictureChecker,
  type PictureShape,
  type PreparedFile,
  type PreparedPictures,
  problem,
  type Uploader,
} from "@catalog/images";

import { type LookedAt } from "./check-row-images.ts";

export interface DeliveryTools {
  readonly send: PictureShape;
  readonly checker: Pick<PictureChecker, "readBytes">;
  readonly prepared: PreparedPictures;
  /** `undefined` where no upload is configured. */
  readonly uploader: Uploader | undefined;
}

/** Returns the entry of `images` for the image, or a problem where it cannot be sent. */
export async function deliverPicture(
  looked: LookedAt,
  tools: DeliveryTools,
): Promise<Decoded<ProductImage>> {
  if (tools.send === "data-uri") return await toDataAddress(looked, tools);
  const address = await toAddress(looked, tools);
  if (!address.ok || tools.send === "address") return address;
  return { ok: true, value: { url: address.value } };
}

async function toAddress(looked: LookedAt, tools: DeliveryTools): Promise<Decoded<string>> {
  const { kind, text } = looked.picture;
  if (kind === "address") return { ok: true, value: text };
  if (tools.uploader === undefined) {
    return { ok: false, problem: problem("E_IMG_NO_UPLOAD", { value: text }) };
  }
  const file = await prepare(looked, tools);
  return file.ok ? await tools.uploader.upload(file.value) : file;
}

async function toDataAddress(looked: LookedAt, tools: DeliveryTools): Promise<Decoded<string>> {
  const file = await prepare(looked, tools);
  if (!file.ok) return file;
  const bytes = await readFile(file.value.path);
  return { ok: true, value: `data:image/jpeg;base64,${bytes.toString("base64")}` };
}

async function prepare(
  { picture, facts, problems }: LookedAt,
  { checker, prepared }: DeliveryTools,
): Promise<Decoded<PreparedFile>> {
  if (facts !== undefined) {
    return await prepared.prepare(facts.sha256, () => checker.readBytes(picture));
  }
  const [first = problem("E_IMG_CORRUPT")] = problems;
  return { ok: false, problem: first };
}
