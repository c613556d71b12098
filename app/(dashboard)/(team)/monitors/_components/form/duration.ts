const units: Record<string, number> = { ms: 1, s: 1000, sec: 1000, min: 60_000, m: 60_000, h: 3_600_000 };

/** Parses a duration with a unit ("800 ms", "0.5 s", "1 min", "2 h") to milliseconds. Null for an empty text, NaN for an invalid one. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(trimmed) ?? [];
  const factor = units[unit.toLowerCase()];
  return amount === undefined || factor === undefined ? Number.NaN : Math.round(Number(amount) * factor);
}

/** Formats a duration for the field: "800 ms", "1.5 s", "60 s", "10 min". `parseDuration` returns the same milliseconds. */
export function writeDuration(ms: number | undefined): string {
  if (ms === undefined) return '';
  if (ms > 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1000 && ms % 100 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
