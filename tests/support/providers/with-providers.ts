import { afterAll } from 'vitest';
import { startLine } from '../servers/line';
import { startRedisRest } from './redis-rest';
import { startS3 } from './s3';

const redis = await startRedisRest();
const s3 = await startS3();

/** Imported before any server code: key-value data in Redis and objects in a bucket, over connections that can be cut. */
export const redisLine = await startLine(redis.url);
export const s3Line = await startLine(s3.settings.endpoint);

Object.assign(process.env, {
  UPSTASH_REDIS_REST_URL: redisLine.url,
  UPSTASH_REDIS_REST_TOKEN: redis.token,
  S3_BUCKET: s3.settings.bucket,
  S3_ENDPOINT: s3Line.url,
  S3_REGION: s3.settings.region,
  AWS_ACCESS_KEY_ID: s3.settings.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
});

afterAll(async () => {
  await Promise.all([redisLine.close(), s3Line.close()]);
  await Promise.all([redis.close(), s3.close()]);
});
