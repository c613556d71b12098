import { createHash, type Hash } from 'node:crypto';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { extract, pack } from 'tar-stream';
import { OwnError } from '../own-error';

/** An archive cannot be written or restored; one displayable line. */
export class BackupError extends OwnError {
  static override readonly kind: string = 'BackupError';
}

/** One member of an archive, small enough to be held in memory. */
export interface Entry {
  name: string;
  bytes: Buffer;
  /** The content type of an object. */
  type?: string | undefined;
}

/** Entries are at most this large: a part of a table, or an object. */
export const MOST_ENTRY_BYTES = 64 * 1024 * 1024;
/** Keys of the tar headers (pax), in the namespace that POSIX leaves to vendors. */
const CHECKSUM = 'UPWATCH.sha256';
const TYPE = 'UPWATCH.type';
const END = 'end.json';
/** Dumps consist mostly of text: higher levels take several times as long for a few percent. */
const GZIP_LEVEL = 4;
/** The scrypt work factor: each guess of a passphrase takes 128 MiB of memory and about a second. */
const SCRYPT_LOG_N = 17;
const AGE = 'age-encryption.org/v1';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Pipes `source` through a transformer of web streams. */
async function through(
  source: Readable,
  transform: (stream: ReadableStream<Uint8Array>) => Promise<globalThis.ReadableStream<Uint8Array>>,
): Promise<Readable> {
  const web = await transform(Readable.toWeb(source) as ReadableStream<Uint8Array>);
  return Readable.fromWeb(web as ReadableStream<Uint8Array>);
}

/**
 * Writes a gzipped tar archive, encrypted with a passphrase in the age format (age-encryption.org/v1) if there is one. Each entry carries its
 * SHA-256, and the last one the number of entries and the SHA-256 of all their checksums, so that a missing or cut entry is found.
 */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly all: Hash = createHash('sha256');
  private entries = 0;
  private readonly written: Promise<void>;

  constructor(output: Writable, passphrase: string | null) {
    this.written = this.write(output, passphrase);
    // Awaited in `finish`; until then a failure ends the entry that is being written.
    this.written.catch((error: Error) => this.tar.destroy(error));
  }

  async add({ name, bytes, type }: Entry): Promise<void> {
    const checksum = sha256(bytes);
    this.all.update(checksum);
    this.entries += 1;
    await this.append(name, bytes, { [CHECKSUM]: checksum, ...(type && { [TYPE]: type }) });
  }

  /** Completes the archive. `summary` is part of its last entry. */
  async finish(summary: object): Promise<void> {
    const end = JSON.stringify({ entries: this.entries, sha256: this.all.digest('hex'), ...summary });
    const bytes = Buffer.from(end);
    await this.append(END, bytes, { [CHECKSUM]: sha256(bytes) });
    this.tar.finalize();
    await this.written;
  }

  private append(name: string, bytes: Buffer, pax: Record<string, string>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.tar.entry({ name, size: bytes.length, pax }, bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  private async write(output: Writable, passphrase: string | null): Promise<void> {
    const zipped = createGzip({ level: GZIP_LEVEL });
    const zipping = pipeline(this.tar, zipped);
    let source: Readable = zipped;
    if (passphrase !== null) {
      const encrypter = new Encrypter();
      encrypter.setPassphrase(passphrase);
      encrypter.setScryptWorkFactor(SCRYPT_LOG_N);
      source = await through(zipped, (stream) => encrypter.encrypt(stream as globalThis.ReadableStream<Uint8Array>));
    }
    await Promise.all([zipping, pipeline(source, output)]);
  }
}

/** Returns the first bytes of a stream, and a stream with all of its bytes. */
async function peek(source: Readable): Promise<{ head: Buffer; whole: Readable }> {
  const whole = new PassThrough();
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  while (head.length < AGE.length) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const rest = async function* () {
    if (head.length > 0) yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  void pipeline(rest, whole).catch((error: Error) => whole.destroy(error));
  return { head, whole };
}

async function decrypted(whole: Readable, passphrase: string | null): Promise<Readable> {
  if (passphrase === null)
    throw new BackupError('The archive is encrypted: give its passphrase with --passphrase-file.');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await through(whole, (stream) => decrypter.decrypt(stream as globalThis.ReadableStream<Uint8Array>));
  } catch (error) {
    throw new BackupError('The archive cannot be decrypted: the passphrase is wrong, or its first bytes are damaged.', {
      cause: error,
    });
  }
}

/** The content of an archive's last entry: the counts and checksum, and the `summary` given to `finish`. Not validated. */
export type Summary = Record<string, unknown>;

/**
 * Reads the entries of an archive in order, and verifies the checksum of each before it yields it. Ignores the passphrase if the archive is not
 * encrypted.
 * @param onEnd called with the summary at the end of the archive, after the number and checksums of all entries were verified
 * @throws BackupError if the archive is damaged or incomplete, or the passphrase is missing or wrong
 */
export async function* readArchive(
  input: Readable,
  passphrase: string | null,
  onEnd: (summary: Summary) => void,
): AsyncGenerator<Entry> {
  const { head, whole } = await peek(input);
  const source = head.toString('latin1').startsWith(AGE) ? await decrypted(whole, passphrase) : whole;
  const tar = extract();
  const reading = pipeline(source, createGunzip(), tar);
  reading.catch(() => undefined);
  const all = createHash('sha256');
  let entries = 0;
  let isComplete = false;
  try {
    for await (const stream of tar) {
      const { name, size = 0 } = stream.header;
      const pax = (stream.header.pax ?? {}) as Record<string, string | undefined>;
      if (size > MOST_ENTRY_BYTES) throw new BackupError(`${name} is larger than any part of a backup.`);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const checksum = sha256(bytes);
      if (pax[CHECKSUM] !== checksum)
        throw new BackupError(`The archive is damaged: ${name} does not have its checksum.`);
      if (name === END) {
        const summary = JSON.parse(bytes.toString('utf8')) as Summary;
        isComplete = summary.entries === entries && summary.sha256 === all.digest('hex');
        if (isComplete) onEnd(summary);
        break;
      }
      all.update(checksum);
      entries += 1;
      yield { name, bytes, type: pax[TYPE] };
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The archive is damaged, or no backup of Upwatch: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  if (!isComplete) throw new BackupError('The archive is incomplete.');
}
