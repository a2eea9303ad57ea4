import { FACEBOOK } from "./feeds/facebook.ts";
import { GOOGLE_MERCHANT } from "./feeds/google-merchant.ts";
import { AMAZON } from "./marketplaces/amazon.ts";
import { CICEKSEPETI } from "./marketplaces/ciceksepeti.ts";
import { EBAY } from "./marketplaces/ebay.ts";
import { ETSY } from "./marketplaces/etsy.ts";
import { HEPSIBURADA } from "./marketplaces/hepsiburada.ts";
import { N11 } from "./marketplaces/n11.ts";
import { TRENDYOL } from "./marketplaces/trendyol.ts";
import type { PlatformProfile } from "./platform.ts";
import { LOGO } from "./programs/logo.ts";
import { MIKRO } from "./programs/mikro.ts";
import { NEBIM } from "./programs/nebim.ts";
import { PARASUT } from "./programs/parasut.ts";
import { IDEASOFT } from "./shops/ideasoft.ts";
import { IKAS } from "./shops/ikas.ts";
import { MAGENTO } from "./shops/magento.ts";
import { OPENCART } from "./shops/opencart.ts";
import { PRESTASHOP } from "./shops/prestashop.ts";
import { SHOPIFY } from "./shops/shopify.ts";
import { T_SOFT } from "./shops/t-soft.ts";
import { TICIMAX } from "./shops/ticimax.ts";
import { WIX } from "./shops/wix.ts";
import { WOOCOMMERCE } from "./shops/woocommerce.ts";

/** Every platform whose files are known. */
export const PLATFORMS: readonly PlatformProfile[] = [
  AMAZON,
  CICEKSEPETI,
  EBAY,
  ETSY,
  FACEBOOK,
  GOOGLE_MERCHANT,
  HEPSIBURADA,
  IDEASOFT,
  IKAS,
  LOGO,
  MAGENTO,
  MIKRO,
  N11,
  NEBIM,
  OPENCART,
  PARASUT,
  PRESTASHOP,
  SHOPIFY,
  T_SOFT,
  TICIMAX,
  TRENDYOL,
  WIX,
  WOOCOMMERCE,
];

/** Value of `--platform` for a file that is read without any profile. */
export const NO_PLATFORM = "none";

/** The values that `--platform` takes. */
export const PLATFORM_NAMES: readonly string[] = [
  ...PLATFORMS.map(({ name }) => name),
  NO_PLATFORM,
];
