import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

/** A text that only the holder of a private key can read: an ephemeral public key, and ciphertext with its tag, in base64url. */
export interface SealedBox {
  key: string;
  text: string;
}

const TAG_BYTES = 16;
const IV = Buffer.alloc(12);

const toBytes = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');

/**
 * Parses a raw X25519 public key in base64url.
 * @throws Error if the key is not a valid one
 */
function readPublicKey(key: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: key }, format: 'jwk' });
}

/** Both public keys are in the derivation, so that a box cannot be moved to another recipient. Each key encrypts one text, so the IV may be fixed. */
function derive(shared: Buffer, ephemeral: Buffer, recipient: Buffer): Buffer {
  const info = Buffer.concat([Buffer.from('upwatch sealed box v1'), ephemeral, recipient]);
  return Buffer.from(hkdfSync('sha256', shared, '', info, 32));
}

/**
 * Encrypts a text for the holder of an X25519 key (RFC 7748): ECDH with an ephemeral key, HKDF-SHA256 (RFC 5869) and AES-256-GCM.
 * @throws Error if the public key is invalid
 */
export function sealFor(publicKey: string, plain: string): SealedBox {
  const recipient = readPublicKey(publicKey);
  const ephemeral = generateKeyPairSync('x25519');
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: recipient });
  const own = toBytes(ephemeral.publicKey);
  const cipher = createCipheriv('aes-256-gcm', derive(shared, own, toBytes(recipient)), IV);
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { key: own.toString('base64url'), text: text.toString('base64url') };
}

/** A key pair for sealed boxes, whose private key stays in this process's memory. */
export class BoxKey {
  private readonly pair = generateKeyPairSync('x25519');

  /** The raw public key in base64url. */
  readonly publicKey = toBytes(this.pair.publicKey).toString('base64url');

  /** @throws Error if the box was altered, or sealed for another key */
  open({ key, text }: SealedBox): string {
    const ephemeral = readPublicKey(key);
    const shared = diffieHellman({ privateKey: this.pair.privateKey, publicKey: ephemeral });
    const secret = derive(shared, toBytes(ephemeral), toBytes(this.pair.publicKey));
    const sealed = Buffer.from(text, 'base64url');
    if (sealed.length < TAG_BYTES) throw new Error('Not a sealed box.');
    const decipher = createDecipheriv('aes-256-gcm', secret, IV, { authTagLength: TAG_BYTES }).setAuthTag(
      sealed.subarray(-TAG_BYTES),
    );
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}
