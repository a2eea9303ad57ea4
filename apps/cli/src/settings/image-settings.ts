/** The `images` part of the configuration file. */

import type { ImageOptions } from "@catalog/images";
import * as z from "zod";

/** The settings as the file holds them. */
export interface ImageConfig {
  readonly check?: "strict" | "warn" | "off" | undefined;
  readonly dir?: string | undefined;
  readonly send?: "address" | "object" | "data-uri" | undefined;
  readonly upload?: UploadConfig | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  readonly concurrency?: number | undefined;
  readonly minEdge?: number | undefined;
  readonly maxEdge?: number | undefined;
  readonly minBytes?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxAspect?: number | undefined;
  readonly prepare?: PrepareConfig | undefined;
}

type UploadConfig =
  | { readonly command: readonly string[] }
  | { readonly put: string; readonly address?: string | undefined };

interface PrepareConfig {
  readonly maxEdge?: number | undefined;
  readonly targetBytes?: number | undefined;
  readonly quality?: number | undefined;
}

const count = z.int().min(1).optional();

export const imageConfigSchema: z.ZodType<ImageConfig> = z.strictObject({
  check: z.enum(["strict", "warn", "off"]).optional(),
  dir: z.string().optional(),
  send: z.enum(["address", "object", "data-uri"]).optional(),
  upload: z
    .union([
      z.strictObject({ command: z.array(z.string()).min(1) }),
      z.strictObject({
        put: z.url({ protocol: /^https?$/u }),
        address: z.url({ protocol: /^https$/u }).optional(),
      }),
    ])
    .optional(),
  allowHosts: z.array(z.string()).optional(),
  concurrency: count,
  minEdge: count,
  maxEdge: count,
  minBytes: count,
  maxBytes: count,
  maxAspect: z.number().min(1).optional(),
  prepare: z
    .strictObject({
      maxEdge: count,
      targetBytes: count,
      quality: z.int().min(1).max(100).optional(),
    })
    .optional(),
});

type Environment = Readonly<Record<string, string | undefined>>;

export interface ImageContext {
  readonly env: Environment;
  /** Folder of the configuration file, from which its relative paths are resolved. */
  readonly folder: string;
}

/** Settings of the file, with the secrets that only the environment may hold. */
export function toImageOptions(config: ImageConfig, around: ImageContext): ImageOptions {
  const { check, dir, send, allowHosts, concurrency, upload } = config;
  const { minEdge, maxEdge, minBytes, maxBytes, maxAspect } = config;
  return {
    mode: check,
    source: dir,
    send,
    allowHosts,
    concurrency,
    upload: upload && toTarget(upload, around),
    rules: withoutAbsent({ minEdge, maxEdge, minBytes, maxBytes, maxAspect }),
    prepare: withoutAbsent({ ...config.prepare }),
  };
}

function toTarget(
  upload: UploadConfig,
  { env, folder }: ImageContext,
): NonNullable<ImageOptions["upload"]> {
  if ("put" in upload) {
    const token = env["CATALOG_UPLOAD_TOKEN"] || undefined;
    return { kind: "put", put: upload.put, address: upload.address, token };
  }
  return { kind: "command", command: upload.command, folder, env: withoutOurs(env) };
}

/** An upload program needs its own credentials, not the marketplace's. */
function withoutOurs(env: Environment): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.toUpperCase().startsWith("CATALOG_")) own[name] = value;
  }
  return own;
}

/** Removes undefined limits, which would replace the defaults. */
function withoutAbsent(
  limits: Readonly<Record<string, number | undefined>>,
): Record<string, number> {
  const present: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined) present[name] = value;
  return present;
}
