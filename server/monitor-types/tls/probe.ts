import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import type { Observation, SeenCertificate } from '@/server/monitor-types/probing/observation';
import type { TlsConfig } from '@/server/monitor-types/schema';
import type { DialTarget } from '@/server/platform/net';
import { toTrust } from '../config/tls-trust';

const day = (date: Date) => date.toISOString().slice(0, 10);

/** Returns the error of a rejected certificate as a failure that states the date or the name in question; other errors unchanged. */
function refusalOf(error: unknown, certificate: SeenCertificate | null, name: string): unknown {
  if (!certificate || certificate === 'unreadable' || !(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'CERT_HAS_EXPIRED':
      return certificate.validTo < new Date()
        ? new TargetFailure(`Certificate expired on ${day(certificate.validTo)}`)
        : new TargetFailure('A certificate of the chain has expired');
    case 'CERT_NOT_YET_VALID':
      return new TargetFailure(`Certificate not valid before ${day(certificate.validFrom)}`);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return new TargetFailure(`Certificate is not for ${name}, but for ${certificate.subject || 'another name'}`);
    default:
      return error;
  }
}

export function tlsTarget({ host, port, serverName: name = host, ...trust }: TlsConfig): DialTarget {
  return { host, port, family: 0, tls: { ...toTrust(trust), name } };
}

/**
 * Makes a TLS handshake (RFC 8446, RFC 5246) that verifies, unless the config says otherwise, the chain by the trusted roots and the name by
 * `serverName` (RFC 9525). `evaluate` judges the remaining days. Rejects only if the signal aborts.
 */
export async function observeTls(config: TlsConfig, options: ObserveOptions): Promise<Observation> {
  const attempt = new Attempt(config.timeoutMs, options);
  const { host, serverName: name = host } = config;
  return attempt.observe(async () => {
    try {
      await dial(tlsTarget(config), attempt);
    } catch (error) {
      throw refusalOf(error, attempt.certificate, name);
    }
    return {};
  });
}
