export {
  compareImages,
  DEFAULT_IMAGE_LIMITS,
  type ImageLimits,
  DEFAULT_RULES,
  checkImageRules,
  type ImageFacts,
  type ImageRules,
} from "./image-rules.ts";
export { type ImageMode, type ImageOptions, type ImageShape } from "./image-options.ts";
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
  type ImageCounts,
  type ImageCheckCache,
} from "./check/image-checker.ts";
export {
  type Decoded,
  type DecodedFacts,
  type PreparedFacts,
  type PreparedImage,
  type PrepareSettings,
  type ImageType,
} from "./decode/decode-protocol.ts";
export { createDecoder, type Decoder, type DecoderOptions } from "./decode/decoder.ts";
export {
  type BodyLimits,
  DEFAULT_DOWNLOAD_LIMITS,
  type DownloadLimits,
  fileDownloadLimits,
  imageDownloadLimits,
  type GuardedAnswer,
  type GuardedFetch,
  type GuardedFetchOptions,
  type GuardedRequest,
  openGuardedFetch,
  type DownloadRetry,
  retryDownload,
  type RetryDownloadOptions,
} from "./guard/guarded-fetch.ts";
export { FetchError, type FetchErrorCode } from "./guard/fetch-error.ts";
export { type ResolveHost } from "./guard/check-address.ts";
export { describeProblem, type ImageProblem, type ImageProblemCode, problem } from "./problem.ts";
export {
  createPreparedImages,
  DEFAULT_PREPARE,
  type PreparedFile,
  type PreparedImages,
  type PreparedImagesOptions,
  createUploader,
  type Uploader,
  type UploaderOptions,
  type UploadTarget,
} from "./send/upload.ts";
export {
  openFolderSource,
  type ImageSource,
  openZipSource,
  ImageSourceError,
} from "./sources/image-source.ts";
