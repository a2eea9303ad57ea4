/** Image settings of a command. */

import type { FlagDefinition, Flags } from "@catalog/console";
import type { ImageMode, ImageOptions } from "@catalog/images";
import type { RunProgress } from "@catalog/runs";

import type { CommandContext } from "../context.ts";

export const IMAGE_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  images: {
    type: "string",
    choices: ["strict", "warn", "off"],
    // No default here: it would override the configuration file.
    describe: {
      tr: "Bozuk görsel: satırı durdur, yalnızca uyar ya da görsellere hiç bakma",
      en: "A broken image: stop its row, only warn, or check no images",
    },
  },
  "images-dir": {
    type: "string",
    describe: {
      tr: "Dosya adıyla verilen görsellerin klasörü ya da zip dosyası",
      en: "Folder or zip file of the images that the file names",
    },
  },
  "images-again": {
    type: "boolean",
    describe: {
      tr: "Görsellere yeniden bak; önceki sonuçları kullanma",
      en: "Check the images again, even those checked before",
    },
  },
  "allow-host": {
    type: "string",
    many: true,
    describe: {
      tr: "Özel ağdaki kendi görsel sunucunuz (sunucu ya da sunucu:port)",
      en: "Your own image server in a private network (host or host:port)",
    },
  },
};

const MODES: readonly ImageMode[] = ["strict", "warn", "off"];

/** Flags override the configuration file; the hosts of both are allowed. */
export function toImageOptions(
  { images = {}, resolve }: Pick<CommandContext, "images" | "resolve">,
  flags: Flags,
): ImageOptions {
  const mode = MODES.find((each) => each === flags["images"]) ?? images.mode;
  const given = flags["images-dir"];
  const source = typeof given === "string" && given !== "" ? resolve(given) : images.source;
  const hosts = flags["allow-host"];
  const allowHosts = [
    ...(images.allowHosts ?? []),
    ...(Array.isArray(hosts) ? hosts.map(String) : []),
  ];
  return { ...images, mode, source, allowHosts, isAgain: flags["images-again"] === true };
}

/**
 * Image settings of a retry: the flags, else the run's settings, else the configuration file. Image
 * files that no longer exist block no row.
 */
export function toRetryImageOptions(
  { images = {}, resolve }: Pick<CommandContext, "images" | "resolve">,
  flags: Flags,
  { reading }: RunProgress,
): ImageOptions {
  const { mode, source, allowHosts = [] } = reading?.pictures ?? images;
  const hosts = new Set([...(images.allowHosts ?? []), ...allowHosts]);
  const kept = { ...images, mode, source, allowHosts: [...hosts] };
  const given = flags["images-dir"];
  const maySourceBeGone = given === undefined || given === "";
  return { ...toImageOptions({ resolve, images: kept }, flags), maySourceBeGone };
}
