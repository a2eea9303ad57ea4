export { comparePictures } from "./compare-pictures.ts";
export {
  type ContactSheetOptions,
  formatContactSheet,
  type SheetPicture,
} from "./contact-sheet.ts";
export {
  createPictureChecker,
  type PictureChecker,
  type PictureCheckerOptions,
  type PictureSource,
} from "./check/picture-checker.ts";
export { type PictureCounts } from "./check/address-desk.ts";
export { type PictureMemory } from "./check/picture-memory.ts";
export {
  type Decoded,
  type DecodedFacts,
  type PreparedFacts,
  type PreparedPicture,
  type PrepareSettings,
} from "./decode/decode-protocol.ts";
export { createDecoder, type Decoder, type DecoderOptions } from "./decode/decoder.ts";
export { type PictureType } from "./decode/picture-type.ts";
export { type BodyLimits } from "./guard/body-limits.ts";
export { FetchError, type FetchErrorCode } from "./guard/fetch-error.ts";
export { type ResolveHost } from "./guard/guarded-connect.ts";
export {
  type GuardedAnswer,
  type GuardedFetch,
  type GuardedFetchOptions,
  type GuardedRequest,
  openGuardedFetch,
} from "./guard/guarded-fetch.ts";
export {
  DEFAULT_RULES,
  judgePicture,
  type PictureFacts,
  type PictureRules,
} from "./picture-rules.ts";
export {
  describeProblem,
  type PictureProblem,
  type PictureProblemCode,
  problem,
} from "./problem.ts";
export {
  createPreparedPictures,
  DEFAULT_PREPARE,
  type PreparedFile,
  type PreparedPictures,
  type PreparedPicturesOptions,
} from "./send/prepared-pictures.ts";
export {
  createUploader,
  type Uploader,
  type UploaderOptions,
  type UploadTarget,
} from "./send/upload.ts";
export { openFolderShelf } from "./shelf/folder-shelf.ts";
export { type PictureShelf } from "./shelf/picture-shelf.ts";
export { openZipShelf, ShelfError } from "./shelf/zip-shelf.ts";
