import { ACTION_FLAGS } from "../../action-flags.ts";
import type { Command } from "../../context.ts";

/** `catalog orders WHAT FILE`: decides on the packages of a filled-in export. */
export const ordersCommand: Command = {
  name: "orders",
  isPatient: true,
  positionals: [
    {
      name: "what",
      word: { tr: "işlem", en: "action" },
      required: true,
      choices: ["accept", "postpone", "accept-return", "reject-return", "shipping-codes"],
      describe: {
        tr: "Onayla, ertele, iadeyi kabul et ya da reddet, kargo kodu al",
        en: "Accept, postpone, accept or reject the return, make shipping codes",
      },
    },
    {
      name: "file",
      word: { tr: "dosya", en: "file" },
      required: true,
      describe: {
        tr: "İşlem sütunu doldurulmuş sipariş dosyası (catalog export orders)",
        en: "File of orders with its Action column filled in (catalog export orders)",
      },
    },
  ],
  describe: {
    tr: "Siparişleri toplu onaylar, erteler, iadeleri sonuçlandırır, kargo kodu alır",
    en: "Accepts and postpones orders, decides on returns, makes shipping codes",
  },
  flags: ACTION_FLAGS,
  examples: [
    { tr: "orders accept siparisler.xlsx", en: "orders accept orders.xlsx" },
    { tr: "orders postpone siparisler.xlsx --plan", en: "orders postpone orders.xlsx --plan" },
    {
      tr: "orders shipping-codes siparisler.xlsx --yes --json",
      en: "orders shipping-codes orders.xlsx --yes --json",
    },
  ],
  run: async (context, flags) => (await import("../../run-actions.ts")).runOrders(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("../resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};
