/**
 * The secrets of alert channels: the address of a webhook, the password of a mail server, the token
 * of a bot. They are in the system's keyring, in a private file where there is no keyring, or in a
 * variable that the channel names. A home that is named keeps its own.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import type { createAlerts } from "@catalog/jobs";
import { z } from "zod";

import { assertPrivate, forgetSecret, keepSecret, type LoginStoreOptions } from "./login-store.ts";
import { replacePrivateFile } from "./private-files.ts";
import type { Environment } from "./settings.ts";

type AlertSecrets = Parameters<typeof createAlerts>[0]["secrets"];

const FILE = "alert-secrets.json";

const fileSchema = z.record(z.string(), z.string());

type SecretKey = Parameters<AlertSecrets["read"]>[0];

const nameOf = ({ baseUrl, storeId, channel }: SecretKey): string =>
  `${channel} ${storeId} ${baseUrl}`;

const ENV = /^env:(?<name>\w+)$/u;

/** Opens the secrets of the home, or of the user where no home is named. */
export function createAlertSecrets({
  home,
  folder: userFolder,
  keyring,
  ownerId,
  env,
}: LoginStoreOptions & { readonly env: Environment }): AlertSecrets {
  const isHome = home !== undefined;
  const folder = home ?? userFolder;
  const path = join(folder, FILE);
  const accountOf = (key: SecretKey): string =>
    isHome ? `alert ${nameOf(key)} ${folder}` : `alert ${nameOf(key)}`;
  const readAll = async (): Promise<Readonly<Record<string, string>>> => {
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "ENOENT" || code === "ENOTDIR") return {};
      throw error;
    }
    await assertPrivate(path, { folder, isHome, ownerId });
    return parseFile(text, path);
  };
  const writeAll = async (secrets: Readonly<Record<string, string>>): Promise<void> => {
    await replacePrivateFile(path, JSON.stringify(secrets), { isFolderKept: isHome });
  };
  const removeFromFile = async (key: SecretKey): Promise<void> => {
    const { [nameOf(key)]: removed, ...rest } = await readAll();
    if (removed !== undefined) await writeAll(rest);
  };
  return {
    async read(key, place) {
      const named = ENV.exec(place)?.groups?.["name"];
      if (named !== undefined) return env[named];
      if (place === "keyring") return await keyring.read(accountOf(key));
      return (await readAll())[nameOf(key)];
    },
    async write(key, secret, wanted) {
      if (wanted === "keyring" && (await keepSecret(keyring, accountOf(key), secret))) {
        await removeFromFile(key);
        return "keyring";
      }
      await writeAll({ ...(await readAll()), [nameOf(key)]: secret });
      return "file";
    },
    async forget(key, place) {
      if (place === "keyring") await forgetSecret(keyring, accountOf(key));
      if (place === "file") await removeFromFile(key);
    },
  };
}

function parseFile(text: string, path: string): Readonly<Record<string, string>> {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(
      {
        tr: `${path} dosyası anlaşılamadı. Silin ve uyarı kanallarını yeniden ekleyin (catalog alerts add).`,
        en: `${path} is not understood. Remove it, and add the channels of alerts again (catalog alerts add).`,
      },
      { cause: error },
    );
  }
}
