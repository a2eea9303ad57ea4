import type { DefaultTexts, IssueText } from "./codes.ts";

const AMBIGUOUS_TR: IssueText = {
  message: "Bu satırda “{field}” boş. Kayıtlı varsayılanı “{value}” ise birden çok ada uyuyor.",
  suggestion: "Uyanlar: {names}. Varsayılanı düzeltin: catalog rules default {command}",
};

/** Turkish texts about default values that name nothing. */
export const DEFAULT_TEXTS_TR: DefaultTexts = {
  "E_MODEL_AMBIGUOUS.default": AMBIGUOUS_TR,
  "E_TEMPLATE_AMBIGUOUS.default": AMBIGUOUS_TR,
  "E_TEMPLATE_UNKNOWN.default": {
    message: "Bu satırda “{field}” boş. Kayıtlı varsayılanı “{value}” ise mağazada yok.",
    suggestion:
      "Varsayılanı düzeltin: catalog rules default {command}\nMağazanın şablonları: catalog lookup templates",
  },
};

const AMBIGUOUS_EN: IssueText = {
  message: "“{field}” is empty here, and its saved default “{value}” fits several names.",
  suggestion: "These fit: {names}. Correct the default: catalog rules default {command}",
};

/** English texts about default values that name nothing. */
export const DEFAULT_TEXTS_EN: DefaultTexts = {
  "E_MODEL_AMBIGUOUS.default": AMBIGUOUS_EN,
  "E_TEMPLATE_AMBIGUOUS.default": AMBIGUOUS_EN,
  "E_TEMPLATE_UNKNOWN.default": {
    message: "“{field}” is empty here, and the store does not have its saved default “{value}”.",
    suggestion:
      "Correct the default: catalog rules default {command}\nThe store's templates: catalog lookup templates",
  },
};
