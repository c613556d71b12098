import { z } from 'zod';

/** The setting whether response bodies are stored, for types that can send secrets. */
export const SaveResponseBody = z
  .boolean()
  .optional()
  .meta({
    description: [
      'Whether the bodies of responses, and excerpts of them in causes, are kept for incidents.',
      'By default they are kept unless the monitor sends a secret: authentication, headers other than those of content negotiation, a request body, or a URL with a password or a query.',
      'Secrets that a response repeats are masked. They cannot be found if they are encrypted, hashed, compressed or split.',
    ].join(' '),
  });
