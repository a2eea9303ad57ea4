/** Replaces what differs from run to run by text of the same length, so that lines stay the same. */

/** Ids of runs are numbered in the order in which they were seen. */
export function createNeutralizer(): (text: string) => string {
  const runs = new Map<string, string>();
  const nameRun = (id: string): string => {
    const known = runs.get(id);
    if (known !== undefined) return known;
    const name = `r-260131-0930-${String(runs.size + 1).padStart(4, "0")}`;
    runs.set(id, name);
    return name;
  };
  return (text) =>
    text
      .replaceAll(/\br-\d{6}-\d{4}-[0-9a-f]{4}\b/gu, nameRun)
      // The commit is that of the checkout; an archive of the sources has none.
      .replaceAll(/(catalog \d[\w.-]+)(?: \([\da-f]{8}\))?, Node\s+/gu, "$1, Node ")
      // How often new products are looked for depends on how long sending takes.
      .replaceAll(
        /\d+( in all \(0 logins, )\d+( reads, [1-9])/gu,
        (_, logins: string, reads: string) => `10${logins}10${reads}`,
      )
      .replaceAll(
        /(toplam )\d+( istek \(0 oturum, )\d+( okuma, [1-9])/gu,
        (_, all: string, logins: string, reads: string) => `${all}10${logins}10${reads}`,
      )
      .replaceAll(/(127\.0\.0\.1:)\d+/gu, (_, host: string) => `${host}12345`)
      .replaceAll(/\d{2}\.\d{2}\.20\d{2}/gu, "31.01.2026")
      .replaceAll(/20\d{2}-\d{2}-\d{2}/gu, "2026-01-31")
      .replaceAll(/\b\d{2}:\d{2}(?::\d{2})?\b/gu, (time) => "09:30:00".slice(0, time.length))
      // The parts of a database are ordered by size, which is not the same everywhere.
      .replaceAll(/^(✓ (?:Boyut|Size)\s).+\n(?: {2,}.+\n)*/gmu, "$1…\n")
      .replaceAll(/\b[\d.,]+ ([KMGT]?B)(?![\p{L}])/gu, "1 $1")
      .replaceAll(/ · [\d.,]+ (satır|ad|sayfa|kod|rows|names|pages|codes)\/(sn|s)\b/gu, "")
      .replaceAll(
        /\b\d+(?:[.,]\d+)?( (?:sn|s|ms|saniye|seconds?))(?![\p{L}])/gu,
        (_, unit: string) => (unit === " second" ? "1 seconds" : `1${unit}`),
      );
}
