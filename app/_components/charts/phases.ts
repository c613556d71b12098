import type { Check, MonitorDetail } from '@/server/monitor-types/schema';

export type Phase = MonitorDetail['phases'][number]['phase'];

/** In the order they happen. */
export const phases: Phase[] = ['dns', 'connect', 'tls', 'firstByte', 'download'];

export const phaseWords: Record<Phase, string> = {
  dns: 'DNS',
  connect: 'Connect',
  tls: 'TLS',
  firstByte: 'First byte',
  download: 'Download',
};

export const phaseFill: Record<Phase, string> = {
  dns: 'bg-chart-dns',
  connect: 'bg-chart-connect',
  tls: 'bg-chart-tls',
  firstByte: 'bg-chart-first-byte',
  download: 'bg-chart-download',
};

/** A check's timings by phase in ms; null for a phase that did not happen. */
export function phaseTimes({ timings }: Pick<Check, 'timings'>): Record<Phase, number | null> {
  const { dnsMs, connectMs, tlsMs, firstByteMs, downloadMs } = timings;
  return { dns: dnsMs, connect: connectMs, tls: tlsMs, firstByte: firstByteMs, download: downloadMs };
}

/** The sum of all phases in ms; null if none happened. */
export function totalOf(times: Record<Phase, number | null>): number | null {
  const known = phases.map((phase) => times[phase]).filter((time) => time !== null);
  return known.length > 0 ? known.reduce((total, time) => total + time, 0) : null;
}

/** The start and length of each phase's bar as fractions of the sum; the bars follow each other. */
export function waterfall(times: Record<Phase, number | null>): Record<Phase, { left: number; width: number } | null> {
  const total = phases.reduce((sum, phase) => sum + (times[phase] ?? 0), 0) || 1;
  let before = 0;
  const bar = (phase: Phase) => {
    const time = times[phase];
    if (time === null) return null;
    const left = before / total;
    before += time;
    return { left, width: time / total };
  };
  return {
    dns: bar('dns'),
    connect: bar('connect'),
    tls: bar('tls'),
    firstByte: bar('firstByte'),
    download: bar('download'),
  };
}
