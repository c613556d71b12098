-- AlterEnum
ALTER TYPE "monitor_type" ADD VALUE 'postgresql';
ALTER TYPE "monitor_type" ADD VALUE 'mysql';
ALTER TYPE "monitor_type" ADD VALUE 'mqtt';
