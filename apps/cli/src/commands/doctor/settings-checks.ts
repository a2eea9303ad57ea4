import { EXIT } from "@catalog/console";
import type { Localized } from "@catalog/i18n";

import type { StoredLogin } from "../../login/login-store.ts";
import { maskKey } from "../../login/login-texts.ts";
import {
  describeKeptSecret,
  type FoundSetting,
  type SettingName,
  type SettingSource,
} from "../../settings/settings.ts";
import type { FoundConfig } from "../../trust/config-trust.ts";
import { untrustedConfig } from "../../trust/trust-texts.ts";
import type { Check } from "./check.ts";

const MISSING: Localized = { tr: "yok", en: "missing" };

const LABELS: Readonly<Record<SettingName, Localized>> = {
  CATALOG_BASE_URL: { tr: "Adres", en: "Address" },
  CATALOG_CLIENT_KEY: { tr: "Anahtar", en: "Key" },
  CATALOG_CLIENT_SECRET: { tr: "Gizli anahtar", en: "Secret" },
  CATALOG_STORE_ID: { tr: "Mağaza", en: "Store" },
};

const SOURCES: Readonly<Record<Exclude<SettingSource, "nowhere">, Localized>> = {
  environment: { tr: "ortam değişkeni", en: "environment" },
  config: { tr: "catalog.config dosyası", en: "catalog.config file" },
  login: { tr: "saklanan oturum", en: "stored login" },
};

const TRUST: Readonly<Record<Exclude<FoundConfig["trust"], "none">, Localized>> = {
  trusted: { tr: "onaylı", en: "trusted" },
  harmless: { tr: "onay gerektirmiyor", en: "needs no trust" },
  changed: { tr: "onaylandıktan sonra değişti", en: "changed since it was trusted" },
  unknown: { tr: "onaylanmadı", en: "not trusted" },
};

/** Checks the configuration file of the folder; empty where there is none. */
export function checkConfigFile(found: FoundConfig): readonly Check[] {
  const { trust, file } = found;
  if (trust === "none" || file === undefined) return [];
  const { tr, en } = TRUST[trust];
  const isUsed = trust === "trusted" || trust === "harmless";
  return [
    {
      name: "config_file",
      state: isUsed ? "ok" : "fail",
      label: { tr: "Ayar dosyası", en: "Config file" },
      found: { tr: `${file.path} (${tr})`, en: `${file.path} (${en})` },
      ...(isUsed ? {} : { fix: untrustedConfig(found).localized, exit: EXIT.usage }),
    },
  ];
}

/** Name and label of the checks of the stored login. */
export const STORED_LOGIN = {
  name: "stored_login",
  label: { tr: "Saklanan oturum", en: "Stored login" },
} as const;

const OWNERS: Readonly<Record<StoredLogin["owner"], Localized>> = {
  home: { tr: "bu klasörün kendi oturumu", en: "this home's own login" },
  user: { tr: "kullanıcınızın oturumu", en: "the login of your user" },
};

/** Names the file of the stored login. */
export function describeLogin({ path, owner }: Pick<StoredLogin, "path" | "owner">): Check {
  const { tr, en } = OWNERS[owner];
  return { ...STORED_LOGIN, state: "ok", found: { tr: `${path} (${tr})`, en: `${path} (${en})` } };
}

/** Checks each setting and names its source, with advice for a missing one. */
export function checkSettings(
  found: Readonly<Record<SettingName, FoundSetting>>,
): readonly Check[] {
  return [
    checkSetting("CATALOG_BASE_URL", found.CATALOG_BASE_URL),
    checkSetting("CATALOG_CLIENT_KEY", found.CATALOG_CLIENT_KEY),
    checkSetting("CATALOG_CLIENT_SECRET", found.CATALOG_CLIENT_SECRET),
    checkSetting("CATALOG_STORE_ID", found.CATALOG_STORE_ID),
  ];
}

function checkSetting(setting: SettingName, { value, source, keptFor }: FoundSetting): Check {
  const name = setting.replace("CATALOG_", "").toLowerCase();
  const label = LABELS[setting];
  if (source === "nowhere") {
    return {
      name,
      state: "fail",
      label,
      found: keptFor === undefined ? MISSING : describeKeptSecret(keptFor),
      fix: {
        tr: `${setting} ortam değişkenini verin ya da "catalog login" çalıştırın.`,
        en: `Set ${setting} or run "catalog login".`,
      },
      exit: EXIT.usage,
    };
  }
  const shown = show(setting, value);
  const { tr, en } = SOURCES[source];
  return { name, state: "ok", label, found: { tr: `${shown} (${tr})`, en: `${shown} (${en})` } };
}

function show(setting: SettingName, value: string): string {
  if (setting === "CATALOG_CLIENT_SECRET") return "••••••••";
  if (setting === "CATALOG_CLIENT_KEY") return maskKey(value);
  return setting === "CATALOG_BASE_URL" ? withoutPassword(value) : value;
}

/** An address with a password in it is refused later; until then it must not be shown. */
function withoutPassword(address: string): string {
  const url = URL.parse(address);
  return url === null || url.username + url.password + url.search === ""
    ? address
    : `${url.protocol}//${url.host}`;
}
