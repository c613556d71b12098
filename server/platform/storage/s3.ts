import type { S3Client } from '@aws-sdk/client-s3';
import type { Env } from '../env';
import { assertKey, folderOf, isKey, type ObjectStorage, type StoredObject } from './object-storage';

type S3Settings = NonNullable<Env['s3']>;

type Sdk = typeof import('@aws-sdk/client-s3');

async function connect(settings: S3Settings): Promise<{ sdk: Sdk; client: S3Client }> {
  // Loaded on first use: it is large, and most instances store files.
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // Self-hosted services rarely have a host name for every bucket.
    ...(settings.endpoint ? { endpoint: settings.endpoint, forcePathStyle: true } : {}),
    // Many such services reject the checksums that only AWS requires.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
  });
  return { sdk, client };
}

/** Objects in an S3 bucket, or of a compatible service. */
export class S3Storage implements ObjectStorage {
  private readonly bucket: string;
  private connection: ReturnType<typeof connect> | null = null;

  constructor(private readonly settings: S3Settings) {
    this.bucket = settings.bucket;
  }

  async put(key: string, bytes: Uint8Array, { contentType }: { contentType: string }): Promise<void> {
    assertKey(key);
    const { sdk, client } = await this.connected();
    const object = { Bucket: this.bucket, Key: key, Body: bytes, ContentType: contentType };
    await client.send(new sdk.PutObjectCommand(object));
  }

  async get(key: string): Promise<StoredObject | null> {
    assertKey(key);
    const { sdk, client } = await this.connected();
    try {
      const found = await client.send(new sdk.GetObjectCommand({ Bucket: this.bucket, Key: key }));
      const bytes = (await found.Body?.transformToByteArray()) ?? new Uint8Array();
      return { bytes, contentType: found.ContentType ?? 'application/octet-stream' };
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return null;
      throw error;
    }
  }

  async del(key: string): Promise<void> {
    assertKey(key);
    const { sdk, client } = await this.connected();
    await client.send(new sdk.DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  async deletePrefix(prefix: string): Promise<void> {
    const { sdk, client } = await this.connected();
    const Prefix = `${folderOf(prefix)}/`;
    for (;;) {
      // The first page each time, since the listed objects have been deleted.
      const page = await client.send(new sdk.ListObjectsV2Command({ Bucket: this.bucket, Prefix }));
      const Objects = (page.Contents ?? []).map(({ Key }) => ({ Key }));
      if (Objects.length === 0) return;
      const Delete = { Objects, Quiet: true };
      const { Errors } = await client.send(new sdk.DeleteObjectsCommand({ Bucket: this.bucket, Delete }));
      if (Errors?.[0]) throw new Error(`The bucket refused to delete ${Errors[0].Key}: ${Errors[0].Code}`);
    }
  }

  async *list(): AsyncIterable<string> {
    const { sdk, client } = await this.connected();
    for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: this.bucket })) {
      for (const { Key } of page.Contents ?? []) if (Key !== undefined && isKey(Key)) yield Key;
    }
  }

  private connected(): ReturnType<typeof connect> {
    this.connection ??= connect(this.settings);
    return this.connection;
  }
}
