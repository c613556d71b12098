import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

/** The keys of a browser's push subscription, and how it decrypts what arrives (RFC 8291, RFC 8188). */
export function newPushBrowser() {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const authSecret = randomBytes(16);
  return {
    keys: { p256dh: pair.getPublicKey('base64url'), auth: authSecret.toString('base64url') },
    /** The text in a request's body, which is one record. */
    decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16);
      const idLength = body.readUInt8(20);
      const senderKey = body.subarray(21, 21 + idLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey]);
      const secret = derive(pair.computeSecret(senderKey), authSecret, info, 32);
      const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
      const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
      const record = body.subarray(21 + idLength);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
      const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
      // The padding of the last record begins with 2.
      return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
    },
  };
}
