/** The words of `catalog alerts`. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";

interface AlertTexts {
  readonly none: string;
  readonly causes: (causes: readonly string[], repeatMs: number) => string;
  readonly quiet: (hours: string) => string;
  readonly arrived: (time: string) => string;
  readonly failing: (time: string, reason: string, name: string) => string;
  readonly untried: (name: string) => string;
  readonly stuck: (name: string) => string;
  readonly waiting: (count: number) => string;
  readonly secrets: Readonly<Record<"webhook" | "slack" | "email" | "telegram", string>>;
  readonly givenUp: string;
  readonly noKeyring: string;
  readonly added: (name: string, isTried: boolean) => string;
  readonly notAdded: (reason: string) => string;
  readonly tested: (name: string, reason: string | null) => string;
  readonly removed: (name: string) => string;
  readonly nothingOpen: string;
  readonly told: (sent: number, failed: number) => string;
}

const HOUR_MS = 3_600_000;

const WORDS: Readonly<Record<Lang, AlertTexts>> = {
  tr: {
    none: "Uyarı kanalı yok: bir eşitleme çalışmadığında kimseye haber verilmez. Eklemek için: catalog alerts add telegram --chat NUMARA",
    causes: (causes, repeatMs) =>
      `Haber verilenler: ${causes.join(", ")}; süren sorun ${repeatMs === 0 ? "bir kez" : `${formatNumber(repeatMs / HOUR_MS, "tr")} saatte bir`}`,
    quiet: (hours) => `Sessiz saatler: ${hours}`,
    arrived: (time) => `Son ulaşan ileti: ${time}`,
    failing: (time, reason, name) =>
      `ÇALIŞMIYOR: ${time} tarihindeki ileti ulaşmadı: ${reason}. Sonra deneyin: catalog alerts test ${name}`,
    untried: (name) => `Henüz bir ileti gönderilmedi; deneyin: catalog alerts test ${name}`,
    stuck: () =>
      "ÇALIŞMIYOR: iletiler bekliyor, gönderen program yok: catalog worker, açık sayfa ya da catalog alerts check",
    waiting: (count) => `Gönderilmeyi bekleyen ileti: ${formatNumber(count, "tr")}`,
    secrets: {
      webhook: "İletilerin gönderileceği adres (https)",
      slack: "Slack'in verdiği adres (Incoming Webhook, https)",
      email: "E-posta sunucusunun parolası",
      telegram: "Botun anahtarı (BotFather'ın verdiği)",
    },
    givenUp: "Vazgeçildi; hiçbir şey saklanmadı.",
    noKeyring:
      "Uyarı: sistem anahtarlığı kullanılamıyor; gizli bilgi yalnızca sizin okuyabildiğiniz bir dosyada.",
    added: (name, isTried) =>
      isTried
        ? `Tamam: deneme iletisi ulaştı, kanal eklendi: ${name}`
        : `Kanal denenmeden eklendi: ${name}. Deneyin: catalog alerts test ${name}`,
    notAdded: (reason) =>
      `Deneme iletisi ulaşmadı: ${reason}. Kanal eklenmedi; denemeden eklemek için --unchecked.`,
    tested: (name, reason) =>
      reason === null
        ? `${name}: deneme iletisi ulaştı.`
        : `${name}: deneme iletisi ulaşmadı: ${reason}.`,
    removed: (name) => `Kanal kaldırıldı: ${name}`,
    nothingOpen: "Sizi bekleyen bir şey yok.",
    told: (sent, failed) =>
      `Ulaşan ileti: ${formatNumber(sent, "tr")}${failed > 0 ? `; ulaşmayan: ${formatNumber(failed, "tr")} (catalog alerts list)` : ""}`,
  },
  en: {
    none: "There is no channel for alerts: nobody is told when a sync does not work. To add one: catalog alerts add telegram --chat NUMBER",
    causes: (causes, repeatMs) =>
      `Tells: ${causes.join(", ")}; trouble that lasts ${repeatMs === 0 ? "once" : `every ${formatNumber(repeatMs / HOUR_MS, "en")} h`}`,
    quiet: (hours) => `Quiet hours: ${hours}`,
    arrived: (time) => `Last message that arrived: ${time}`,
    failing: (time, reason, name) =>
      `DOES NOT WORK: the message of ${time} did not arrive: ${reason}. Then try: catalog alerts test ${name}`,
    untried: (name) => `No message was sent yet; try: catalog alerts test ${name}`,
    stuck: () =>
      "DOES NOT WORK: messages wait, and no program sends them: catalog worker, an open page or catalog alerts check",
    waiting: (count) => `Messages to be sent: ${formatNumber(count, "en")}`,
    secrets: {
      webhook: "Address to which messages are posted (https)",
      slack: "Address that Slack has given (incoming webhook, https)",
      email: "Password of the mail server",
      telegram: "Token of the bot (BotFather gives it)",
    },
    givenUp: "Given up; nothing was stored.",
    noKeyring:
      "Warning: the system's keyring cannot be used; the secret is in a file that only you can read.",
    added: (name, isTried) =>
      isTried
        ? `Done: the test message arrived, and the channel is added: ${name}`
        : `The channel is added; it was not tried: ${name}. Try: catalog alerts test ${name}`,
    notAdded: (reason) =>
      `The test message did not arrive: ${reason}. The channel was not added; --unchecked adds it untried.`,
    tested: (name, reason) =>
      reason === null
        ? `${name}: the test message arrived.`
        : `${name}: the test message did not arrive: ${reason}.`,
    removed: (name) => `The channel is removed: ${name}`,
    nothingOpen: "Nothing waits for you.",
    told: (sent, failed) =>
      `Messages that arrived: ${formatNumber(sent, "en")}${failed > 0 ? `; that did not: ${formatNumber(failed, "en")} (catalog alerts list)` : ""}`,
  },
};

const REFUSALS = {
  noKind: {
    tr: "Kanalın türünü yazın: catalog alerts add webhook, slack, email ya da telegram.",
    en: "Give the kind of channel: catalog alerts add webhook, slack, email or telegram.",
  },
  badSecret: {
    tr: "--auth gizli bilgiyi değil, olduğu ortam değişkenini alır: env:AD.",
    en: "--auth takes the variable that has the secret and not the secret: env:NAME.",
  },
  secretFromTerminal: {
    tr: "--secret-stdin bir dosyadan ya da başka bir komuttan okur; terminalde yazılanı gösterirdi. Terminalde bu seçeneği kullanmayın.",
    en: "--secret-stdin reads from a file or another command; a terminal would show what is typed. Leave it out on a terminal.",
  },
  needsTerminal: {
    tr: "Soru sorulabilecek bir terminal yok. Gizli bilgiyi --auth env:AD ya da --secret-stdin ile verin.",
    en: "There is no terminal to ask on. Give the secret with --auth env:NAME or --secret-stdin.",
  },
  noName: {
    tr: "Kaldırılacak kanalın adını yazın; adları: catalog alerts list",
    en: "Give the name of the channel to remove; the names: catalog alerts list",
  },
  noChannels: {
    tr: "Uyarı kanalı yok. Eklemek için: catalog alerts add telegram --chat NUMARA",
    en: "There is no channel for alerts. To add one: catalog alerts add telegram --chat NUMBER",
  },
  unknown: (name: string): Localized => ({
    tr: `"${name}" adlı bir kanal yok; adları: catalog alerts list`,
    en: `There is no channel "${name}"; the names: catalog alerts list`,
  }),
} as const;

export const alertTexts: Readonly<Record<Lang, AlertTexts>> & typeof REFUSALS = {
  ...WORDS,
  ...REFUSALS,
};
