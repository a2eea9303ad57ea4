/** Says the times of a cron pattern in words; a pattern that has none stands as it is. */

import type { Lang } from "@catalog/i18n";

interface Words {
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly hourly: string;
  readonly hourlyAt: (minute: string) => string;
  readonly daily: (time: string) => string;
  readonly weekdays: (time: string) => string;
  readonly other: (pattern: string) => string;
}

const WORDS: Readonly<Record<Lang, Words>> = {
  tr: {
    minutes: (count) => (count === 1 ? "Her dakika" : `${count} dakikada bir`),
    hours: (count) => `${count} saatte bir`,
    hourly: "Saatte bir",
    hourlyAt: (minute) => `Her saat, :${minute} geçe`,
    daily: (time) => `Her gün ${time}`,
    weekdays: (time) => `Hafta içi her gün ${time}`,
    other: (pattern) => `Kendi deseni: ${pattern}`,
  },
  en: {
    minutes: (count) => (count === 1 ? "Every minute" : `Every ${count} minutes`),
    hours: (count) => `Every ${count} hours`,
    hourly: "Every hour",
    hourlyAt: (minute) => `Every hour at :${minute}`,
    daily: (time) => `Every day at ${time}`,
    weekdays: (time) => `Monday to Friday at ${time}`,
    other: (pattern) => `Own pattern: ${pattern}`,
  },
};

const STEP = /^\*\/(?<step>\d{1,2})$/u;
const EVERY_DAY = "* * *";
const NUMBER = /^\d{1,2}$/u;

/** Returns the words, such as “15 dakikada bir”. */
export function describeTimes(cron: string, lang: Lang): string {
  const words = WORDS[lang];
  const [minute = "", hour = "", ...days] = cron.trim().split(/\s+/u);
  if (cron.trim() === "@hourly") return words.hourly;
  if (days.join(" ") === EVERY_DAY && hour === "*") {
    const found = describeMinutes(minute, words);
    if (found !== undefined) return found;
  }
  return describeHours({ minute, hour, days: days.join(" ") }, words) ?? words.other(cron.trim());
}

function describeMinutes(minute: string, words: Words): string | undefined {
  if (minute === "*") return words.minutes(1);
  // 40 is no divisor of an hour, so that the times are not 40 minutes apart.
  const step = Number(STEP.exec(minute)?.groups?.["step"] ?? 0);
  if (step > 0 && 60 % step === 0) return words.minutes(step);
  if (!NUMBER.test(minute)) return undefined;
  return Number(minute) === 0 ? words.hourly : words.hourlyAt(minute.padStart(2, "0"));
}

interface CronParts {
  readonly minute: string;
  readonly hour: string;
  readonly days: string;
}

function describeHours({ minute, hour, days }: CronParts, words: Words): string | undefined {
  if (!NUMBER.test(minute)) return undefined;
  if (STEP.test(hour)) return describeHourStep({ minute, hour, days }, words);
  if (!NUMBER.test(hour)) return undefined;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (days === EVERY_DAY) return words.daily(time);
  return days === "* * 1-5" ? words.weekdays(time) : undefined;
}

function describeHourStep({ minute, hour, days }: CronParts, words: Words): string | undefined {
  const step = Number(STEP.exec(hour)?.groups?.["step"]);
  const isEven = Number(minute) === 0 && days === EVERY_DAY && 24 % step === 0;
  return isEven ? words.hours(step) : undefined;
}
