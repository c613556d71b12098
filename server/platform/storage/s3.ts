import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { Env } from '../env';
import { assertKey, folderOf, type ObjectStorage, type StoredObject } from './object-storage';

type S3Settings = NonNullable<Env['s3']>;

/** Objects in a bucket of S3, or of a service that speaks its protocol. */
export class S3Storage implements ObjectStorage {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(settings: S3Settings) {
    this.bucket = settings.bucket;
    this.client = new S3Client({
      region: settings.region,
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      // Services of one's own seldom have a host name for every bucket.
      ...(settings.endpoint ? { endpoint: settings.endpoint, forcePathStyle: true } : {}),
      // Many such services refuse the checksums that AWS alone asks for.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
    });
  }

  async put(key: string, bytes: Uint8Array, { contentType }: { contentType: string }): Promise<void> {
    assertKey(key);
    const object = { Bucket: this.bucket, Key: key, Body: bytes, ContentType: contentType };
    await this.client.send(new PutObjectCommand(object));
  }

  async get(key: string): Promise<StoredObject | null> {
    assertKey(key);
    try {
      const found = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      const bytes = (await found.Body?.transformToByteArray()) ?? new Uint8Array();
      return { bytes, contentType: found.ContentType ?? 'application/octet-stream' };
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async del(key: string): Promise<void> {
    assertKey(key);
    await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  async deletePrefix(prefix: string): Promise<void> {
    const Prefix = `${folderOf(prefix)}/`;
    for (;;) {
      // The first page each time: what was listed is gone by then.
      const page = await this.client.send(new ListObjectsV2Command({ Bucket: this.bucket, Prefix }));
      const Objects = (page.Contents ?? []).map(({ Key }) => ({ Key }));
      if (Objects.length === 0) return;
      const Delete = { Objects, Quiet: true };
      const { Errors } = await this.client.send(new DeleteObjectsCommand({ Bucket: this.bucket, Delete }));
      if (Errors?.[0]) throw new Error(`The bucket refused to delete ${Errors[0].Key}: ${Errors[0].Code}`);
    }
  }
}
