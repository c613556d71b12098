// npm run admin: operator commands on the server. Bundled, and started by scripts/admin.mjs.
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { createResetLink, setPasswordOf } from './reset-password';

const USAGE = 'Usage: npm run admin -- reset-password <email address> [--password-stdin]';

/**
 * Runs the command and returns its output.
 * @throws AppError
 */
async function run(args: string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'password-stdin': { type: 'boolean', default: false } },
  });
  const [command, address, ...rest] = positionals;
  if (command !== 'reset-password' || !address || rest.length > 0) throw new AppError('VALIDATION_ERROR', USAGE);
  if (!values['password-stdin']) {
    const { email, url, expiresAt } = await createResetLink(address);
    return `${email} can choose a new password once, until ${expiresAt.toISOString()}:\n${url}`;
  }
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  const { email } = await setPasswordOf(address, password);
  return `The password of ${email} is set, and all of its sessions are signed out.`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.issues?.[0]?.message ?? error.message;
  const { code } = error as { code?: unknown };
  if (String(code).startsWith('ERR_PARSE_ARGS')) return USAGE;
  return error instanceof Error ? error.message : String(error);
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
} finally {
  await db.$disconnect();
}
