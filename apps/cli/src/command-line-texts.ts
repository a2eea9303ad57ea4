/** What the program says about a command line that it does not understand. */

import type { Lang } from "@catalog/i18n";

export interface CommandLineTexts {
  readonly missingCommand: string;
  readonly unknownCommand: (word: string, near: string | undefined) => string;
  readonly unknownFlag: (flag: string, near: string | undefined) => string;
  /** `takers`: the commands that take it. */
  readonly foreignFlag: (flag: string, command: string, takers: readonly string[]) => string;
  /** `way`: the command that does it, with its words. */
  readonly otherWay: (flag: string, command: string, way: string) => string;
  /** Where one is given that chooses a store. */
  readonly noStoreFlag: (flag: string) => string;
  readonly missingFlagValue: (flag: string, choices: string) => string;
  /** `isList`: one value may hold several words. */
  readonly repeatedFlag: (flag: string, isList: boolean) => string;
  readonly badFlagValue: (flag: string, value: string) => string;
  readonly badWord: (what: string, value: string) => string;
  readonly didYouMean: (near: string) => string;
  readonly choices: (choices: string) => string;
  readonly missingWord: (word: string) => string;
  readonly extraWord: (word: string) => string;
  readonly example: (line: string) => string;
  readonly seeHelp: string;
  readonly seeCommand: (name: string) => string;
}

/** More commands than these tell no more. */
const MAX_TAKERS = 3;

const listTakers = (names: readonly string[]): string =>
  names.slice(0, MAX_TAKERS).join(", ") + (names.length > MAX_TAKERS ? ", …" : "");

const TURKISH: CommandLineTexts = {
  missingCommand: "Hangi komut?",
  unknownCommand: (word, near) =>
    `“${word}” diye bir komut yok.${near === undefined ? "" : ` “${near}” mi demek istediniz?`}`,
  unknownFlag: (flag, near) =>
    `${flag} diye bir seçenek yok.${near === undefined ? "" : ` ${near} mi demek istediniz?`}`,
  noStoreFlag: (flag) =>
    `${flag} diye bir seçenek yok. Her mağazanın klasörü ve oturumu ayrıdır; mağazayı CATALOG_HOME seçer: CATALOG_HOME=KLASÖR ile bir kez “catalog login”, sonra aynı klasörle öteki komutlar.`,
  foreignFlag: (flag, command, takers) =>
    takers.length === 1
      ? `“${command}” komutunda ${flag} yok, “${takers[0]}” komutunda var. ${flag} yazmadan deneyin ya da o komutu kullanın.`
      : `“${command}” komutunda ${flag} yok; şu komutlarda var: ${listTakers(takers)}. ${flag} yazmadan deneyin ya da onlardan birini kullanın.`,
  otherWay: (flag, command, way) =>
    `“${command}” komutunda ${flag} yok. Bunun için: catalog ${way}`,
  missingFlagValue: (flag, choices) => `${flag} için bir değer yazın${choices}.`,
  repeatedFlag: (flag, isList) =>
    `${flag} birden çok kez verilmiş; bir kez verin${isList ? ", değerleri virgülle ayırarak" : ""}.`,
  badFlagValue: (flag, value) => `${flag} için “${value}” geçerli değil.`,
  badWord: (what, value) => `“${value}” diye bir ${what} yok.`,
  didYouMean: (near) => `“${near}” mi demek istediniz?`,
  choices: (choices) => `Yazılabilecekler: ${choices}.`,
  missingWord: (word) => `Hangi ${word}?`,
  extraWord: (word) =>
    `“${word}” fazladan yazılmış. İçinde boşluk olan bir ad ya da değer tırnak içinde yazılır.`,
  example: (line) => `Örnek: catalog ${line}`,
  seeHelp: "Bütün komutlar için: catalog --help",
  seeCommand: (name) => `Bütün seçenekler için: catalog ${name} --help`,
};

const ENGLISH: CommandLineTexts = {
  missingCommand: "Which command?",
  unknownCommand: (word, near) =>
    `There is no command “${word}”.${near === undefined ? "" : ` Did you mean “${near}”?`}`,
  unknownFlag: (flag, near) =>
    `There is no option ${flag}.${near === undefined ? "" : ` Did you mean ${near}?`}`,
  noStoreFlag: (flag) =>
    `There is no option ${flag}. Each store has its own folder and login, and CATALOG_HOME chooses the store: “catalog login” once with CATALOG_HOME=FOLDER, then the other commands with the same folder.`,
  foreignFlag: (flag, command, takers) =>
    takers.length === 1
      ? `“${command}” does not take ${flag}, but “${takers[0]}” does. Leave ${flag} out here, or use that command.`
      : `“${command}” does not take ${flag}; these commands do: ${listTakers(takers)}. Leave ${flag} out here, or use one of them.`,
  otherWay: (flag, command, way) => `“${command}” does not take ${flag}. For that: catalog ${way}`,
  missingFlagValue: (flag, choices) => `${flag} needs a value${choices}.`,
  repeatedFlag: (flag, isList) =>
    `${flag} is given more than once; give it once${isList ? ", with commas between its values" : ""}.`,
  badFlagValue: (flag, value) => `“${value}” is not a value of ${flag}.`,
  badWord: (what, value) => `There is no ${what} “${value}”.`,
  didYouMean: (near) => `Did you mean “${near}”?`,
  choices: (choices) => `It may be: ${choices}.`,
  missingWord: (word) => `Which ${word}?`,
  extraWord: (word) =>
    `“${word}” is one word too many. A name or value with blanks is written in quotes.`,
  example: (line) => `Example: catalog ${line}`,
  seeHelp: "For all commands: catalog --help",
  seeCommand: (name) => `For all options: catalog ${name} --help`,
};

/** The texts of a language. */
export const commandLineTexts = (lang: Lang): CommandLineTexts =>
  lang === "tr" ? TURKISH : ENGLISH;
