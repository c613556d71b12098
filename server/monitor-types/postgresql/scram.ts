import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { TargetFailure } from '@/server/monitor-types/probing/attempt';
import type { CostlyTurns } from '@/server/platform/net';

export const SCRAM = 'SCRAM-SHA-256';
/** The maximum number of iterations, which the server chooses. PostgreSQL uses 4,096 by default. */
const MOST_ITERATIONS = 100_000;
/**
 * The number of iterations that are not charged. Further ones are charged to the team, because otherwise hostile servers could keep all cores busy.
 */
const FREE_ITERATIONS = 10_000;
/** The CPU time of an iteration, in milliseconds. */
const MS_PER_ITERATION = 0.0003;
/** The header for a client that does not use channel binding: "n,," in base64. */
const NO_BINDING = 'biws';

const derive = promisify(pbkdf2);
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Prepares a password by SASLprep (RFC 4013) as PostgreSQL applies it: maps spaces, drops what is "mapped to nothing", normalizes. */
function prepare(password: string): string {
  return password
    .replace(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g, ' ')
    .replace(/\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g, '')
    .normalize('NFKC');
}

const failure = () => new TargetFailure('The server violated the authentication protocol (SCRAM)');

/** Parses the attributes of a message: "r=…,s=…,i=…". */
function attributes(text: string): Map<string, string> {
  return new Map(text.split(',', 16).map((part) => [part.slice(0, 1), part.slice(2)]));
}

/** The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677) without channel binding. Call `first`, `final` and `verify` in this order. */
export class ScramClient {
  private readonly nonce = randomBytes(18).toString('base64');
  private readonly bare = `n=*,r=${this.nonce}`;
  private serverSignature: Buffer | null = null;

  constructor(
    private readonly password: string,
    private readonly turns: CostlyTurns,
  ) {}

  first(): string {
    return `n,,${this.bare}`;
  }

  /**
   * Returns the client's last message, with the proof, for the server's first message.
   * @throws TargetFailure if that is invalid or asks for too many iterations
   */
  async final(serverFirst: string): Promise<string> {
    const given = attributes(serverFirst);
    const [nonce, salt, count] = ['r', 's', 'i'].map((name) => given.get(name) ?? '') as [string, string, string];
    const iterations = /^[1-9]\d{0,8}$/.test(count) ? Number(count) : 0;
    if (this.serverSignature || !nonce.startsWith(this.nonce) || salt === '' || iterations === 0) throw failure();
    if (iterations > MOST_ITERATIONS) {
      throw new TargetFailure(`The server asks for ${iterations} SCRAM iterations, more than ${MOST_ITERATIONS}`);
    }
    const key = await this.turns.takeElsewhere(
      () => derive(prepare(this.password), Buffer.from(salt, 'base64'), iterations, 32, 'sha256'),
      Math.max(0, iterations - FREE_ITERATIONS) * MS_PER_ITERATION,
    );
    const withoutProof = `c=${NO_BINDING},r=${nonce}`;
    const message = `${this.bare},${serverFirst},${withoutProof}`;
    const clientKey = hmac(key, 'Client Key');
    const signature = hmac(createHash('sha256').update(clientKey).digest(), message);
    this.serverSignature = hmac(hmac(key, 'Server Key'), message);
    const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)));
    return `${withoutProof},p=${proof.toString('base64')}`;
  }

  /**
   * Verifies by the server's last message that the server knows the password too.
   * @throws TargetFailure
   */
  verify(serverFinal: string): void {
    const given = Buffer.from(attributes(serverFinal).get('v') ?? '', 'base64');
    const expected = this.serverSignature;
    if (!expected || given.length !== expected.length || !timingSafeEqual(given, expected)) throw failure();
  }
}
