/** Names of the API's fields in texts of the marketplace. */

import { fieldLabel } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";

const API_NAME = /\b[a-z]{2,20}(?:_[a-z]{1,20}){1,3}\b/gu;

/** Replaces the names of fields by their labels; other words stay. */
export const nameFields = (text: string, lang: Lang): string =>
  text.replaceAll(API_NAME, (name) => fieldLabel(name, lang));
