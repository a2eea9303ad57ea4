export { compareImages } from "./compare-images.ts";
export {
  type ContactSheetOptions,
  describeBroken,
  formatContactSheet,
  type SheetImage,
} from "./contact-sheet.ts";
export {
  createImageChecker,
  type ImageChecker,
  type ImageCheckerOptions,
  type ImageReference,
} from "./check/image-checker.ts";
export { type ImageCounts } from "./check/url-checker.ts";
export { type ImageCheckCache } from "./check/image-check-cache.ts";
export {
  type Decoded,
  type DecodedFacts,
  type PreparedFacts,
  type PreparedImage,
  type PrepareSettings,
} from "./decode/decode-protocol.ts";
export { createDecoder, type Decoder, type DecoderOptions } from "./decode/decoder.ts";
export { type ImageType } from "./decode/image-type.ts";
export { type BodyLimits } from "./guard/body-limits.ts";
export {
  DEFAULT_DOWNLOAD_LIMITS,
  type DownloadLimits,
  fileDownloadLimits,
  imageDownloadLimits,
} from "./guard/download-limits.ts";
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
  type DownloadRetry,
  retryDownload,
  type RetryDownloadOptions,
} from "./guard/retry-download.ts";
export { DEFAULT_IMAGE_LIMITS, type ImageLimits } from "./image-limits.ts";
export { DEFAULT_RULES, checkImageRules, type ImageFacts, type ImageRules } from "./image-rules.ts";
export { describeProblem, type ImageProblem, type ImageProblemCode, problem } from "./problem.ts";
export {
  createPreparedImages,
  DEFAULT_PREPARE,
  type PreparedFile,
  type PreparedImages,
  type PreparedImagesOptions,
} from "./send/prepared-images.ts";
export {
  createUploader,
  type Uploader,
  type UploaderOptions,
  type UploadTarget,
} from "./send/upload.ts";
export { openFolderSource } from "./sources/folder-source.ts";
export { type ImageSource } from "./sources/image-source.ts";
export { openZipSource, ImageSourceError } from "./sources/zip-source.ts";
export { type ImageMode, type ImageOptions, type ImageShape } from "./image-options.ts";
