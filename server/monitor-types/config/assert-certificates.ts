import { X509Certificate } from 'node:crypto';
import { readClientKey } from '@/server/platform/client-key';
import { invalidField } from '@/server/platform/errors';

const EACH = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns the certificates in a text; null if one of them cannot be read. */
function read(pem: string): X509Certificate[] | null {
  try {
    return (pem.match(EACH) ?? []).map((each) => new X509Certificate(each));
  } catch {
    return null;
  }
}

interface Given {
  caCertificate?: unknown;
  clientCertificate?: unknown;
  clientKey?: unknown;
}

/**
 * Rejects certificates that cannot be read, and a private key of another certificate, before a config is saved. The schemas limit their sizes.
 * @param config may not be validated yet; a masked key is the stored one
 * @throws AppError VALIDATION_ERROR
 */
export function assertCertificates({ caCertificate, clientCertificate, clientKey }: Given): void {
  if (typeof caCertificate === 'string' && caCertificate.length <= 64 * 1024 && !read(caCertificate)) {
    throw invalidField('config.caCertificate', 'A certificate cannot be read. Paste the whole file in PEM form.');
  }
  if (typeof clientCertificate !== 'string' || clientCertificate.length > 64 * 1024) return;
  const [own] = read(clientCertificate) ?? [];
  if (!own) {
    throw invalidField('config.clientCertificate', 'The certificate cannot be read. Paste the whole file in PEM form.');
  }
  if (typeof clientKey !== 'string' || clientKey.length > 64 * 1024 || clientKey.startsWith('•')) return;
  const key = readClientKey(clientKey);
  if (!key) {
    throw invalidField(
      'config.clientKey',
      'Enter an RSA key of at most 4,096 bits, or one of P-256, P-384, P-521, Ed25519 or Ed448, in PEM form without a passphrase.',
    );
  }
  if (!own.checkPrivateKey(key)) {
    throw invalidField('config.clientKey', 'This is not the private key of the client certificate.');
  }
}
