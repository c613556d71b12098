// Our rules for certificates, through the function that a check's certificate is decided with.

import { type CertificateState, watchCertificate } from '@/server/checks/verdict/certificate';
import { nextDue, phaseMs } from '@/server/time/phase';
import { DAY_MS } from '@/server/time/schema';
import { atOf, dateAt } from './account';
import type { Alert, Replayed } from './replay';
import { type Reader, SECOND, type Trace } from './traces';

const WARN_DAYS = 14;

function certificate(validDays: number) {
  const [validFrom, validTo] = [dateAt((validDays - 90) * DAY_MS), dateAt(validDays * DAY_MS)];
  return { subject: 'CN=example.com', issuer: 'CN=Authority', validFrom, validTo };
}
const OLD = certificate(10);
const NEW = certificate(80);

/** Replays the certificate checks of a trace. Every check sees a certificate, and a warning counts as an alert. */
export function replayCertificates(trace: Trace, reader: Reader, intervalSeconds: number): Replayed {
  const alerts: Alert[] = [];
  let state: CertificateState = { certificate: null, certificateWarned: false };
  const phase = { monitorNum: 1, intervalSeconds };
  for (let at = phaseMs(phase); at < trace.ms; at = atOf(nextDue(phase, dateAt(at)))) {
    const { isOldCertificate, tookMs } = reader.see(at, 0);
    const observation = { certificate: isOldCertificate ? OLD : NEW, outcome: 'ok' as const };
    const { state: next, change } = watchCertificate(
      state,
      observation,
      WARN_DAYS,
      dateAt(at),
      intervalSeconds * SECOND,
    );
    state = next;
    if (change) alerts.push({ kind: change.kind === 'warn' ? 'down' : 'up', at: at + tookMs, checkedAt: at });
  }
  return { alerts, down: trace.outages, unknown: [] };
}
