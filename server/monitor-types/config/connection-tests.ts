import { z } from 'zod';

/** The setting of connection tests, for types whose checks open a connection. */
export const ConnectionTests = z
  .boolean()
  .optional()
  .meta({
    description: [
      'Whether a connection is opened halfway between two checks of a monitor that is up, with TLS if its checks use it. A connection that fails makes the next check start at once; it changes no status by itself.',
      'It sends no request, so it does not notice error responses. By default on, for monitors without regions and intervals of at least 30 s.',
    ].join(' '),
  });
