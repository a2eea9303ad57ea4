import { ALERT_CAUSES, CHANNEL_KINDS } from "@catalog/jobs/alert-names";

import type { Command } from "../../context.ts";

/** What the command may do. */
export const ALERT_ACTIONS = ["list", "add", "remove", "test", "check"] as const;

/** What the program gives to the command besides its context. */
export interface AlertParts {
  /** Asks for a secret without showing it; `undefined` where it is cancelled. */
  readonly prompts: { askSecret(question: string): Promise<string | undefined> };
  /** Reads all of the standard input; `undefined` where that is a terminal. */
  readonly readInput: () => Promise<string | undefined>;
}

/** `catalog alerts`: who is told when syncs do not work, rows wait or clocks are off. */
export function createAlertsCommand(parts: AlertParts): Command {
  return {
    name: "alerts",
    positionals: [
      {
        name: "action",
        word: { tr: "işlem", en: "action" },
        required: false,
        choices: ALERT_ACTIONS,
        describe: {
          tr: "list: kanallar ve durumları; add: kanal ekler; remove: kaldırır; test: deneme iletisi gönderir; check: bir kez bakar, haber verir (cron için)",
          en: "list: the channels and how they fare; add, remove: one of them; test: sends a test message; check: looks once and tells (for cron)",
        },
      },
      {
        name: "channel",
        word: { tr: "kanal", en: "channel" },
        required: false,
        describe: {
          tr: `add için türü (${CHANNEL_KINDS.join(", ")}); remove ve test için adı`,
          en: `For add: its kind (${CHANNEL_KINDS.join(", ")}); for remove and test: its name`,
        },
      },
    ],
    describe: {
      tr: "Eşitleme çalışmadığında, satırlar karar beklediğinde, saat şaştığında haber verir: webhook, Slack, e-posta, Telegram",
      en: "Tells you when a sync does not work, rows wait or a clock is off: webhook, Slack, e-mail, Telegram",
    },
    flags: ALERT_FLAGS,
    examples: [
      "alerts add telegram --chat 123456789",
      {
        tr: "alerts add email --smtp smtp.ornek.com:587 --user bilgi@ornek.com --to ayse@ornek.com",
        en: "alerts add email --smtp smtp.example.com:587 --user info@example.com --to ayse@example.com",
      },
      "alerts add slack --auth env:SLACK_URL --causes failed,recovered --quiet-hours 23:00-07:00",
      "alerts test",
      "alerts check --json",
    ],
    run: async (context, flags) =>
      (await import("./run.ts")).runAlertsCommand(context, flags, parts),
  };
}

const ALERT_FLAGS: Command["flags"] = {
  name: {
    type: "string",
    describe: {
      tr: "Kanalın adı; verilmezse türü. Aynı adlı kanalın yerine geçer",
      en: "Name of the channel (default: its kind); one of the same name is replaced",
    },
  },
  causes: {
    type: "string",
    words: ALERT_CAUSES,
    describe: {
      tr: "Haber verilecekler, virgülle: failed (çalışmıyor), recovered (düzeldi), stale (uzun süredir eşitlenmedi), held (satırlar karar bekliyor), clock (saat şaştı), period (zamanı gelen yapılmadı), owner (sorumlusu yok) [varsayılan: hepsi]",
      en: "What to tell, separated by commas: failed, recovered, stale (no good sync for too long), held (rows wait for a decision), clock (a clock is off), period (not done at its time), owner (nobody answers for it) [default: all]",
    },
  },
  repeat: {
    type: "string",
    default: "1h",
    describe: {
      tr: "Süren bir sorun bu arayla yinelenir (en az 1h; 0: bir kez)",
      en: "Repeat trouble that lasts this often (1h at least; 0: once)",
    },
  },
  "quiet-hours": {
    type: "string",
    describe: {
      tr: "Bu saatlerde gönderme, sonra hâlâ gerekiyorsa gönder: 23:00-07:00 (Türkiye saati)",
      en: "Send nothing in these hours, and afterwards what is still needed: 23:00-07:00 (Turkish time)",
    },
  },
  chat: {
    type: "string",
    describe: { tr: "Telegram sohbetinin numarası", en: "Number of the Telegram chat" },
  },
  smtp: {
    type: "string",
    describe: {
      tr: "E-posta sunucusu ve portu (465: TLS, başkası: STARTTLS)",
      en: "Mail server and port (465: TLS, any other: STARTTLS)",
    },
  },
  user: {
    type: "string",
    describe: { tr: "E-posta sunucusundaki kullanıcı", en: "User at the mail server" },
  },
  from: {
    type: "string",
    describe: {
      tr: "Gönderen adres; verilmezse --user",
      en: "Address of the sender (default: --user)",
    },
  },
  to: {
    type: "string",
    many: true,
    describe: { tr: "Alıcının e-posta adresi", en: "E-mail address of the receiver" },
  },
  server: {
    type: "string",
    describe: {
      tr: "Kendi Telegram Bot API sunucunuz",
      en: "Your own server of Telegram's Bot API",
    },
  },
  auth: {
    type: "string",
    describe: {
      tr: "Gizli bilginin olduğu ortam değişkeni: env:AD (webhook ve slack: adres, telegram: bot anahtarı, email: parola)",
      en: "Variable with the secret: env:NAME (webhook, slack: the address; telegram: the bot's token; email: the password)",
    },
  },
  "secret-stdin": {
    type: "boolean",
    describe: {
      tr: "Gizli bilgiyi standart girdiden oku",
      en: "Read the secret from standard input",
    },
  },
  "in-file": {
    type: "boolean",
    describe: {
      tr: "Anahtarlık yerine yalnız sizin okuyabildiğiniz bir dosyada sakla",
      en: "Store the secret in a file that only you can read instead of the keyring",
    },
  },
  unchecked: {
    type: "boolean",
    describe: {
      tr: "Deneme iletisi göndermeden ekle",
      en: "Add it without sending a test message",
    },
  },
};
