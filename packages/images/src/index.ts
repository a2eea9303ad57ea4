export { DEFAULT_IMAGE_LIMITS, type ImageLimits, type ImageRules } from "./image-rules.ts";
export {
  type FileImages,
  type FileImagesOptions,
  type ImageIssue,
  type ImageMode,
  type ImageOptions,
  type ImageRow,
  type NamedImage,
  openFileImages,
  type ResolvedImages,
  type SentImage,
} from "./file-images.ts";
export { type ImageCheckCache, type ImageReference } from "./check/image-checker.ts";
export { type PrepareSettings } from "./decode/decode-protocol.ts";
export { createDecoder, type Decoder, type DecoderOptions } from "./decode/decoder.ts";
export {
  DEFAULT_DOWNLOAD_LIMITS,
  downloadFile,
  type DownloadFileOptions,
  type DownloadLimits,
  type DownloadRetry,
  tryLogin,
} from "./guard/download-file.ts";
export { type DownloadLogin, type FindLogin, loginRules } from "./guard/download-login.ts";
export { readHostKey } from "./guard/remote-file.ts";
export { type GuardedAnswer } from "./guard/guarded-fetch.ts";
export { type GuardedPost, openGuardedPost } from "./guard/guarded-post.ts";
export { FetchError, type FetchErrorCode } from "./guard/fetch-error.ts";
export { DEFAULT_PREPARE, type UploadTarget } from "./send/upload.ts";
export { type ImageSource, ImageSourceError, openImageSource } from "./sources/image-source.ts";
export {
  openThumbnails,
  type Thumbnail,
  type ThumbnailImage,
  type Thumbnails,
  type ThumbnailSize,
} from "./thumbnails/thumbnails.ts";
