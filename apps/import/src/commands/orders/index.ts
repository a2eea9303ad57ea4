import { ORDER_FLAGS } from "../../action-flags.ts";
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
      choices: [
        "accept",
        "postpone",
        "accept-return",
        "reject-return",
        "as-written",
        "shipping-codes",
      ],
      describe: {
        tr: "Onayla, ertele, iadeyi kabul et ya da reddet, her satırda yazanı yap, kargo kodu al",
        en: "Accept, postpone, accept or reject the return, do what each row says, make shipping codes",
      },
    },
    {
      name: "file",
      word: { tr: "dosya", en: "file" },
      required: false,
      describe: {
        tr: "İşlem sütunu doldurulmuş sipariş dosyası (catalog export orders); yerine --package",
        en: "File of orders with its Action column filled in (catalog export orders), or --package",
      },
    },
  ],
  describe: {
    tr: "Siparişleri toplu onaylar, erteler, iadeleri sonuçlandırır, kargo kodu alır",
    en: "Accepts and postpones orders, decides on returns, makes shipping codes",
  },
  flags: ORDER_FLAGS,
  examples: [
    { tr: "orders accept siparisler.xlsx", en: "orders accept orders.xlsx" },
    {
      tr: 'orders postpone --package 66b1,66b2 --reason "Stok bekleniyor"',
      en: 'orders postpone --package 66b1,66b2 --reason "Waiting for stock"',
    },
    {
      tr: 'orders shipping-codes siparisler.xlsx --company "Örnek Kargo" --yes',
      en: 'orders shipping-codes orders.xlsx --company "Sample Cargo" --yes',
    },
  ],
  run: async (context, flags) => (await import("../../run-actions.ts")).runOrders(context, flags),
  goOn: async (context, flags, broken) =>
    (await import("../resume/run.ts")).goOnAfterTakeOver(context, flags, broken),
};
