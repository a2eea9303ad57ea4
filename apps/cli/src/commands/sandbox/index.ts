import { FAULT_KINDS, listBehaviorSettings } from "@catalog/sandbox/options";

import type { Command } from "../../context.ts";

const BEHAVIOR_LIST = listBehaviorSettings()
  .map(({ name, values }) => `${name}=${values.join("|")}`)
  .join("\n");

const FAULT_LIST = Object.keys(FAULT_KINDS).join(", ");

/** `catalog sandbox`: runs a local marketplace until it is stopped. */
export const sandboxCommand: Command = {
  name: "sandbox",
  positionals: [],
  describe: {
    tr: "Denemek için yerel bir pazaryeri açar; Ctrl-C ile kapanır",
    en: "Opens a local marketplace to try things out; Ctrl-C closes it",
  },
  flags: {
    port: {
      type: "number",
      default: 0,
      describe: { tr: "Port; 0 boş bir port seçer", en: "Port; 0 picks a free one" },
    },
    products: {
      type: "number",
      default: 0,
      describe: { tr: "Mağazadaki hazır ürün sayısı", en: "Products that the store starts with" },
    },
    packages: {
      type: "number",
      describe: {
        tr: "Siparişlerdeki paket sayısı; verilmezse 400 sipariş",
        en: "Packages of its orders; without it, 400 orders",
      },
    },
    questions: {
      type: "number",
      describe: {
        tr: "Müşteri sorusu sayısı; verilmezse 160",
        en: "Questions of its customers; without it, 160",
      },
    },
    "latency-ms": {
      type: "number",
      default: 0,
      describe: { tr: "Her yanıttan önceki bekleme", en: "Wait before every answer" },
    },
    "requests-per-hour": {
      type: "number",
      describe: { tr: "Saatlik istek sınırı", en: "Limit on calls per hour" },
    },
    personality: {
      type: "string",
      many: true,
      describe: {
        tr: `Belirtimin açık bıraktığı bir davranış; ilk değer varsayılandır:\n${BEHAVIOR_LIST}`,
        en: `A behaviour that the specification leaves open; the first value is the default:\n${BEHAVIOR_LIST}`,
      },
    },
    fault: {
      type: "string",
      many: true,
      describe: {
        tr: `Aksaklık, tür[:uç][:rate=…,nth=…,ms=…,status=…]; türler: ${FAULT_LIST}`,
        en: `A fault, kind[:endpoint][:rate=…,nth=…,ms=…,status=…]; kinds: ${FAULT_LIST}`,
      },
    },
    seed: {
      type: "string",
      default: "sandbox",
      describe: {
        tr: "Kimlikler ve aksaklıklar bundan türer; aynısı aynı aksaklıkları verir",
        en: "Credentials and faults follow from it; the same one gives the same faults",
      },
    },
  },
  examples: [
    "sandbox",
    "sandbox --port 4010 --products 500 --json",
    "sandbox --packages 2000 --questions 2000",
    "sandbox --personality auth-error=200 --personality total=this-page",
    "sandbox --fault reset-after:product.add:nth=3 --fault latency:rate=0.1,ms=800",
  ],
  run: async (context, flags) => (await import("./run.ts")).runSandboxCommand(context, flags),
};
