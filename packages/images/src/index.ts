export { comparePictures } from "./compare-images.ts";
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
} from "./check/image-checker.ts";
export { type PictureCounts } from "./check/url-checker.ts";
export { type PictureMemory } from "./check/image-check-cache.ts";
export {
  type Decoded,
  type DecodedFacts,
  type PreparedFacts,
  type PreparedPicture,
  type PrepareSettings,
} from "./decode/decode-protocol.ts";
export { createDecoder, type Decoder, type DecoderOptions } from "./decode/decoder.ts";
export { type PictureType } from "./decode/image-type.ts";
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
} from "./image-rules.ts";
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
} from "./send/prepared-images.ts";
export {
  createUploader,
  type Uploader,
  type UploaderOptions,
  type UploadTarget,
} from "./send/upload.ts";
export { openFolderShelf } from "./sources/folder-source.ts";
export { type PictureShelf } from "./sources/image-source.ts";
export { openZipShelf, ShelfError } from "./sources/zip-source.ts";
export { type PictureMode, type PictureOptions, type PictureShape } from "./image-options.ts";
