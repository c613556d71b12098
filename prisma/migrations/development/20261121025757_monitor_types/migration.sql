-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "monitor_type" ADD VALUE 'ping';
ALTER TYPE "monitor_type" ADD VALUE 'dns';
ALTER TYPE "monitor_type" ADD VALUE 'tls';
ALTER TYPE "monitor_type" ADD VALUE 'websocket';
ALTER TYPE "monitor_type" ADD VALUE 'grpc';
