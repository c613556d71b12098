import { z } from 'zod';
import type { TlsTrust } from '@/server/platform/net';
import type { FormField } from '../form-field';
import { verifyTlsField } from './login';

const MOST_CHARACTERS = 32 * 1024;
const CERTIFICATES = /^(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** One or more certificates in PEM form (RFC 7468). Whether they can be read is decided by the server's `assertCertificates`. */
export const Certificates = z
  .string()
  .trim()
  .max(MOST_CHARACTERS, `Use at most ${MOST_CHARACTERS / 1024} KiB.`)
  .regex(CERTIFICATES, 'Enter certificates in PEM form, which begin with -----BEGIN CERTIFICATE-----.');

/** The settings for certificates of servers that public authorities have not issued. */
export const ownTrustShape = {
  caCertificate: Certificates.optional().meta({
    description:
      'The certificates of the authorities that are trusted instead of the public ones, in PEM form: for an internal authority, or a self-signed certificate.',
  }),
  certificatePin: z
    .string()
    .trim()
    .regex(/^(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$/, 'Enter the SHA-256 fingerprint: 64 hexadecimal digits.')
    .optional()
    .meta({
      description:
        'The SHA-256 fingerprint that the certificate of the server must have, with or without colons. Also compared with `verifyTls` false, so that it alone decides.',
    }),
};

/** `ownTrustShape` with `verifyTls`, for types that verify by default. */
export const trustShape = {
  verifyTls: z.boolean().optional().meta({
    description: 'Whether the certificate must be issued by a trusted authority for this name. By default true.',
  }),
  ...ownTrustShape,
};

export interface TrustConfig {
  verifyTls?: boolean | undefined;
  caCertificate?: string | undefined;
  certificatePin?: string | undefined;
}

/** Returns which certificates a connection of a check accepts. */
export const toTrust = ({ verifyTls = true, caCertificate: ca, certificatePin: pin }: TrustConfig): TlsTrust => ({
  verify: verifyTls,
  ca,
  pin,
});

type Shown = Pick<FormField, 'when'>;

/** Returns the form fields of `ownTrustShape`, which exist only in some cases if `shown` has a condition. */
export const ownTrustFields = (shown: Shown = {}) =>
  ({
    caCertificate: {
      label: 'CA certificate',
      kind: 'multiline',
      group: 'advanced',
      optional: true,
      placeholder: '-----BEGIN CERTIFICATE-----',
      help: 'In PEM form. Trusted instead of the public authorities.',
      ...shown,
    },
    certificatePin: {
      label: 'Pinned certificate',
      kind: 'text',
      group: 'advanced',
      optional: true,
      mono: true,
      help: 'The SHA-256 fingerprint that the certificate must have.',
      ...shown,
    },
  }) satisfies Record<string, FormField>;

/** Returns the form fields of `trustShape`. */
export const trustFields = (shown: Shown = {}) =>
  ({
    verifyTls: {
      ...verifyTlsField,
      kind: 'select',
      options: [
        { value: undefined, label: 'Default: on' },
        { value: false, label: 'Off' },
      ],
      ...shown,
    },
    ...ownTrustFields(shown),
  }) satisfies Record<string, FormField>;
