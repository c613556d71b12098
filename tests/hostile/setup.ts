import { type HostileServer, startHostileServer } from './hostile-server';

/** Printed with every run: the same seed generates the same answers. */
export const SEED = Number(process.env.HOSTILE_SEED ?? 8);

const [server, quiet] = await Promise.all([startHostileServer(SEED), startHostileServer(SEED)]);
// The product reads these addresses once, when it is loaded.
process.env.LINE_API_BASE_URL = `http://127.0.0.1:${server.linePort}`;
// Every case mails the same address.
process.env.MAIL_PER_ADDRESS_PER_DAY = '0';
process.env.SMTP_URL = `smtp://127.0.0.1:${server.mailPort}`;

/** The servers of this run: the hostile ones, and the targets of the quiet team. */
export const servers = globalThis as typeof globalThis & { hostile?: HostileServer; quiet?: HostileServer };
servers.hostile = server;
servers.quiet = quiet;
