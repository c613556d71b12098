import { allIn } from '../../convert/all-in';
import { type Converted, toInterval, toTimeout } from '../../convert/conversion';
import { nameOfAddress } from '../../convert/name';
import { toPlain } from '../../convert/plain';
import { numberOf, type Row, textOf, verbatimOf } from '../../convert/rows';
import { cut, type DraftBuilder, NotCarriedOver } from '../../draft';

const OTHER = 'This file is not a list of checks of Freshping: it has no results.';
const DEFAULT_SECONDS = 60;
const PAUSED = 'PS';

/**
 * Returns the message that a socket check sends, and the text that the answer must contain.
 * @throws NotCarriedOver
 */
function exchangeOf(row: Row, type: string): { send?: string; expect?: string } {
  const send = verbatimOf(row, 'command_string');
  const expect = verbatimOf(row, 'success_string');
  if (verbatimOf(row, 'error_string') !== '') {
    throw new NotCarriedOver('A text that the answer must not contain is not supported.');
  }
  if (send === '' && expect === '') return {};
  if (type !== 'tcp') throw new NotCarriedOver('Texts of a socket are not supported for this type.');
  if (expect === '') throw new NotCarriedOver('A message without an expected answer is not supported.');
  return { ...(send && { send }), expect };
}

function toMonitor(row: Row): Converted {
  const notes: string[] = [];
  const seconds = numberOf(row, 'request_timeout');
  const timeout = seconds === null ? {} : { timeoutMs: toTimeout(1_000 * seconds, notes) };
  const { type, config, notes: more } = toPlain('', { address: textOf(row, 'url'), ...timeout });
  const username = textOf(row, 'basic_auth_username');
  const auth = { kind: 'basic', username, password: verbatimOf(row, 'basic_auth_password') };
  return {
    type,
    config: { ...config, ...exchangeOf(row, type), ...(type === 'http' && username !== '' && { auth }) },
    notes: [...notes, ...more],
  };
}

/** Reads the checks of Freshping, as version 1 of its API lists them. */
export function readFreshping(file: Buffer, builder: DraftBuilder): void {
  // All accounts share one sequence of IDs, so that IDs are unique without the account.
  builder.draft.instance = 'account';
  for (const row of allIn(file, builder, ['results'], OTHER)) {
    const url = textOf(row, 'url');
    const name = cut(textOf(row, 'name'), 120) || nameOfAddress(url) || 'Check';
    const [, from = 'check'] = /^([a-z]{1,20}):/i.exec(url) ?? [];
    builder.addMonitor({ key: cut(textOf(row, 'id'), 40), name, from }, () => {
      const { notes, ...typed } = toMonitor(row);
      const intervalSeconds = toInterval(numberOf(row, 'monitoring_interval') || DEFAULT_SECONDS, notes);
      const input = { ...typed, name, intervalSeconds, isActive: textOf(row, 'status') !== PAUSED };
      return { input, notes };
    });
  }
  builder.draft.notes.push(
    'Alert contacts are not carried over: each monitor alerts all channels of the team.',
    'Request headers, expected status codes, performance thresholds, status pages and history are not in the file.',
  );
}
