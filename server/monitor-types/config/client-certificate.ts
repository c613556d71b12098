import { z } from 'zod';
import type { FormField } from '../form-field';
import { Certificates } from './tls-trust';

const KEY = /^-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----$/;
const MASK = /^••••.{0,4}$/su;

/** The certificate with which a client authenticates (mutual TLS), and its private key. */
export const clientCertificateShape = {
  clientCertificate: Certificates.optional().meta({
    description:
      'The certificate with which the check authenticates (mutual TLS), followed by its intermediates, in PEM form. Presented to the origin of the URL only.',
  }),
  clientKey: z
    .string()
    .trim()
    .max(8 * 1024, 'Use at most 8 KiB.')
    .refine(
      (text) => KEY.test(text) || MASK.test(text),
      'Enter a private key in PEM form without a passphrase, which begins with -----BEGIN PRIVATE KEY-----.',
    )
    .optional()
    .meta({
      description:
        'The private key of `clientCertificate`, in PEM form without a passphrase: RSA up to 4,096 bits, P-256, P-384, P-521, Ed25519 or Ed448.',
    }),
};

interface ClientCertificate {
  url: string;
  certificatePin?: string | undefined;
  clientCertificate?: string | undefined;
  clientKey?: string | undefined;
}

/** Rejects a client certificate without its key, a key without its certificate, and settings that have no effect without TLS. */
export function assertClientCertificate(config: ClientCertificate, ctx: z.RefinementCtx): void {
  const { url, clientCertificate, clientKey } = config;
  const issue = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
  if (clientCertificate !== undefined && clientKey === undefined) {
    issue('clientKey', 'Enter the private key of the client certificate.');
  }
  if (clientKey !== undefined && clientCertificate === undefined) {
    issue('clientCertificate', 'Enter the certificate of this private key.');
  }
  for (const field of ['certificatePin', 'clientCertificate'] as const) {
    if (/^http:/i.test(url) && config[field] !== undefined)
      issue(field, 'Only for https:// URLs. Remove it, or change the URL.');
  }
}

export const clientCertificateFields = {
  clientCertificate: {
    label: 'Client certificate',
    kind: 'multiline',
    group: 'advanced',
    optional: true,
    placeholder: '-----BEGIN CERTIFICATE-----',
    help: 'For servers that require mutual TLS. In PEM form.',
  },
  clientKey: {
    label: 'Private key of the client certificate',
    kind: 'multiline',
    group: 'advanced',
    optional: true,
    placeholder: '-----BEGIN PRIVATE KEY-----',
    help: 'In PEM form, without a passphrase. Stored encrypted.',
  },
} satisfies Record<string, FormField>;
