import path from 'node:path';
import { env } from '../env';
import { FileStorage } from './files';
import type { ObjectStorage } from './object-storage';
import { S3Storage } from './s3';

export type { ObjectStorage } from './object-storage';

/** The instance's objects: in a bucket if S3 is configured, else in files under DATA_DIR. */
export const storage: ObjectStorage = env.s3
  ? new S3Storage(env.s3)
  : new FileStorage(path.join(/* turbopackIgnore: true */ env.dataDir, 'objects'));
